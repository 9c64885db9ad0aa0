"""RDF out and in: an export restored elsewhere is the same; other RDF becomes facts that can be proved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import Quad, RdfFormat, parse

from api.archives import without_receipts
from api.running import QUESTION, Running, running

TURTLE = b"""
@prefix ex: <https://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

ex:meitner rdfs:label "Lise Meitner" ; ex:discovered ex:protactinium ; ex:born "1878-11-07"^^xsd:date ;
    ex:mass 1.50 ; ex:name "Lise"@de ; ex:bornIn [ rdfs:label "Vienna" ; ex:partOf [ rdfs:label "Austria" ] ] .
ex:discovered rdfs:label "discovered" .
ex:protactinium rdfs:label "protactinium" .
_:hahn rdfs:label "Otto Hahn" ; ex:discovered ex:protactinium .
ex:meitner ex:owned [ ex:colour "red" ] .
ex:book ex:says <<( ex:meitner ex:discovered ex:protactinium )>> .
"""


async def import_file(service: Running, name: str, content: bytes, **fields: str) -> dict[str, Any]:
    answer = await service.client.post("/api/v1/import", data=fields, files={"file": (name, content)})
    assert answer.status_code == 201, answer.text
    done: dict[str, Any] = answer.json()
    return done


async def exported(service: Running, collection: str = "default", style: str = "nquads") -> set[Quad]:
    params = {"collection": collection, "format": style}
    answer = await service.client.get("/api/v1/export", params=params)
    rdf_format = RdfFormat.N_QUADS if style == "nquads" else RdfFormat.TRIG
    assert answer.headers["content-type"].startswith(rdf_format.media_type)
    return set(parse(answer.content, format=rdf_format))


async def checked(service: Running, collection: str = "default") -> list[dict[str, Any]]:
    body = {"collection": collection, "everything": True}
    report = (await service.client.post("/api/v1/check", json=body)).json()
    assert report["summary"]["units"] > 0
    findings: list[dict[str, Any]] = report["findings"]
    return findings


@pytest.mark.parametrize("style", ["nquads", "trig"])
async def test_an_export_restored_elsewhere_is_the_same(
    informed: Running, tmp_path: Path, style: str
) -> None:
    """But for the texts of pages, which RDF does not hold: facts answer in the words of their sentences, and nothing
    is derived from passages. A backup has all of it.
    """
    asked = await informed.ask()
    content = (await informed.client.get("/api/v1/export", params={"format": style})).content
    name = "all.nq" if style == "nquads" else "all.trig"
    async with running(tmp_path / "other") as other:
        done = await import_file(other, name, content)
        assert done["facts"] == 0
        theirs = without_receipts(await exported(other))
        assert theirs == await exported(informed)
        assert done["restored"] == len(theirs)
        await import_file(other, name, content)
        assert without_receipts(await exported(other)) == await exported(informed)
        answer = await other.ask()
        assert asked["short_answer"]["text"] == "Marie Curie"
        assert answer["short_answer"] is None
        assert answer["response"].startswith(asked["response"])
        assert answer["citations"][0]["sources"] == asked["citations"][0]["sources"]


async def test_an_export_goes_into_another_collection(informed: Running) -> None:
    asked = await informed.ask()
    content = (await informed.client.get("/api/v1/export")).content
    await import_file(informed, "all.nq", content, collection="copy")
    answer = await informed.ask(collection="copy")
    assert answer["outcome"] == "answered"
    assert (await informed.get(f"/api/v1/traces/{asked['session']}"))["collection"] == "default"
    facts = {
        quad.triple for quad in await exported(informed) if str(quad.graph_name) == "<urn:graph:knowledge>"
    }
    copied = {
        quad.triple for quad in await exported(informed, "copy") if "knowledge:copy" in str(quad.graph_name)
    }
    assert facts == copied
    assert await checked(informed) == []
    collections = [entry["collection"] for entry in await informed.get("/api/v1/collections")]
    assert collections == ["copy", "default"]


async def test_the_two_formats_of_an_export_hold_the_same(informed: Running) -> None:
    await informed.ask()
    assert await exported(informed) == await exported(informed, style="trig")


async def test_the_traces_of_other_collections_are_not_exported(informed: Running) -> None:
    await informed.ingest("Lise Meitner discovered protactinium.", collection="physics")
    mine = await informed.ask()
    theirs = await informed.ask(collection="physics")
    for collection, inside, outside in (("default", mine, theirs), ("physics", theirs, mine)):
        text = "\n".join(map(str, await exported(informed, collection)))
        assert inside["session"].rpartition(":")[2] in text
        assert outside["session"].rpartition(":")[2] not in text


async def test_foreign_facts_answer_with_the_words_they_stand_in(service: Running) -> None:
    done = await import_file(service, "meitner.ttl", TURTLE)
    assert done == {"restored": 0, "facts": 16, "left_out": 0}
    answer = await service.ask("Who discovered protactinium?")
    assert answer["outcome"] == "answered"
    short = answer["short_answer"]["text"]
    assert short in ("Lise Meitner", "Otto Hahn")
    assert answer["response"] == f"{short} discovered protactinium."
    trace = await service.get(f"/api/v1/traces/{answer['session']}")
    kept = {edge["subject"] for edge in (*trace["selected"], *trace["passed_over"])}
    assert {"Lise Meitner", "Otto Hahn"} <= kept
    for citation in answer["citations"]:
        for source in citation["sources"]:
            page = await service.client.get("/api/v1/documents/content", params={"id": source["page"]})
            assert page.text[source["start"] : source["end"]] == source["text"]
            chunk = await service.client.get("/api/v1/documents/content", params={"id": source["chunk"]})
            assert source["text"] in chunk.text


async def test_foreign_facts_are_sound(service: Running) -> None:
    await import_file(service, "meitner.ttl", TURTLE)
    await service.ask("Who discovered protactinium?")
    assert await checked(service) == []


async def test_foreign_facts_imported_twice_are_there_once(service: Running) -> None:
    await import_file(service, "meitner.ttl", TURTLE)
    before = await exported(service)
    await import_file(service, "meitner.ttl", TURTLE)
    assert await exported(service) == before


async def test_no_blank_node_is_stored(service: Running) -> None:
    await import_file(service, "meitner.ttl", TURTLE)
    assert not [quad for quad in await exported(service) if "_:" in str(quad)]


@pytest.mark.slow
async def test_a_large_file_of_facts_has_exact_sources(service: Running) -> None:
    lines = [f'<urn:person:{n}> <urn:knows> "person {n}\\n of many, 폴로늄" .' for n in range(300)]
    await import_file(service, "many.nt", "\n".join(lines).encode())
    assert await checked(service) == []
    (document,) = await service.get("/api/v1/documents")
    assert document["title"] == "many"


async def test_an_export_that_was_restored_is_sound(informed: Running, tmp_path: Path) -> None:
    await informed.ask(QUESTION)
    content = (await informed.client.get("/api/v1/export")).content
    async with running(tmp_path / "other") as other:
        await import_file(other, "all.nq", content)
        assert {finding["rule"] for finding in await checked(other)} <= {"text"}


@pytest.mark.parametrize(
    ("name", "content", "status"),
    [
        ("facts.txt", TURTLE, 415),
        ("facts", TURTLE, 415),
        ("facts.ttl", b"<urn:a> <urn:b> .", 422),
        ("facts.ttl", b"\xff\xfe", 422),
        ("facts.nq", b"<urn:a> <urn:b> <urn:c> <urn:d> <urn:e> .", 422),
        ("facts.ttl", b"# nothing", 422),
        ("facts.jsonld", b"{", 422),
        ("facts.rdf", b"<rdf", 422),
    ],
)
async def test_a_file_that_is_no_rdf_leaves_nothing(
    service: Running, name: str, content: bytes, status: int
) -> None:
    answer = await service.client.post("/api/v1/import", files={"file": (name, content)})
    assert answer.status_code == status
    assert name in answer.json()["detail"]
    assert await exported(service) == set()


async def test_several_files_at_once_are_refused(service: Running) -> None:
    files = [("file", ("a.ttl", TURTLE)), ("file", ("b.ttl", TURTLE))]
    answer = await service.client.post("/api/v1/import", files=files)
    assert answer.status_code == 400
    assert "one" in answer.json()["detail"]
