"""A trace shows the words that its edges stood on, also when their document has been revised."""

from __future__ import annotations

from api.running import QUESTION, Running

PAPER = "https://example.org/paper"
OLD = "Marie Curie discovered polonium in July 1898. She lived in Paris."
NEW = "Nobody knows who found polonium. She lived in Paris."


async def test_words_that_a_revision_took_are_shown_with_the_edge_as_they_stood(service: Running) -> None:
    await service.ingest(OLD, id=PAPER, title="Paper")
    session = (await service.ask(QUESTION))["session"]
    job = await service.ingest(NEW, id=PAPER, title="Paper")
    assert job["state"] == "done", job
    trace = await service.get(f"/api/v1/traces/{session}")
    assert trace["stale"]
    (first, *_) = trace["selected"]
    (past,) = first["past_sources"]
    assert past["text"] == "Marie Curie discovered polonium in July 1898."
    assert (past["document"], past["title"], past["page_number"]) == (PAPER, "Paper", 1)
    page = await service.client.get("/api/v1/documents/content", params={"id": past["page"]})
    assert page.text[past["start"] : past["end"]] == past["text"]
    assert first["sources"] == []
