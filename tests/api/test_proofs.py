"""A session as a proof bundle: signed, whole, readable by others, and true to the pages it quotes."""

from __future__ import annotations

import base64
import json
from typing import Any

import pymupdf
from pyoxigraph import RdfFormat, Triple, parse
from rdflib import Dataset

from api.running import Running
from provgraph.proofs.verify_bundle import opened, verified

SENTENCE = "Marie Curie discovered polonium in 1898."


def pdf(text: str) -> bytes:
    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    document.new_page(width=600, height=800).insert_text((72, 100), text, fontsize=11)
    return bytes(document.tobytes())


async def proof(service: Running, session: str) -> bytes:
    answer = await service.client.get(f"/api/v1/proofs/{session}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/zip"
    return answer.content


async def test_a_bundle_proves_the_answer(informed: Running) -> None:
    asked = await informed.ask()
    bundle = await proof(informed, asked["session"])
    told = verified(bundle)
    parts = opened(bundle)
    assert told["quotations"] == sum(len(each["sources"]) for each in asked["citations"])
    assert parts["answer.txt"].decode() == asked["response"]
    assert json.loads(parts["trace.json"])["session"] == asked["session"]
    by_uuid = await proof(informed, asked["session"].rpartition(":")[2])
    assert opened(by_uuid)["answer.txt"] == parts["answer.txt"]


async def test_its_provenance_can_be_read_by_readers_of_either_rdf(informed: Running) -> None:
    asked = await informed.ask()
    parts = opened(await proof(informed, asked["session"]))
    new = list(parse(parts["provenance-rdf-1.2.trig"], format=RdfFormat.TRIG))
    assert any(isinstance(quad.object, Triple) for quad in new)
    old = Dataset().parse(data=parts["provenance-rdf-1.1.nq"].decode(), format="nquads")
    assert len(old) > len(new)
    crate = json.loads(parts["ro-crate-metadata.json"])
    root = next(each for each in crate["@graph"] if each["@id"] == "./")
    listed = {each["@id"] for each in root["hasPart"]}
    assert listed | {"ro-crate-metadata.json", "manifest.json", "manifest.sig"} == set(parts)
    assert {each["@id"] for each in crate["@graph"] if each["@type"] == "File"} == listed


async def test_the_pages_of_a_pdf_are_shown_with_the_words_marked(service: Running) -> None:
    content = base64.b64encode(pdf(SENTENCE)).decode()
    sent = await service.client.post("/api/v1/documents", json={"content": content, "name": "curie.pdf"})
    await service.finished(sent.json()["id"])
    parts = opened(await proof(service, (await service.ask())["session"]))
    assert parts["pages/1.png"].startswith(b"\x89PNG")
    page = parts["index.html"].decode()
    assert f"<mark>{SENTENCE}</mark>" in page
    assert "data:image/png;base64," in page
    assert '<i style="left:' in page
    assert "http://" not in page.replace(f"http://{'www.w3.org'}", "")


async def test_words_of_documents_and_questions_are_no_markup(service: Running) -> None:
    await service.ingest("<script>alert(1)</script> discovered polonium in 1898.")
    asked = await service.ask("Who discovered polonium <img src=x onerror=alert(1)>?")
    if asked["outcome"] == "answered":
        page = opened(await proof(service, asked["session"]))["index.html"].decode()
        assert "<script" not in page
        assert "<img src=x" not in page


async def test_a_refusal_is_proved_too(informed: Running) -> None:
    asked = await informed.ask("Who designed the bridge of Kirkwall?")
    assert asked["outcome"] == "refused"
    assert verified(await proof(informed, asked["session"]))["quotations"] == 0


async def test_of_a_session_that_is_not_there_there_is_no_proof(service: Running) -> None:
    for session in ("5", "urn:trustgraph:session:00000000-0000-4000-8000-000000000000"):
        answer = await service.client.get(f"/api/v1/proofs/{session}")
        assert answer.status_code == 404
        assert "provgraph traces" in answer.json()["detail"]


async def test_the_key_is_that_of_the_records(informed: Running) -> None:
    asked = await informed.ask()
    told = verified(await proof(informed, asked["session"]))
    body = {"signatures": True, "everything": True}
    report = (await informed.client.post("/api/v1/check", json=body)).json()
    assert report["summary"]["passed"]
    assert report["summary"]["signatures"]["keys"] == [told["key"]]
    assert report["summary"]["signatures"]["head"] == told["head"]


async def erased(service: Running, document: str, **asked: str) -> dict[str, Any]:
    params = {"id": document, "redact": "true", "erase": "true", "by": "ada", **asked}
    answer = await service.client.delete("/api/v1/documents", params=params)
    assert answer.status_code == 200, answer.text
    report: dict[str, Any] = answer.json()
    return report


async def test_an_erasure_has_a_certificate(informed: Running) -> None:
    await informed.ingest("Marie Curie discovered polonium in 1898.", id="urn:x:other")
    asked = await informed.ask()
    await proof(informed, asked["session"])
    await informed.client.get("/api/v1/archive")
    await informed.client.get("/api/v1/backup")
    report = await erased(informed, "https://example.org/curie")
    answer = await informed.client.get("/api/v1/certificates", params={"deletion": report["deletion"]})
    assert answer.status_code == 200, answer.text
    told, parts = verified(answer.content), opened(answer.content)
    assert told["document"] == "https://example.org/curie"
    page = parts["index.html"].decode()
    for said in ("ada", "archive of the collection", "backup of everything", "proof bundle of an answer"):
        assert said in page
    assert f"{report['facts_kept']:,} of its facts stay" in page
    assert "No statement of the store names a part of the document." in page
    graph = Dataset().parse(data=parts["certificate.jsonld"].decode(), format="json-ld")
    assert any(str(term) == "https://w3id.org/dpv#Erase" for term in graph.objects(None, None))
    check = (await informed.client.post("/api/v1/check", json={"signatures": True})).json()
    assert check["summary"]["passed"], check["findings"]


async def test_there_is_no_certificate_before_files_were_written_anew(informed: Running) -> None:
    report = await erased(informed, "https://example.org/curie", erase="false")
    params = {"deletion": report["deletion"]}
    assert (await informed.client.get("/api/v1/certificates", params=params)).status_code == 409
    await informed.client.post("/api/v1/compact")
    assert (await informed.client.get("/api/v1/certificates", params=params)).status_code == 200


async def test_of_what_was_not_deleted_there_is_no_certificate(informed: Running) -> None:
    for deletion in ("urn:trustgraph:change:5", "https://example.org/curie"):
        answer = await informed.client.get("/api/v1/certificates", params={"deletion": deletion})
        assert answer.status_code == 404
