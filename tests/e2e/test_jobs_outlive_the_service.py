"""Documents that were accepted are read, whatever becomes of the service: nobody has to send them again."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import httpx2
import pytest

from e2e.commands import Serving, invoke, serving
from servers.direct import DIRECT
from servers.openai_server import Answer, OpenAIServer

pytestmark = pytest.mark.slow

STREAM = {"Accept": "text/event-stream"}


def client(service: Serving) -> httpx2.Client:
    return httpx2.Client(base_url=service.url, timeout=60, **DIRECT)


def ended(service: Serving, job: str) -> dict[str, Any]:
    """The last event of a job."""
    with client(service) as asking, asking.stream("GET", f"/api/v1/jobs/{job}", headers=STREAM) as response:
        *_, last = httpx2.EventSource(response, max_event_size=None)
    state: dict[str, Any] = json.loads(last.data)
    return state


def test_jobs_go_on_after_the_service_was_killed_and_failed_ones_can_be_replayed(
    tmp_path: Path, model_server: OpenAIServer
) -> None:
    model_server.answer(Answer('{"facts": []}', delay_s=60))
    data = tmp_path / "data"
    model = {"OPENAI_BASE_URL": model_server.url, "PROVGRAPH_LLM_MODEL": "tiny"}
    with serving(data, env=model) as service:
        with client(service) as asking:
            jobs = [
                asking.post("/api/v1/documents", json=sent).json()["id"]
                for sent in (
                    {"text": "Otters eat fish. Otters live in rivers.", "name": "otters.txt"},
                    {"text": "Ada Lovelace wrote notes.", "name": "ada.txt", "extractors": ["model-free"]},
                )
            ]
        while not model_server.asked:
            assert service.process.poll() is None
        service.stop(signal.SIGKILL)
    model_server.answer(Answer('{"facts": []}'))
    with serving(data) as service:  # without the model that the first of them needs
        states = [ended(service, job) for job in jobs]
        assert [state["state"] for state in states] == ["failed", "done"]
        assert "needs a language model" in states[0]["problem"]["detail"]
        assert [each["title"] for each in states[1]["documents"]] == ["ada"]
        assert "documents of otters.txt; 2 attempts" in invoke("queue", "dead", "--url", service.url).output
        service.stop()
    with serving(data, env=model) as service:
        assert "documents: 0 tasks waiting, 0 under way, 1 given up" in _said(service)
        assert "will be retried" in invoke("queue", "replay", "all", "--url", service.url).output
        assert ended(service, jobs[0])["state"] == "done"
        assert "documents: 0 tasks waiting, 0 under way, 0 given up" in _said(service)
        assert list((data / "queue" / "files").iterdir()) == []
        service.stop()


def _said(service: Serving) -> str:
    return invoke("queue", "--url", service.url).output
