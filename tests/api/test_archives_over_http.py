"""A collection out and in as an archive: everything is there again, or nothing is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import Literal, NamedNode, Quad, Triple

from api.archives import archive_of, changed, dataset, parts_of, refused, take_in, zipped
from api.running import QUESTION, Running, running
from provgraph.ports.quad_store import QuadPattern
from provgraph.rdf.graphs import collection_graphs, retrieval_graph
from provgraph.rdf.iris import entity_iri
from provgraph.rdf.vocabulary import PROV, RDF, RDFS

OTHER = "Lise Meitner discovered protactinium in 1917 with Otto Hahn."


async def findings(service: Running, collection: str = "default") -> list[dict[str, Any]]:
    body = {"collection": collection, "everything": True}
    report = (await service.client.post("/api/v1/check", json=body)).json()
    found: list[dict[str, Any]] = report["findings"]
    return found


async def whole_store(service: Running) -> set[str]:
    """Every statement, and every file of the library with its bytes."""
    store = service.assembly.store
    quads = {str(quad) for graph in await store.graph_names() for quad in await _graph(service, graph)}
    library = service.assembly.folder.library
    return quads | {
        f"{path.relative_to(library)} {path.read_bytes()!r}" for path in library.rglob("*") if path.is_file()
    }


async def _graph(service: Running, graph: Any) -> list[Any]:
    (found,) = await service.assembly.store.match([QuadPattern(graph=graph)])
    return found


async def test_a_collection_taken_in_elsewhere_answers_opens_its_traces_and_is_sound(
    informed: Running, tmp_path: Path
) -> None:
    asked = await informed.ask()
    trace = await informed.get(f"/api/v1/traces/{asked['session']}")
    archive = await archive_of(informed)
    async with running(tmp_path / "elsewhere") as other:
        done = await take_in(other, archive)
        assert (done["collection"], done["documents"], done["sessions"]) == ("default", 1, 1)
        received = await other.get(f"/api/v1/traces/{asked['session']}")
        assert received["received"]
        assert received["receipt"]["sha256"]
        assert [edge["id"] for edge in received["selected"]] == [edge["id"] for edge in trace["selected"]]
        assert received["answer"] == trace["answer"]
        assert trace["answer"]["text"] == asked["response"]
        for source in trace["selected"][0]["sources"]:
            page = await other.client.get("/api/v1/documents/content", params={"id": source["page"]})
            assert page.text[source["start"] : source["end"]] == source["text"]
        assert await findings(other) == []
        assert dataset(await archive_of(other)) == dataset(archive)
        assert (await other.ask())["response"] == asked["response"]


async def test_taken_in_under_another_name_only_the_name_differs(informed: Running, tmp_path: Path) -> None:
    asked = await informed.ask()
    archive = await archive_of(informed)
    async with running(tmp_path / "elsewhere") as other:
        await take_in(other, archive, "papers")
        assert (await other.get(f"/api/v1/traces/{asked['session']}"))["collection"] == "papers"
        assert await findings(other, "papers") == []
        again = await archive_of(other, "papers")
        there, contents = dataset(again)
        here, same_contents = dataset(archive)
        assert contents == same_contents
        assert {str(quad).replace("collection:papers", "collection:default") for quad in there} - {
            str(quad) for quad in here
        } == {
            '<urn:trustgraph:collection:default> <http://www.w3.org/2000/01/rdf-schema#label> "papers" '
            "<urn:graph:source>"
        }
        assert await take_in(other, archive, "papers") == {
            "collection": "papers",
            "documents": 1,
            "sessions": 1,
            "statements": 0,
            "contents": 0,
        }
    async with running(tmp_path / "third") as third:
        await take_in(third, again, "default")
        assert dataset(await archive_of(third)) == dataset(archive)


async def test_an_archive_taken_in_twice_is_there_once(informed: Running, tmp_path: Path) -> None:
    await informed.ask()
    archive = await archive_of(informed)
    async with running(tmp_path / "elsewhere") as other:
        await take_in(other, archive)
        before = await whole_store(other)
        done = await take_in(other, archive)
        assert (done["statements"], done["contents"]) == (0, 0)
        assert await whole_store(other) == before


async def test_the_same_document_ingested_at_another_time_is_no_conflict(
    informed: Running, tmp_path: Path
) -> None:
    await informed.ask()
    archive = await archive_of(informed)
    async with running(tmp_path / "elsewhere") as other:
        await other.ingest(id="https://example.org/curie", title="The Curies")
        done = await take_in(other, archive)
        assert done["documents"] == 1
        assert await findings(other) == []
        assert len(await other.get("/api/v1/traces")) == 1


async def test_an_archive_of_an_older_version_which_quotes_labels_too_is_no_conflict(
    informed: Running, tmp_path: Path
) -> None:
    (quads,) = await informed.assembly.store.match([QuadPattern(predicate=RDF.reifies)])
    label = Triple(curie := entity_iri("Marie Curie"), RDFS.label, Literal("Marie Curie"))
    lineage = {"s": curie.value, "p": RDFS.label.value, "o": str(label.object)}
    (source,) = (await informed.get("/api/v1/lineage", **lineage))["sources"]
    quotation = next(quad.subject for quad in quads if str(quad.subject) == f"<{source['quotation']}>")
    line = f"{Quad(quotation, RDF.reifies, label, collection_graphs('default').source)} .\n".encode()
    older = with_statement(line)(await archive_of(informed))
    async with running(tmp_path / "elsewhere") as other:
        await other.ingest(id="https://example.org/curie", title="The Curies")
        assert (await take_in(other, older))["statements"] == 0
        await take_in(other, older, "beside")
        (received,) = (await other.get("/api/v1/lineage", collection="beside", **lineage))["sources"]
        assert (received["quotation"], received["text"]) == (source["quotation"], source["text"])
        body = {"collection": "beside", "everything": True, "extract_again": True}
        assert (await other.client.post("/api/v1/check", json=body)).json()["findings"] == []


async def test_documents_of_an_archive_go_beside_those_that_are_there(
    informed: Running, tmp_path: Path
) -> None:
    archive = await archive_of(informed)
    async with running(tmp_path / "elsewhere") as other:
        await other.ingest(OTHER, id="https://example.org/meitner")
        await take_in(other, archive)
        assert len(await other.get("/api/v1/documents")) == 2
        assert (await other.ask())["outcome"] == "answered"
        assert (await other.ask("Who discovered protactinium?"))["outcome"] == "answered"
        assert await findings(other) == []


@pytest.mark.parametrize(
    ("text", "title"),
    [("Marie Curie discovered radium.", "The Curies"), (None, "Another title")],
    ids=["other bytes", "another title"],
)
async def test_a_document_with_other_content_refuses_the_archive_whole(
    informed: Running, tmp_path: Path, text: str | None, title: str
) -> None:
    await informed.ask()
    archive = await archive_of(informed)
    async with running(tmp_path / "elsewhere") as other:
        fields = {"id": "https://example.org/curie", "title": title}
        await (other.ingest(text, **fields) if text else other.ingest(**fields))
        before = await whole_store(other)
        problem = await refused(other, archive)
        assert problem["status"] == 409
        assert "https://example.org/curie" in problem["detail"]
        assert "--collection" in problem["detail"]
        assert await whole_store(other) == before
        await take_in(other, archive, "beside")
        assert await findings(other, "beside") == []


async def test_an_archive_holds_its_own_sessions_and_no_others(informed: Running) -> None:
    await informed.ingest(OTHER, collection="physics")
    mine = await informed.ask()
    theirs = await informed.ask("Who discovered protactinium?", collection="physics")
    for collection, inside, outside in (("default", mine, theirs), ("physics", theirs, mine)):
        parts = parts_of(await archive_of(informed, collection))
        text = parts["graphs.nq"] + parts["library.jsonl"]
        assert inside["session"].rpartition(":")[2].encode() in text
        assert outside["session"].rpartition(":")[2].encode() not in text


async def test_a_page_that_only_a_trace_still_quotes_goes_with_the_trace(
    informed: Running, tmp_path: Path
) -> None:
    uuid = (await informed.ask())["session"].rpartition(":")[2]
    page = NamedNode("https://example.org/gone/version/00000000000000000000000000000000/page/1")
    quoting = NamedNode(f"urn:trustgraph:prov:past:{uuid}:1")
    graph = retrieval_graph()
    await informed.assembly.store.add([Quad(quoting, PROV.was_quoted_from, page, graph)])
    await informed.assembly.library.keep("default", page, b"as it stood")
    archive = await archive_of(informed)
    async with running(tmp_path / "elsewhere") as other:
        await take_in(other, archive, "papers")
        assert await other.assembly.library.text("papers", page) == "as it stood"
        assert dataset(await archive_of(other, "papers"))[1] == dataset(archive)[1]


def cut(archive: bytes) -> bytes:
    return archive[: len(archive) // 2]


def flipped(archive: bytes) -> bytes:
    """One bit of the statements' packed bytes is another."""
    at = archive.index(b"graphs.nq") + 100
    return archive[:at] + bytes([archive[at] ^ 1]) + archive[at + 1 :]


