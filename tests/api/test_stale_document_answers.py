"""Answers from chunks whose chunks go: marked with the reason, in the transaction that took them, and redacted."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from api.running import QUESTION, Running, running
from provgraph.checking.pipeline import Checker
from provgraph.flows.document_rag import DocumentQuestion
from provgraph.flows.runner.events import Explained
from provgraph.wire.service import CheckFinding
from servers.openai_server import Answer, OpenAIServer

DOC = "https://example.org/zebra"
TEXT = "Marie Curie discovered plimsolite in 1898. Marie Curie discovered polonium.\n"
OTHER = "Otters eat fish. Lise Meitner discovered protactinium in 1917.\n"
ASKED = "Who discovered plimsolite?"


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Running]:
    async with running(tmp_path / "data") as made:
        await made.ingest(TEXT, id=DOC, title="Zebra")
        await made.ingest(OTHER, id="https://example.org/other", title="Other")
        yield made


async def ask(service: Running, query: str = ASKED, **fields: Any) -> dict[str, Any]:
    answer = await service.client.post("/api/v1/document-rag", json={"query": query, **fields})
    assert answer.status_code == 200, answer.text
    answered: dict[str, Any] = answer.json()
    return answered


async def delete(service: Running, **query: str) -> dict[str, Any]:
    answer = await service.client.delete("/api/v1/documents", params={"id": DOC, **query})
    assert answer.status_code == 200, answer.text
    report: dict[str, Any] = answer.json()
    return report


async def opened(service: Running, session: str) -> dict[str, Any]:
    """The trace, once all that is stored was found sound."""
    checker = Checker(service.assembly.store, service.assembly.library, "explainability")
    assert [event async for event in checker.check("default") if isinstance(event, CheckFinding)] == []
    trace: dict[str, Any] = await service.get(f"/api/v1/traces/{session}")
    return trace


def files_with(folder: Path, words: str) -> list[Path]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if words.casefold().encode() in path.read_bytes().lower()]


async def test_an_answer_whose_chunk_was_deleted_says_so_and_why(service: Running, tmp_path: Path) -> None:
    session = (await ask(service))["session"]
    assert (await opened(service, session))["stale"] == []
    report = await delete(service)
    trace = await opened(service, session)
    assert len(report["stale"]) == 1
    assert trace["stale"] == [f"1 of 1 selected chunks went, as {DOC} was deleted."]
    assert [each["session"] for each in await service.get("/api/v1/traces", stale="true")] == [session]
    assert files_with(tmp_path / "data" / "library", "discovered polonium") == [], (
        "the words that the answer cited go with their document"
    )


async def test_an_answer_from_other_chunks_still_stands(service: Running) -> None:
    session = (await ask(service, "Who discovered protactinium?"))["session"]
    assert (await delete(service))["stale"] == []
    assert (await opened(service, session))["stale"] == []


async def test_an_answer_whose_chunk_was_revised_away_keeps_the_words_that_it_cites(service: Running) -> None:
    session = (await ask(service))["session"]
    trace = await opened(service, session)
    await service.ingest("Marie Curie discovered radium. It glows.", id=DOC, title="Zebra")
    revised = await opened(service, session)
    assert revised["stale"] == [f"1 of 1 selected chunks went, as {DOC} was revised."]
    assert revised["answer"] == trace["answer"]
    assert [source["text"] for each in revised["answer"]["sentences"] for source in each["sources"]] == [
        "Marie Curie discovered plimsolite in 1898."
    ]
    found = await service.get("/api/v1/traces", stale="true")
    assert [each["stale"] for each in found] == [revised["stale"]]


async def test_a_document_that_comes_and_goes_again_is_one_reason(service: Running) -> None:
    session = (await ask(service))["session"]
    await delete(service)
    await service.ingest(TEXT, id=DOC, title="Zebra")
    assert (await delete(service))["stale"] == []
    assert len((await opened(service, session))["stale"]) == 1


async def test_a_redaction_takes_the_answer_its_chunks_and_what_the_model_read(
    tmp_path: Path, model_server: OpenAIServer
) -> None:
    model_server.answer(Answer("Marie Curie discovered plimsolite in 1898 [1]."))
    data = tmp_path / "data"
    model: dict[str, Any] = {
        "llm_model": "lab/tiny:7b",
        "OPENAI_BASE_URL": model_server.url,
        "llm_retries": 0,
    }
    async with running(data, **model, extractors="model-free") as service:
        await service.ingest(TEXT, id=DOC, title="Zebra")
        session = (await ask(service, QUESTION))["session"]
        assert files_with(data, "plimsolite")
        report = await delete(service, redact="true", erase="true")
        assert len(report["redacted"]) == 1
        assert files_with(data, "plimsolite") == []
        trace = await opened(service, session)
        assert (trace["selected_chunks"], trace["stale"]) == (
            [],
            [f"1 of 1 selected chunks went, as {DOC} was deleted."],
        )


async def test_answers_that_an_earlier_deletion_left_can_be_redacted_later(
    service: Running, tmp_path: Path
) -> None:
    session = (await ask(service))["session"]
    await delete(service)
    report = await delete(service, redact="true")
    assert len(report["redacted"]) == 1
    assert (await opened(service, session))["selected_chunks"] == []
    assert files_with(tmp_path / "data" / "library", "plimsolite in 1898") == []


@pytest.mark.parametrize("step", ["retrieval", "selection"])
async def test_an_answer_whose_chunk_goes_while_it_is_given_marks_itself(service: Running, step: str) -> None:
    async for event in service.assembly.flows.document_rag.answer(DocumentQuestion(ASKED)):
        if isinstance(event, Explained) and step in event.entity.value and await is_there(service):
            await delete(service)
    (session,) = await service.get("/api/v1/traces")
    trace = await opened(service, session["session"])
    assert trace["outcome"] == "answered"
    assert trace["stale"] == [
        f"1 selected chunks went, as {DOC} was changed while the question was answered."
    ]


async def is_there(service: Running) -> bool:
    return DOC in [each["id"] for each in await service.get("/api/v1/documents")]
