"""What a service shows of itself to those who watch over it."""

from __future__ import annotations

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from api.model_service import MODEL, by_model, good
from api.running import Running, running
from provgraph.gateway.activity import SESSION, JsonLogFormatter
from servers.openai_server import Answer, OpenAIServer
from servers.oxigraph_server import OxigraphServer, oxigraph_server
from servers.served_process import free_port

Figures = dict[tuple[str, frozenset[tuple[str, str]]], float]


async def figures(service: Running) -> Figures:
    """The samples at /metrics, by name and labels."""
    answer = await service.client.get("/metrics")
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def of(figures: Figures, name: str, **labels: str) -> float:
    return figures.get((name, frozenset(labels.items())), 0.0)


async def test_questions_and_documents_are_counted_and_their_stages_timed(service: Running) -> None:
    job = await service.ingest()
    await service.ask()
    await service.ask("Who wrote Moby Dick?")
    seen = await figures(service)
    (document,) = job["documents"]
    assert of(seen, "provgraph_documents_total", outcome="stored") == 1
    assert of(seen, "provgraph_chunks_total", outcome="written") == document["new_chunks"] > 0
    assert of(seen, "provgraph_facts_total") == document["facts"] > 0
    assert of(seen, "provgraph_sessions_total", outcome="answered") == 1
    assert of(seen, "provgraph_sessions_total", outcome="refused") == 1
    for stage in ("grounding", "retrieval", "selection", "total"):
        assert of(seen, "provgraph_stage_seconds_count", stage=stage) == 2, stage
    assert of(seen, "provgraph_stage_seconds_count", stage="first_text") >= 1
    assert of(seen, "provgraph_requests_total", method="POST", route="/api/v1/graph-rag", status="200") == 2


async def test_calls_of_the_model_and_their_tokens_are_counted(
    tmp_path: Path, model_server: OpenAIServer
) -> None:
    async with running(tmp_path / "data", **by_model(model_server)) as service:
        await service.ingest()
        model_server.answer(good(answer=Answer("", status=500)))
        await service.ask()
        seen = await figures(service)
        answered, failed = (
            of(seen, "provgraph_model_calls_total", model=MODEL, outcome=outcome)
            for outcome in ("answered", "failed")
        )
        assert answered + failed == len(model_server.asked)
        assert failed >= 1
        asked = sum(len(each.system + each.user) // 4 for each in model_server.asked)
        assert 0 < of(seen, "provgraph_model_tokens_total", model=MODEL, direction="in") < asked
        assert of(seen, "provgraph_model_seconds_count", model=MODEL) == len(model_server.asked)


async def test_a_service_that_can_answer_is_ready_and_tells_what_it_asked(service: Running) -> None:
    told = await service.get("/ready")
    assert told == {"status": "ready", "dependencies": {"store": "answers"}}


async def test_a_model_that_does_not_answer_is_told_and_stops_nothing(tmp_path: Path) -> None:
    nowhere: dict[str, Any] = {"llm_model": MODEL, "OPENAI_BASE_URL": f"http://127.0.0.1:{free_port()}/v1"}
    async with running(tmp_path / "data", **nowhere) as service:
        told = await service.get("/ready", models="true")
        assert told["status"] == "ready"
        assert "OPENAI_BASE_URL" in told["dependencies"]["model"]


async def test_a_model_that_answers_is_told_so(tmp_path: Path, model_server: OpenAIServer) -> None:
    async with running(tmp_path / "data", **by_model(model_server)) as service:
        asked = len(model_server.asked)
        assert "model" not in (await service.get("/ready"))["dependencies"]
        assert len(model_server.asked) == asked
        assert (await service.get("/ready", models="true"))["dependencies"]["model"] == "answers"


async def test_a_library_that_cannot_be_reached_makes_a_service_unready(tmp_path: Path, s3_url: str) -> None:
    async with running(tmp_path / "data", library_url=s3_url.replace("library", "gone", 1)) as service:
        unready = await service.client.get("/ready")
        assert unready.status_code == 503
        assert "PROVGRAPH_LIBRARY_URL" in unready.json()["detail"]
        assert (await service.client.get("/health")).status_code == 200


async def test_documents_in_an_object_store_and_a_graph_on_a_server_are_answered_from(
    tmp_path: Path, s3_url: str, oxigraph: OxigraphServer
) -> None:
    async with running(tmp_path / "data", library_url=s3_url, store_url=oxigraph.url) as service:
        await service.ingest(id="https://example.org/curie")
        assert "Marie Curie" in (await service.ask())["response"]
        content = await service.client.get(
            "/api/v1/documents/content", params={"id": "https://example.org/curie"}
        )
        assert content.text.startswith("Marie Curie discovered polonium")
        assert (await service.get("/ready"))["dependencies"] == {"store": "answers", "library": "answers"}
        assert not (tmp_path / "data" / "library").exists()


async def test_an_ingest_goes_on_when_its_store_is_killed_and_comes_back(tmp_path: Path) -> None:
    with oxigraph_server(tmp_path / "store") as server:
        async with running(tmp_path / "data", store_url=server.url) as service:
            text = "\n\n".join(f"Anna Berg{n} discovered comet{n} in {1800 + n}." for n in range(60))
            sent = await service.client.post("/api/v1/documents", json={"text": text, "name": "comets.txt"})
            server.kill()
            server.start()
            job = await service.finished(sent.json()["id"])
            assert job["state"] == "done", job
            answer = await service.ask("Who discovered comet7?")
            assert "Anna Berg7" in answer["response"]


def test_a_line_of_the_log_is_an_object_with_its_session() -> None:
    token = SESSION.set("urn:trustgraph:session:1")
    record = logging.makeLogRecord(
        {
            "name": "provgraph.x",
            "levelno": 20,
            "levelname": "INFO",
            "msg": "took %s\nsteps",
            "args": (3,),
            "facts": 7,
        }
    )
    line = JsonLogFormatter().format(record)
    SESSION.reset(token)
    assert "\n" not in line
    read = json.loads(line)
    assert {name: read[name] for name in ("level", "logger", "message", "session", "facts")} == {
        "level": "info",
        "logger": "provgraph.x",
        "message": "took 3\nsteps",
        "session": "urn:trustgraph:session:1",
        "facts": 7,
    }
    assert "session" not in json.loads(JsonLogFormatter().format(record))


async def test_sessions_side_by_side_are_logged_each_under_its_own_iri(
    service: Running,
) -> None:
    await service.ingest()
    formatter, lines = JsonLogFormatter(), []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(json.loads(formatter.format(record)))

    log, handler = logging.getLogger("provgraph.activity"), Kept()
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        streams = await asyncio.gather(*(service.stream() for _ in range(3)))
    finally:
        log.removeHandler(handler)
    ended = [line["session"] for line in lines if line["message"] == "session ended"]
    begun = [messages[0].data["explain_id"] for messages in streams]
    assert sorted(ended) == sorted(begun)