def unvouched(archive: bytes) -> bytes:
    parts = parts_of(archive)
    parts["graphs.nq"] = parts["graphs.nq"].replace(b"Marie Curie", b"Pierre Curie")
    return zipped(parts)


def with_a_path(name: str) -> Any:
    return lambda archive: changed(archive, lambda parts: parts.update({name: b"x"}))


def with_statement(line: bytes) -> Any:
    return lambda archive: changed(
        archive, lambda parts: parts.update({"graphs.nq": parts["graphs.nq"] + line})
    )


def unlisted(archive: bytes) -> bytes:
    return zipped({"extra": b"x", **parts_of(archive)})


@pytest.mark.parametrize(
    ("spoil", "word"),
    [
        (lambda _: b"", "not a ZIP file"),
        (lambda _: b"PK\x03\x04 and nothing more", "not a ZIP file"),
        (lambda _: zipped({"notes.txt": b"x"}), "manifest.json"),
        (cut, "its end is missing"),
        (flipped, "damaged"),
        (unvouched, "damaged"),
        (unlisted, "does not list"),
        (with_a_path("../outside"), "not the name of a part"),
        (with_a_path("/etc/passwd"), "not the name of a part"),
        (with_a_path("a/../../outside"), "not the name of a part"),
        (with_a_path("a\\..\\outside"), "not the name of a part"),
        (lambda archive: changed(archive, dict.copy, version=2), "newer version"),
        (lambda archive: changed(archive, dict.copy, kind="backup"), "provgraph restore"),
        (lambda archive: changed(archive, lambda parts: parts.pop("graphs.nq")), "missing"),
        (with_statement(b"<urn:a> <urn:b> <urn:c> <urn:graph:elsewhere> .\n"), "belongs to no collection"),
        (with_statement(b"<urn:a> <urn:b> <urn:c> .\n"), "belongs to no collection"),
        (with_statement(b"<urn:a> <urn:b> <urn:c> <urn:graph:retrieval> .\n"), "belongs to no collection"),
        (with_statement(b"no statement\n"), "cannot be read"),
        (
            lambda archive: changed(
                archive,
                lambda parts: parts.update(
                    {"library.jsonl": parts["library.jsonl"].replace(b"/page/1", b"/passed-check")}
                ),
            ),
            "does not describe",
        ),
        (lambda archive: zipped(parts_of(archive), 14), "packed in another way"),
    ],
)
async def test_a_hostile_or_damaged_archive_is_refused_and_leaves_nothing(
    informed: Running, tmp_path: Path, spoil: Any, word: str
) -> None:
    await informed.ask()
    archive = spoil(await archive_of(informed))
    async with running(tmp_path / "elsewhere") as other:
        before = await whole_store(other)
        problem = await refused(other, archive)
        assert problem["status"] == 422
        assert word in problem["detail"]
        assert await whole_store(other) == before
        assert list(other.assembly.folder.workspace.iterdir()) == []
    assert not (tmp_path / "outside").exists()


