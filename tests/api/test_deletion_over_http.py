"""Documents taken back over HTTP: what goes, what stays, what old answers say of it, and what is left on disk."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Final

import pytest

from api.running import Running, running
from provgraph.flows.graph_rag.flow import GraphQuestion
from provgraph.flows.runner.events import Explained
from provgraph.ingestion.removal.deletion import Erasure
from provgraph.wire.documents import CompactProgress

DOC: Final = "https://example.org/zebra"
MARKER: Final = "Zorbulon"
TEXT: Final = f"{MARKER} discovered plimsolite in 1898. Marie Curie was born in Warsaw."
QUESTION: Final = f"What did {MARKER} discover?"


async def learn(service: Running, text: str, id: str = DOC) -> dict[str, Any]:
    job = await service.ingest(text=text, id=id, title="Minerals")
    assert job["state"] == "done"
    assert not job["refused"]
    document: dict[str, Any] = job["documents"][0]
    return document


async def delete(service: Running, id: str = DOC, **query: str) -> dict[str, Any]:
    answer = await service.client.delete("/api/v1/documents", params={"id": id, **query})
    assert answer.status_code == 200, answer.text
    report: dict[str, Any] = answer.json()
    return report


async def select(service: Running, query: str) -> list[dict[str, str]]:
    rows = (await service.get("/sparql", query=query))["results"]["bindings"]
    return [{name: cell["value"] for name, cell in row.items()} for row in rows]


async def findings(service: Running) -> list[dict[str, Any]]:
    sent = await service.events("POST", "/api/v1/check", {"collection": "default", "everything": True})
    return [each.data for each in sent if each.event == "finding"]


def files_with(folder: Path, words: str) -> list[str]:
    wanted = words.encode()
    files = [path for path in folder.rglob("*") if path.is_file()]
    return sorted(str(path.relative_to(folder)) for path in files if wanted in path.read_bytes())


async def test_a_dry_run_tells_what_a_deletion_then_does(service: Running) -> None:
    await learn(service, TEXT)
    planned = await delete(service, dry_run="true")
    assert (await service.get("/api/v1/documents"))[0]["id"] == DOC
    done = await delete(service, by="ada")
    told = (
        "document",
        "pages",
        "chunks",
        "subgraphs",
        "facts_removed",
        "facts_kept",
        "entities_removed",
        "stale",
    )
    assert {name: planned[name] for name in told} == {name: done[name] for name in told}
    assert (planned["deletion"], planned["dry_run"]) == (None, True)
    (row,) = await select(
        service,
        "SELECT ?deletion ?document ?facts ?who { ?deletion a tg:Deletion ; tg:changedDocument ?document ; "
        "tg:removedFacts ?facts ; prov:wasAssociatedWith/rdfs:label ?who }",
    )
    assert row == {
        "deletion": done["deletion"],
        "document": DOC,
        "facts": str(done["facts_removed"]),
        "who": "ada",
    }
    assert await service.get("/api/v1/documents") == []


async def test_a_fact_read_twice_survives_the_deletion_of_one_document(service: Running) -> None:
    await learn(service, TEXT)
    await learn(service, f"Once more: {TEXT}", id="https://example.org/other")
    report = await delete(service)
    assert report["facts_kept"] > 0
    answer = await service.ask(QUESTION)
    sources = [source for sentence in answer["citations"] for source in sentence["sources"]]
    assert {source["document"] for source in sources} == {"https://example.org/other"}
    assert await findings(service) == []


async def test_an_answer_that_stood_on_a_deleted_document_says_so_and_why(service: Running) -> None:
    await learn(service, TEXT)
    answer = await service.ask(QUESTION)
    report = await delete(service)
    assert [report["stale"]] == [[answer["session"].rpartition(":")[2]]]
    (row,) = await select(
        service,
        "SELECT DISTINCT ?why ?deletion ?lost { ?answer tg:staleBecause ?why ; prov:wasInvalidatedBy ?deletion ; "
        "prov:invalidatedAtTime ?at . ?edge tg:evidenceLostIn ?lost }",
    )
    assert DOC in row["why"]
    assert row["deletion"] == row["lost"] == report["deletion"]
    assert await findings(service) == []


async def test_an_answer_that_stood_on_other_documents_is_not_stale(service: Running) -> None:
    await learn(service, TEXT)
    await learn(service, "Otters eat fish.", id="https://example.org/otters")
    await service.ask(QUESTION)
    assert (await delete(service, id="https://example.org/otters"))["stale"] == []


async def test_what_was_read_after_an_answer_was_given_is_nothing_that_it_stood_on(service: Running) -> None:
    await learn(service, TEXT)
    await service.ask(QUESTION)
    await learn(service, f"Once more: {TEXT}", id="https://example.org/later")
    assert (await delete(service, id="https://example.org/later"))["stale"] == []


async def test_a_document_that_is_not_there_is_told_as_such(service: Running) -> None:
    answer = await service.client.delete("/api/v1/documents", params={"id": DOC})
    assert answer.status_code == 404
    assert "provgraph documents" in answer.json()["detail"]


async def test_of_two_deletions_at_once_one_finds_the_document(service: Running) -> None:
    await learn(service, TEXT)
    answers = await asyncio.gather(
        *(service.client.delete("/api/v1/documents", params={"id": DOC}) for _ in range(2))
    )
    assert sorted(answer.status_code for answer in answers) == [200, 404]
    assert len(await select(service, "SELECT ?d { ?d a tg:Deletion }")) == 1


async def test_the_words_of_an_older_version_that_an_answer_cites_can_still_be_opened(
    service: Running,
) -> None:
    await learn(service, TEXT)
    answer = await service.ask(QUESTION)
    cited = answer["citations"][0]["sources"][0]
    changed = TEXT.replace("1898", "1899")
    document = await learn(service, changed)
    assert document["changes"] == {"kept": 0, "changed": 1, "added": 0, "removed": 0}
    (row,) = await select(
        service,
        "SELECT DISTINCT ?text ?page ?offset ?why { ?past tg:sourceText ?text ; "
        "tg:quotedFor ?edge ; prov:wasQuotedFrom ?page ; tg:sourceCharOffset ?offset . ?answer tg:staleBecause ?why }",
    )
    assert (row["text"], row["page"]) == (cited["text"], cited["page"])
    page = await service.client.get("/api/v1/documents/content", params={"id": row["page"]})
    assert page.text == TEXT
    assert "revised" in row["why"]
    assert await findings(service) == []
    await delete(service)
    assert await select(service, "SELECT ?past { ?past a tg:PastQuotation }") == []
    page = await service.client.get("/api/v1/documents/content", params={"id": row["page"]})
    assert page.status_code == 404


async def test_a_revision_that_leaves_the_words_of_an_answer_leaves_the_answer(service: Running) -> None:
    await learn(service, TEXT)
    await service.ask(QUESTION)
    await learn(service, f"A word before it all. {TEXT}")
    assert await select(service, "SELECT ?why { ?answer tg:staleBecause ?why }") == []
    content = await service.client.get("/api/v1/documents/content", params={"id": DOC})
    assert content.text == f"A word before it all. {TEXT}"
    assert await findings(service) == []


@pytest.mark.parametrize("asked", [True, False])
async def test_after_an_erasure_nothing_of_the_content_is_left_on_disk(
    service: Running, tmp_path: Path, *, asked: bool
) -> None:
    await learn(service, TEXT)
    await learn(service, "Marie Curie was born in Warsaw. Otters eat fish.", id="https://example.org/other")
    if asked:
        await service.ask("Who discovered plimsolite?")
        await service.ask("Who was born in Warsaw?")
    await select(service, "SELECT ?s { ?s ?p ?o } LIMIT 1")  # so that there is a copy for queries
    data = tmp_path / "empty"
    assert any(name.startswith("store/") for name in files_with(data, MARKER))
    report = await delete(service, redact="true", erase="true")
    assert report["erased"]
    assert files_with(data, MARKER) == []
    assert files_with(data, MARKER.casefold()) == []
    assert await findings(service) == []
    assert "fish" in (await service.ask("What do otters eat?"))["response"]


async def test_after_an_erasure_nothing_of_the_content_is_left_among_the_vectors_and_the_others_stay(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    async with running(data) as service:
        await learn(service, TEXT)
        await learn(service, "Otters eat fish. Seals eat squid.", id="https://example.org/other")
        vectors = {"query": QUESTION, "method": "vector"}
        found = await service.client.post("/api/v1/retrieve", json=vectors)
        assert found.status_code == 200, found.text
        assert any(name.startswith("vectors/") for name in files_with(data, DOC))
        archive = await service.client.get("/api/v1/archive")
        imported = await service.client.post("/api/v1/archive", content=archive.content)
        assert imported.status_code == 200, imported.text
        await delete(service, redact="true", erase="true")
        for words in (MARKER, MARKER.casefold()):
            assert files_with(data, words) == []
        assert [name for name in files_with(data, DOC) if not name.startswith("store/")] == []
        found = await service.client.post("/api/v1/retrieve", json={**vectors, "query": "otter fish"})
        assert found.json()["chunks"][0]["document"] == "https://example.org/other"


async def test_an_erasure_without_a_redaction_is_refused(service: Running) -> None:
    await learn(service, TEXT)
    answer = await service.client.delete("/api/v1/documents", params={"id": DOC, "erase": "true"})
    assert answer.status_code == 400
    assert (await service.get("/api/v1/documents"))[0]["id"] == DOC


async def test_what_was_deleted_before_is_gone_from_the_files_after_a_compaction(
    service: Running, tmp_path: Path
) -> None:
    await learn(service, TEXT)
    await delete(service)
    assert files_with(tmp_path / "empty", MARKER)
    answer = await service.client.post("/api/v1/compact")
    assert answer.status_code == 200
    assert files_with(tmp_path / "empty", MARKER) == []


async def test_a_compaction_tells_what_it_writes_anew(service: Running, tmp_path: Path) -> None:
    await learn(service, TEXT)
    await delete(service)
    told = await service.events("POST", "/api/v1/compact")
    assert [sent.event for sent in told] == ["progress"] * (len(told) - 1) + ["compacted"]
    steps = [(sent.data["part"], sent.data["done"]) for sent in told[:-1]]
    assert steps[:2] == [("store", 0), ("indexes of default", 1)]
    assert {sent.data["total"] for sent in told[:-1]} == {len(steps)}
    assert told[-1].data["after"] > 0
    assert files_with(tmp_path / "empty", MARKER) == []


async def test_a_compaction_that_is_broken_off_leaves_a_sound_folder_and_can_be_done_again(
    service: Running, tmp_path: Path
) -> None:
    await learn(service, TEXT)
    await learn(service, "Otters eat fish.", id="https://example.org/otters")
    await delete(service)
    made = service.assembly
    outbox = made.ingestion.outbox
    erasure = Erasure(made.store, made.collections, made.retriever, outbox, (), made.folder.size)
    steps = erasure.steps()
    assert await anext(steps) == CompactProgress(part="store", done=0, total=2)
    writing = asyncio.ensure_future(anext(steps))
    await asyncio.sleep(0)
    writing.cancel()
    await asyncio.wait([writing])
    assert writing.cancelled()
    assert len(await service.get("/api/v1/documents")) == 1
    assert await findings(service) == []
    await erasure.compact()
    assert files_with(tmp_path / "empty", MARKER) == []


async def test_a_deleted_document_can_be_ingested_again(service: Running, tmp_path: Path) -> None:
    before = await learn(service, TEXT)
    await delete(service)
    assert await learn(service, TEXT) == before
    assert (await service.ask(QUESTION))["citations"]
    assert await findings(service) == []


async def test_a_folder_that_was_compacted_opens_again(tmp_path: Path) -> None:
    async with running(tmp_path / "data") as service:
        await learn(service, TEXT)
        await service.client.post("/api/v1/compact")
        await learn(service, "Otters eat fish.", id="https://example.org/otters")
    async with running(tmp_path / "data") as service:
        assert len(await service.get("/api/v1/documents")) == 2
        assert await findings(service) == []


async def test_a_question_whose_document_is_deleted_while_it_is_answered_marks_its_own_answer(
    service: Running,
) -> None:
    await learn(service, TEXT)
    async for event in service.assembly.flows.graph_rag.answer(GraphQuestion(QUESTION)):
        if isinstance(event, Explained) and "selection" in event.entity.value:
            await delete(service)
    (row,) = await select(
        service,
        "SELECT DISTINCT ?why ?kind { ?answer tg:staleBecause ?why ; prov:wasInvalidatedBy/a ?kind "
        "FILTER(?kind != prov:Activity) }",
    )
    assert (DOC in row["why"], row["kind"]) == (True, "https://trustgraph.ai/ns/Deletion")
    assert await findings(service) == []
