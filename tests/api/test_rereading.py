"""What an older version of a reader read is told apart, and read again on request."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest_asyncio

from api.running import PROBLEM, Running, running
from provgraph.documents.metadata import DocumentMetadata
from provgraph.extraction.extractors import ChosenExtractors, Extractors
from provgraph.extraction.facts import Entity, Fact, Passage
from provgraph.ingestion.events import DocumentStored
from provgraph.ingestion.planning import SourceFile

TEXT = "Marie Curie was born in Warsaw. Ada Lovelace was born in London."
DOCUMENT = "https://example.org/births"
OLD = ("Marie Curie", "was a child of", "Warsaw")


class OlderReader:
    """What stood under the former name of the default: another name, another version, other facts."""

    name = "model-free"
    version = "2"

    def extract(self, passage: Passage) -> Sequence[Fact]:
        end = passage.text.index(".") + 1
        return [Fact(Entity(OLD[0]), OLD[1], Entity(OLD[2]), 0.8, 0, end)]


@pytest_asyncio.fixture
async def old_folder(tmp_path: Path) -> AsyncIterator[Running]:
    """A folder that an older version wrote, opened by this one."""
    data = tmp_path / "data"
    async with running(data) as service:
        file = SourceFile("births.txt", TEXT.encode(), id=DOCUMENT)
        read = service.assembly.ingestion.ingest([file], "default", ChosenExtractors((OlderReader(),)))
        async with aclosing(read) as events:
            assert [event.fact_count async for event in events if isinstance(event, DocumentStored)] == [1]
    async with running(data) as service:
        yield service


async def facts(service: Running) -> dict[tuple[str, str, str], dict[str, Any]]:
    tree = await service.get("/api/v1/documents", id=DOCUMENT)
    return {
        (fact["subject"], fact["relation"], fact["object"]): fact
        for page in tree["content"]
        for chunk in page["chunks"]
        for fact in chunk["facts"]
    }


async def test_old_facts_are_told_apart_until_their_document_is_read_again(old_folder: Running) -> None:
    told = await facts(old_folder)
    assert (told[OLD]["read_by"], told[OLD]["outdated"]) == ("model-free 2", True)
    before = await old_folder.get("/api/v1/documents/readings")
    assert before["readings"] == [
        {
            "extractor": "model-free",
            "version": "2",
            "model": "",
            "documents": 1,
            "chunks": 1,
            "outdated": True,
        }
    ]

    sent = await old_folder.client.post("/api/v1/documents/reread", json={})
    assert sent.status_code == 202
    job = await old_folder.finished(sent.json()["id"])
    assert (job["state"], job["extractors"], job["retired"]) == ("done", ["propositions"], 1)

    told = await facts(old_folder)
    assert OLD not in told
    assert not told["Marie Curie", "was born in", "Warsaw"]["outdated"]
    (after,) = (await old_folder.get("/api/v1/documents/readings"))["readings"]
    assert (after["extractor"], after["outdated"], after["chunks"]) == ("propositions", False, 1)


async def test_a_document_that_is_read_again_keeps_its_name_and_its_metadata(tmp_path: Path) -> None:
    data = tmp_path / "data"
    metadata = DocumentMetadata((("kind", "record"), ("year", "1867")))
    async with running(data) as service:
        file = SourceFile("births.txt", TEXT.encode(), id=DOCUMENT, metadata=metadata)
        read = service.assembly.ingestion.ingest([file], "default", ChosenExtractors((OlderReader(),)))
        async with aclosing(read) as events:
            assert [event async for event in events]
    async with running(data) as service:
        before = await service.get("/api/v1/documents", id=DOCUMENT)
        job = (await service.client.post("/api/v1/documents/reread", json={})).json()
        assert (await service.finished(job["id"]))["state"] == "done"
        after = await service.get("/api/v1/documents", id=DOCUMENT)
        assert after["metadata"] == before["metadata"] == {"kind": ["record"], "year": ["1867"]}
        assert (after["title"], after["source"]) == (before["title"], before["source"])
        answer = await service.ask(
            "Where was Marie Curie born?", documents=["births.txt"], where=["year=1867"]
        )
        assert answer["short_answer"]["text"] == "Warsaw"


async def test_what_is_up_to_date_is_not_read_again(old_folder: Running) -> None:
    await old_folder.finished(
        (await old_folder.client.post("/api/v1/documents/reread", json={})).json()["id"]
    )
    refused = await old_folder.client.post("/api/v1/documents/reread", json={})
    assert (refused.status_code, refused.headers["content-type"]) == (404, PROBLEM)
    assert "older version" in refused.json()["detail"]


async def test_an_older_folder_answers_and_holds_every_check(old_folder: Running) -> None:
    lineage = await old_folder.get("/api/v1/lineage", s=OLD[0], p=OLD[1], o=OLD[2])
    (source,) = lineage["sources"]
    assert source["text"] == "Marie Curie was born in Warsaw."
    assert source["extraction"]["extractor"] == "model-free"
    answer = await old_folder.client.post("/api/v1/graph-rag", json={"query": "Where was Marie Curie born?"})
    assert answer.status_code == 200


def test_only_the_version_of_today_is_current() -> None:
    today = Extractors()
    version = today.rules["propositions"]().version
    assert today.is_current("propositions", version)
    assert not today.is_current("propositions", "2+provgraph/english-1")
    assert not today.is_current("model-free", "2")
    assert today.is_current("agent", "2 prompt=abc temperature=0 output=2048")
    assert not today.is_current("agent", "1 prompt=abc temperature=0 output=2048")
