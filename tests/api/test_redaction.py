"""What a redaction takes from traces that models had a hand in, over real sockets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from api.model_service import Script, by_model, good, step
from api.running import Running, running
from provgraph.checking.pipeline import Checker
from provgraph.wire.service import CheckFinding
from servers.openai_server import Answer, Asked, OpenAIServer

DOC = "https://example.org/zebra"
OTHER = "https://example.org/other"
TEXT = "Marie Curie discovered plimsolite in 1898. Marie Curie discovered polonium."
QUOTED = "Plimsolite"
VERDICT = json.dumps({"relevant": False, "reasoning": QUOTED, "question": f"Who discovered {QUOTED}?"})


def repeating(**instead: Answer) -> Script:
    """A model that repeats, in whatever it says, what it was shown."""

    def answer(asked: Asked) -> Answer:
        said = {"check": VERDICT, "answer": f"{QUOTED} was discovered by Marie Curie [1]."}
        name = step(asked)
        return instead.get(name) or (Answer(said[name]) if name in said else good()(asked))

    return answer


def files_with(folder: Path, words: str) -> list[str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [str(path) for path in files if words.casefold().encode() in path.read_bytes().lower()]


async def redact(service: Running, **query: str) -> dict[str, object]:
    query = {"id": DOC, "redact": "true", "erase": "true", **query}
    answer = await service.client.delete("/api/v1/documents", params=query)
    assert answer.status_code == 200, answer.text
    report: dict[str, object] = answer.json()
    return report


async def assert_sound(service: Running) -> None:
    checker = Checker(service.assembly.store, service.assembly.library, "explainability")
    assert [event async for event in checker.check("default") if isinstance(event, CheckFinding)] == []


@pytest.mark.parametrize("failing", ["", "selection", "answer"])
async def test_nothing_that_a_model_said_of_the_content_is_left(
    tmp_path: Path, model_server: OpenAIServer, failing: str
) -> None:
    model_server.answer(repeating(**({failing: Answer("", status=401)} if failing else {})))
    data = tmp_path / "data"
    async with running(data, **by_model(model_server, extractors="model-free")) as service:
        await service.ingest(TEXT, id=DOC)
        await service.ingest("Otters eat fish.", id=OTHER)
        await service.client.post(
            "/api/v1/graph-rag",
            json={"query": "Who discovered polonium?", "corrective": True, "rerank": True},
        )
        assert "reranking" in [step(asked) for asked in model_server.asked]
        await redact(service)
        assert files_with(data, QUOTED) == []
        await assert_sound(service)
        sessions = await service.get("/api/v1/traces")
        trace = await service.get(f"/api/v1/traces/{sessions[0]['session']}")
        assert trace["selected"] == []


async def test_answers_that_an_earlier_deletion_left_can_be_redacted_later(
    tmp_path: Path, model_server: OpenAIServer
) -> None:
    model_server.answer(repeating())
    data = tmp_path / "data"
    async with running(data, **by_model(model_server, extractors="model-free")) as service:
        await service.ingest(TEXT, id=DOC)
        await service.ask("Who discovered polonium?")
        deleted = await service.client.delete("/api/v1/documents", params={"id": DOC})
        assert len(deleted.json()["stale"]) == 1
        assert files_with(data / "library", QUOTED)
        report = await redact(service)
        assert (report["redacted"], report["pages"]) == (deleted.json()["stale"], 0)
        assert files_with(data, QUOTED) == []
        await assert_sound(service)
        again = await service.client.delete("/api/v1/documents", params={"id": DOC, "redact": "true"})
        assert again.status_code == 404
