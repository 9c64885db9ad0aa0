"""A service apart that is told to end does so within seconds, though its servers are gone, or silent."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from crash.corpus import corpus
from crash.deployment import Deployment, deployed
from e2e.commands import PATIENCE_S
from servers.direct import DIRECT
from servers.openai_server import Answer, OpenAIServer
from servers.provgraph_server import ProvGraphServer

pytestmark = pytest.mark.slow

IN_ORDER, AS_IT_IS = 0, 1


@contextmanager
def at_work(folder: Path, model: OpenAIServer, *, answering: bool) -> Iterator[Deployment]:
    """A worker in the middle of documents and of chunks, a gateway, and who answers where it is wanted."""
    model.answer(Answer('{"facts": []}', delay_s=0.3))
    by_model = {"OPENAI_BASE_URL": model.url, "PROVGRAPH_LLM_MODEL": "tiny"}
    with deployed(folder, 1, answering, **by_model) as deployment:
        for file in corpus(documents=3, sentences=40):
            sent = {"file": (file.name, file.content)}
            url = f"{deployment.gateway.url}/api/v1/documents"
            httpx2.post(url, files=sent, timeout=60, **DIRECT).raise_for_status()
        while len(model.asked) < 3:
            assert deployment.gateway.running.poll() is None
        yield deployment


def test_every_role_ends_when_store_and_broker_are_gone_and_a_worker_in_order(
    tmp_path: Path, model_server: OpenAIServer
) -> None:
    with at_work(tmp_path, model_server, answering=True) as deployment:
        for name in ("store", "broker"):
            deployment.parts[name].kill()
        ended = _ended(deployment)
    assert set(ended) == {"gateway", "graph-rag", "retrieval", "worker-0"}
    assert ended["worker-0"] == IN_ORDER


def test_a_worker_ends_when_the_store_has_stopped_answering(
    tmp_path: Path, model_server: OpenAIServer
) -> None:
    with at_work(tmp_path, model_server, answering=False) as deployment:
        deployment.store.running.send_signal(signal.SIGSTOP)
        assert _ended(deployment)["worker-0"] == AS_IT_IS


def _ended(deployment: Deployment) -> dict[str, int]:
    """The exit status of each service that was told to end; `subprocess.TimeoutExpired` where one does not."""
    services: dict[str, subprocess.Popen[bytes]] = {
        name: part.running for name, part in deployment.parts.items() if isinstance(part, ProvGraphServer)
    }
    for process in services.values():
        process.terminate()
    return {name: process.wait(PATIENCE_S) for name, process in services.items()}
