"""What somebody with an account, or with the disk, could write to make a service say what nobody read: refused, marked
as received, or found by a check."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import RdfFormat, parse

from api.running import Running, running

pytestmark = pytest.mark.slow

FACT = {"s": "Paul Villard", "p": "discovered", "o": "polonium"}
PREFIXES = {
    "prov": "http://www.w3.org/ns/prov#",
    "tg": "https://trustgraph.ai/ns/",
    "e": "http://trustgraph.ai/e/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "dc": "http://purl.org/dc/elements/1.1/",
}


def trig(source: str, knowledge: str = "", retrieval: str = "") -> bytes:
    prefixes = "".join(f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in PREFIXES.items())
    graphs = {"source": source, "knowledge": knowledge, "retrieval": retrieval}
    return (
        prefixes + "".join(f"<urn:graph:{name}> {{ {said} }}\n" for name, said in graphs.items())
    ).encode()


KNOWLEDGE = """e:paul%20villard e:discovered e:polonium ; rdfs:label "Paul Villard" .
    e:discovered rdfs:label "discovered" . e:polonium rdfs:label "polonium" ."""


def made_up_subgraph(chunk: str, page: str, text: str) -> str:
    """A subgraph of the extractor by rules, with a quotation of words that stand in the page."""
    return f"""<https://trustgraph.ai/subgraph/f00d> a prov:Entity , tg:Subgraph ;
        tg:contains <<( e:paul%20villard e:discovered e:polonium )>> ,
            <<( e:paul%20villard rdfs:label "Paul Villard" )>> , <<( e:discovered rdfs:label "discovered" )>> ,
            <<( e:polonium rdfs:label "polonium" )>> ;
        prov:wasDerivedFrom <{chunk}> ; prov:wasGeneratedBy <https://trustgraph.ai/subgraph/f00d/extraction> .
    <https://trustgraph.ai/subgraph/f00d/extraction> a prov:Activity ; rdfs:label "Extract facts" ;
        prov:used <{chunk}> ; prov:wasAssociatedWith <urn:trustgraph:agent:pattern> ; tg:componentVersion "9" ;
        prov:startedAtTime "2026-01-02T03:04:05Z"^^xsd:dateTime .
    <urn:trustgraph:agent:pattern> a prov:Agent ; rdfs:label "ProvGraph pattern extractor" .
    <https://trustgraph.ai/subgraph/f00d/quotation/0> a prov:Entity , tg:Quotation ;
        tg:inSubgraph <https://trustgraph.ai/subgraph/f00d> ; prov:wasQuotedFrom <{page}> ; tg:confidence 0.99 ;
        tg:sourceText "{text}" ; tg:sourceCharOffset 0 ; tg:sourceCharLength {len(text)} ;
        rdf:reifies <<( e:paul%20villard e:discovered e:polonium )>> ."""


async def sent(service: Running, content: bytes, name: str = "forged.trig") -> Any:
    return await service.client.post("/api/v1/import", files={"file": (name, content)})


async def lineage(service: Running) -> dict[str, Any]:
    found: dict[str, Any] = (await service.client.get("/api/v1/lineage", params=FACT)).json()
    return found


async def a_source(service: Running) -> dict[str, Any]:
    """A sentence that was read here."""
    found = await service.get("/api/v1/lineage", s="polonium", p="was discovered by", o="Marie Curie")
    source: dict[str, Any] = found["sources"][0]
    return source


async def rules(service: Running) -> set[str]:
    report = (await service.client.post("/api/v1/check", json={"everything": True})).json()
    return {finding["rule"] for finding in report["findings"]}


async def test_a_fact_is_not_slipped_into_a_document_that_was_read_here(informed: Running) -> None:
    place = await a_source(informed)
    forged = made_up_subgraph(place["chunk"], place["page"], "Marie Curie discovered polonium in 1898.")
    refused = await sent(informed, trig(forged, KNOWLEDGE))
    assert refused.status_code == 409
    assert "https://example.org/curie" in refused.json()["detail"]
    assert not (await lineage(informed)).get("sources")


async def test_words_are_not_added_to_a_node_that_was_read_here(informed: Running) -> None:
    place = await a_source(informed)
    refused = await sent(informed, trig(f"<{place['quotation']}> tg:confidence 1.0 ."))
    assert refused.status_code == 409
    refused = await sent(
        informed, trig(f"<urn:x> a prov:Entity ; prov:wasDerivedFrom <{place['subgraph']}> .")
    )
    assert refused.status_code == 409
    assert await rules(informed) == set()


async def test_what_a_whole_made_up_document_says_is_marked_as_received(service: Running) -> None:
    text = "Paul Villard discovered polonium."
    doc = "https://example.org/villard"
    version, page, chunk = f"{doc}/version/ab", f"{doc}/version/ab/page/1", f"{doc}/chunk/cd-0"
    document = f"""<{doc}> a prov:Entity , tg:Document ; rdfs:label "Villard" ; dc:title "Villard" ; tg:pageCount 1 .
        <{version}> a prov:Entity , tg:DocumentVersion ; prov:specializationOf <{doc}> ; tg:contentHash "ab" .
        <{page}> a prov:Entity , tg:Page ; prov:wasDerivedFrom <{doc}> ; tg:pageNumber 1 ;
            tg:documentVersion <{version}> .
        <{chunk}> a prov:Entity , tg:Chunk ; prov:wasDerivedFrom <{page}> ; tg:chunkIndex 0 ; tg:charOffset 0 ;
            tg:charLength {len(text)} .\n"""
    content = trig(document + made_up_subgraph(chunk, page, text), KNOWLEDGE)
    taken = await sent(service, content)
    assert taken.status_code == 201, taken.text
    (source,) = (await lineage(service))["sources"]
    received = source["extraction"]["received"]
    assert (received["file"], received["by"]) == ("forged.trig", "rdf-import")
    assert received["sha256"] == hashlib.sha256(content).hexdigest()
    gone = await service.client.delete("/api/v1/documents", params={"id": doc})
    assert gone.status_code == 200
    left = (await service.client.get("/api/v1/export")).text
    assert "receipt" not in left


async def test_a_bare_fact_in_the_knowledge_graph_gets_the_file_as_its_source(informed: Running) -> None:
    taken = await sent(informed, trig("", KNOWLEDGE))
    assert taken.json()["restored"] == 0
    (source,) = (await lineage(informed))["sources"]
    assert source["extraction"]["extractor"] == "rdf-import"
    assert await rules(informed) == set()


@pytest.mark.parametrize("is_typed", [False, True])
async def test_a_past_session_gets_no_edge_more(informed: Running, is_typed: bool) -> None:
    asked = await informed.ask()
    uuid = asked["session"].rpartition(":")[2]
    before = await informed.get(f"/api/v1/traces/{uuid}")
    edge = f"""<urn:trustgraph:prov:selection:{uuid}> tg:selectedEdge <urn:trustgraph:prov:edge:{uuid}:99> .
        <urn:trustgraph:prov:edge:{uuid}:99> a prov:Entity , tg:EdgeSelection ; tg:score 0.99 ; tg:reasoning "So." ;
            tg:edge <<( e:paul%20villard e:discovered e:polonium )>> .
        <urn:elsewhere> a prov:Entity ; tg:sentenceOf <urn:trustgraph:prov:answer:{uuid}> ."""
    typed = f"<urn:trustgraph:session:{uuid}> a tg:Session ." if is_typed else ""
    taken = await sent(informed, trig("", retrieval=edge + typed))
    assert taken.status_code == 201
    assert taken.json()["restored"] <= 2
    assert await informed.get(f"/api/v1/traces/{uuid}") == before
    assert (await rules(informed)) <= {"text"}


async def test_a_changed_archive_stays_marked_as_received(informed: Running, tmp_path: Path) -> None:
    """Its hashes prove only that it is whole: whoever changes it can compute them again."""
    await informed.ask()
    archive = (await informed.client.get("/api/v1/archive")).content
    async with running(tmp_path / "other") as other:
        answer = await other.client.post("/api/v1/archive", content=forged_archive(archive, tmp_path))
        assert answer.status_code == 200, answer.text
        (session,) = await other.get("/api/v1/traces")
        assert session["received"]
        trace = await other.get(f"/api/v1/traces/{session['session']}")
        assert trace["query"] == "Who discovered plutonium?"
        assert trace["receipt"]["by"] == "archive-import-of-traces"
        assert trace["receipt"]["file"].startswith("archive of default, made ")
        found = await other.get("/api/v1/lineage", s="polonium", p="was discovered by", o="Marie Curie")
        assert all(source["extraction"]["received"] for source in found["sources"])
        assert "bytes" in await rules(other)
        again = (await other.client.get("/api/v1/archive")).content
    async with running(tmp_path / "third") as third:
        await third.client.post("/api/v1/archive", content=again)
        (session,) = await third.get("/api/v1/traces")
        assert session["received"]


def forged_archive(content: bytes, folder: Path) -> bytes:
    """The question and the answer in it changed, and all hashes made anew."""
    (folder / "true.zip").write_bytes(content)
    with zipfile.ZipFile(folder / "true.zip") as true:
        parts = {name: true.read(name) for name in true.namelist()}
    graphs = parts["graphs.nq"].replace(b"Who discovered polonium?", b"Who discovered plutonium?")
    parts["graphs.nq"] = graphs
    kept = [json.loads(line) for line in parts["library.jsonl"].splitlines()]
    file = next(each["file"] for each in kept if ":answer:" in each["iri"])
    parts[file] = b"Paul Villard discovered it in 1900."
    manifest = json.loads(parts.pop("manifest.json"))
    lines = [json.loads(line) for line in parts.pop("parts.jsonl").splitlines()]
    for line in lines:
        line["sha256"] = hashlib.sha256(parts[line["name"]]).hexdigest()
        line["size"] = len(parts[line["name"]])
    listed = b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines)
    manifest["parts_sha256"] = hashlib.sha256(listed).hexdigest()
    with zipfile.ZipFile(folder / "forged.zip", "w") as forged:
        for name, part in {
            **parts,
            "parts.jsonl": listed,
            "manifest.json": json.dumps(manifest).encode(),
        }.items():
            forged.writestr(name, part)
    return (folder / "forged.zip").read_bytes()


def kept_file(data: Path, content: bytes) -> Path:
    """The file that holds least beside it: a document may say what an answer says."""
    files = (
        file for file in (data / "library").rglob("*") if file.is_file() and content in file.read_bytes()
    )
    return min(files, key=lambda file: file.stat().st_size)


async def test_replaced_bytes_and_an_edited_answer_are_found(informed: Running, data: Path) -> None:
    answer = await informed.ask()
    assert await rules(informed) == set()
    text = kept_file(data, answer["response"].encode())
    text.write_text("Paul Villard did.")
    assert await rules(informed) == {"bytes"}
    text.write_text(answer["response"])
    assert await rules(informed) == set()
    for file in (data / "library").rglob("*"):
        if file.is_file() and file.read_bytes().startswith(b"Marie Curie discovered polonium in 1898."):
            file.write_bytes(file.read_bytes() + b" ")
    assert await rules(informed) == {"bytes"}


async def extracted_again(service: Running) -> list[str]:
    body = {"everything": True, "extract_again": True}
    report = (await service.client.post("/api/v1/check", json=body)).json()
    assert report["summary"]["extracted"] > 0
    return [finding["subject"] for finding in report["findings"] if finding["rule"] == "extracted"]


async def test_what_no_extractor_finds_is_found_by_extracting_again(informed: Running) -> None:
    """Written past everything, with the same words of the same sentence."""
    assert await extracted_again(informed) == []
    place = await a_source(informed)
    forged = made_up_subgraph(place["chunk"], place["page"], "Marie Curie discovered polonium in 1898.")
    current = place["extraction"]["version"]
    forged = forged.replace("agent:pattern", "agent:propositions").replace('"9"', f'"{current}"')
    await informed.assembly.store.add(list(parse(trig(forged, KNOWLEDGE), format=RdfFormat.TRIG)))
    assert await extracted_again(informed) == ["https://trustgraph.ai/subgraph/f00d"]


async def test_a_fact_that_was_put_into_a_true_subgraph_is_found_by_extracting_again(
    informed: Running,
) -> None:
    place = await a_source(informed)
    contained = f"<{place['subgraph']}> tg:contains <<( e:paul%20villard e:discovered e:polonium )>> ."
    await informed.assembly.store.add(list(parse(trig(contained, KNOWLEDGE), format=RdfFormat.TRIG)))
    assert await extracted_again(informed) == [place["subgraph"]]
