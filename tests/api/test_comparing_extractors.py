"""One document read by several: every fact knows who found it, and the counts agree with the facts."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from api.running import PROBLEM, Running, running
from servers.openai_server import Answer, OpenAIServer

TEXT = "Marie Curie met Lise Meitner. Marie Curie was born in Warsaw."
PAPER = "https://example.org/paper"
BOTH, ONLY_RULES, ONLY_MODEL = (
    ("Marie Curie", "meet", "Lise Meitner"),
    ("Marie Curie", "was born in", "Warsaw"),
    ("Marie Curie", "met", "Lise Meitner"),
)


def answer() -> Answer:
    facts = [
        {"subject": "Marie Curie", "subject_type": "Person", "relation": relation, "object": "Lise Meitner",
         "object_type": "Person", "quote": "Marie Curie met Lise Meitner."}
        for relation in ("meet", "met")
    ]  # fmt: skip
    return Answer(json.dumps({"facts": facts}))


@pytest_asyncio.fixture
async def read_twice(tmp_path: Path, model_server: OpenAIServer) -> AsyncIterator[Running]:
    """A document read by rules, then by a model that agrees in one fact."""
    model_server.answer(lambda _: answer())
    changes: dict[str, Any] = {"llm_model": "tiny", "llm_retries": 0, "OPENAI_BASE_URL": model_server.url}
    async with running(tmp_path / "data", **changes) as service:
        for extractor in ("propositions", "agent"):
            body = {"text": TEXT, "id": PAPER, "name": "paper.txt", "extractors": [extractor]}
            sent = await service.client.post("/api/v1/documents", json=body)
            job = await service.finished(sent.json()["id"])
            assert job["state"] == "done", job
        yield service


def found_by(compared: dict[str, Any]) -> dict[tuple[str, str, str], list[str]]:
    return {(f["subject"], f["relation"], f["object"]): f["found_by"] for f in compared["facts"]}


async def test_every_fact_knows_which_extractors_found_it(read_twice: Running) -> None:
    compared = await read_twice.get("/api/v1/compare", id=PAPER)
    assert found_by(compared) == {
        BOTH: ["agent", "propositions"],
        ONLY_RULES: ["propositions"],
        ONLY_MODEL: ["agent"],
    }
    assert compared["readers"] == [
        {"name": "agent", "facts": 2, "only": 1},
        {"name": "propositions", "facts": 2, "only": 1},
    ]
    assert compared["shared"] == 1
    for fact in compared["facts"]:
        assert {source["extraction"]["extractor"] for source in fact["sources"]} == set(fact["found_by"])
        assert all(source["text"] in TEXT for source in fact["sources"])


async def test_readings_are_told_apart_by_model_and_by_version_too(read_twice: Running) -> None:
    by_model = await read_twice.get("/api/v1/compare", id=PAPER, by="model")
    assert found_by(by_model)[BOTH] == ["no model", "tiny"]
    by_version = await read_twice.get("/api/v1/compare", id=PAPER, by="version")
    assert [reader["name"].split(" ")[0] for reader in by_version["readers"]] == ["agent", "propositions"]


async def test_one_of_them_alone_has_nothing_shared_with_others(read_twice: Running) -> None:
    alone = await read_twice.get("/api/v1/compare", id=PAPER, between="agent")
    assert set(found_by(alone)) == {BOTH, ONLY_MODEL}
    assert alone["readers"] == [{"name": "agent", "facts": 2, "only": 2}]


async def test_facts_of_other_documents_are_not_compared(read_twice: Running) -> None:
    await read_twice.ingest(
        "Marie Curie discovered polonium. She discovered radium.", id="https://example.org/2"
    )
    compared = await read_twice.get("/api/v1/compare", id=PAPER)
    assert set(found_by(compared)) == {BOTH, ONLY_RULES, ONLY_MODEL}
    assert {source["document"] for fact in compared["facts"] for source in fact["sources"]} == {PAPER}


@pytest.mark.parametrize(
    ("query", "status", "words"),
    [
        ({"id": "https://example.org/none"}, 404, "no document"),
        ({"id": PAPER, "by": "mood"}, 400, "extractor, model, version"),
        ({"id": PAPER, "between": "nobody"}, 404, "agent, propositions"),
    ],
)
async def test_what_cannot_be_compared_says_what_can(
    read_twice: Running, query: dict[str, str], status: int, words: str
) -> None:
    refused = await read_twice.client.get("/api/v1/compare", params=query)
    assert (refused.status_code, refused.headers["content-type"]) == (status, PROBLEM)
    assert words in refused.json()["detail"]