async def test_a_bomb_is_refused_before_it_is_unpacked(informed: Running, tmp_path: Path) -> None:
    bomb = changed(await archive_of(informed), lambda parts: parts.update({"zeros": bytes(30_000_000)}))
    assert len(bomb) < 1_000_000
    async with running(tmp_path / "elsewhere", max_archive_mb=20) as other:
        problem = await refused(other, bomb)
        assert problem["status"] == 413
        assert "PROVGRAPH_MAX_ARCHIVE_MB" in problem["detail"]


async def test_blank_nodes_of_an_archive_get_names(informed: Running, tmp_path: Path) -> None:
    facts = b'_:b1 <http://www.w3.org/2000/01/rdf-schema#label> "Nobody" <urn:graph:knowledge> .\n'
    archive = with_statement(facts)(await archive_of(informed))
    async with running(tmp_path / "elsewhere") as other:
        await take_in(other, archive)
        await take_in(other, archive)
        named = [line for line in await whole_store(other) if "Nobody" in line]
        assert len(named) == 1
        assert named[0].startswith("<urn:trustgraph:blank:")


async def test_a_collection_of_no_name_and_that_of_the_traces_are_refused(informed: Running) -> None:
    archive = await archive_of(informed)
    assert (await refused(informed, archive, "explainability"))["status"] == 409
    assert (await refused(informed, archive, "no/name"))["status"] == 400
    missing = await informed.client.get("/api/v1/archive", params={"collection": "nowhere"})
    assert missing.status_code == 404


async def test_questions_are_answered_as_they_were_after_a_refusal(informed: Running) -> None:
    await refused(informed, b"nothing")
    assert (await informed.ask(QUESTION))["outcome"] == "answered"
