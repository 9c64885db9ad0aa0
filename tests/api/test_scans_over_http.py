"""A scan, from its upload to its deletion: spans, provenance, answers, and what is told of it."""

from __future__ import annotations

from typing import Any

from api.running import Running
from provgraph.ports.quad_store import QuadPattern
from provgraph.rdf.graphs import collection_graphs
from provgraph.rdf.vocabulary import TG
from unit.documents.scans import CURIE, SODDY, needs_tesseract, scan

pytestmark = needs_tesseract


async def upload(service: Running, content: bytes) -> dict[str, Any]:
    sent = await service.client.post(
        "/api/v1/documents", files=[("file", ("letters.pdf", content))], data={"id": "letters"}
    )
    assert sent.status_code == 202, sent.text
    return await service.finished(sent.json()["id"])


async def document(service: Running, id: str) -> dict[str, Any]:
    found: dict[str, Any] = await service.get("/api/v1/documents", id=id)
    return found


async def test_facts_of_a_scan_have_exact_spans_and_their_pages_say_who_recognised_them(
    service: Running,
) -> None:
    job = await upload(service, scan(CURIE, SODDY))
    (stored,) = job["documents"]
    assert (stored["pages"], stored["warnings"]) == (2, [])
    tree = await document(service, stored["id"])
    for page in tree["content"]:
        assert page["recognition"]["by"] == "tesseract"
        assert "languages=eng" in page["recognition"]["version"]
        assert 0.6 < page["recognition"]["confidence"] <= 1
        text = (await service.client.get("/api/v1/documents/content", params={"id": page["id"]})).text
        facts = [fact for chunk in page["chunks"] for fact in chunk["facts"]]
        assert facts
        assert all(text[fact["start"] : fact["end"]] == fact["text"] for fact in facts)
    answer = await service.ask()
    assert "Marie Curie" in answer["response"]


async def test_a_scan_that_is_ingested_twice_is_ingested_once_and_sound(service: Running) -> None:
    content = scan(CURIE)
    first = await upload(service, content)
    before = await document(service, first["documents"][0]["id"])
    second = await upload(service, content)
    assert second["documents"][0]["new_chunks"] == 0
    assert "changes" not in second["documents"][0]
    assert await document(service, first["documents"][0]["id"]) == before
    checked = await service.client.post("/api/v1/check", json={})
    assert checked.status_code == 200, checked.text
    assert checked.json()["findings"] == []


async def test_a_scan_that_is_deleted_leaves_the_store_as_it_was(service: Running) -> None:
    await service.ingest()
    graph = collection_graphs().source
    (before,) = await service.assembly.store.match([QuadPattern(graph=graph)])
    stored = await upload(service, scan(CURIE, SODDY))
    (between,) = await service.assembly.store.match([QuadPattern(graph=graph)])
    assert any(quad.predicate == TG.recognition_confidence for quad in between)
    gone = await service.client.delete("/api/v1/documents", params={"id": stored["documents"][0]["id"]})
    assert gone.status_code == 200, gone.text
    (after,) = await service.assembly.store.match([QuadPattern(graph=graph)])
    assert not [quad for quad in after if "recognition" in str(quad)]
    assert set(before) <= set(after)
