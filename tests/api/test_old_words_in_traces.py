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


async def test_a_purge_lets_go_of_the_pages_that_only_its_traces_quoted(service: Running) -> None:
    await service.ingest(OLD, id=PAPER, title="Paper")
    first, second = [(await service.ask(QUESTION))["session"] for _ in range(2)]
    await service.ingest(NEW, id=PAPER, title="Paper")
    (past, *_) = (await service.get(f"/api/v1/traces/{first}"))["selected"][0]["past_sources"]
    page = {"id": past["page"]}
    traces = service.assembly.traces
    await traces.remove_session(traces.names(first).session)
    assert (await service.client.get("/api/v1/documents/content", params=page)).text == OLD
    await traces.remove_session(traces.names(second).session)
    assert (await service.client.get("/api/v1/documents/content", params=page)).status_code == 404
    contents = (service.assembly.folder.library).rglob("*")
    assert not any(b"discovered polonium" in path.read_bytes() for path in contents if path.is_file())
