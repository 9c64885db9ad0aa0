"""A service apart that is told to end does so within seconds, though its servers are gone, or silent."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from crash.corpus import corpus
from crash.deployment import Deployment, Process, deployed
from e2e.commands import PATIENCE_S
from servers.openai_server import Answer, OpenAIServer

IN_ORDER, AS_IT_IS = 0, 1


@pytest.fixture
def at_work(tmp_path: Path, model_server: OpenAIServer) -> Iterator[Deployment]:
    """A worker in the middle of documents and of chunks, and everybody else."""
    model_server.answer(Answer('{"facts": []}', delay_s=0.3))
    by_model = {"OPENAI_BASE_URL": model_server.url, "PROVGRAPH_LLM_MODEL": "tiny"}
    with deployed(tmp_path, workers=1, answering=True, **by_model) as deployment:
        for file in corpus(documents=3, sentences=40):
            sent = {"file": (file.name, file.content)}
            url = f"{deployment.gateway.url}/api/v1/documents"
            httpx2.post(url, files=sent, trust_env=False, timeout=60).raise_for_status()
        while len(model_server.asked) < 3:
            assert deployment.gateway.running.poll() is None
        yield deployment


def test_every_role_ends_in_order_when_store_and_broker_are_gone(at_work: Deployment) -> None:
    for name in ("store", "broker"):
        at_work.parts[name].kill()
    assert _ended(at_work) == {
        "gateway": IN_ORDER,
        "worker-0": IN_ORDER,
        "graph-rag": IN_ORDER,
        "retrieval": IN_ORDER,
    }


def test_every_role_ends_when_the_store_has_stopped_answering(at_work: Deployment) -> None:
    at_work.store.running.send_signal(signal.SIGSTOP)
    assert _ended(at_work)["worker-0"] == AS_IT_IS


def _ended(deployment: Deployment) -> dict[str, int]:
    """The exit status of each service that was told to end; `subprocess.TimeoutExpired` where one does not."""
    services: dict[str, subprocess.Popen[bytes]] = {
        name: part.running for name, part in deployment.parts.items() if isinstance(part, Process)
    }
    for process in services.values():
        process.terminate()
    return {name: process.wait(PATIENCE_S) for name, process in services.items()}
