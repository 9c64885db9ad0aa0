"""Answers that no longer stand on what they stood on: flagged, with the reason, in every view of a trace."""

from __future__ import annotations

from typing import Any

from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Triple, parse

from api.running import QUESTION, Running
from provgraph.checking.shapes import shape_violations
from provgraph.ports.quad_store import QuadPattern
from provgraph.rdf.graphs import knowledge_graph, retrieval_graph, source_graph
from provgraph.rdf.vocabulary import PROV, TG

BORN = "When was Marie Curie born?"
FIRST = "Marie Curie was born on 7 November 1867. Pierre Curie was born on 15 May 1859."
LATER = "Marie Curie was born on 8 November 1867."


async def listed(service: Running, **query: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = await service.get("/api/v1/traces", **query)
    return found


async def test_an_answer_that_a_later_document_contradicts_is_stale_in_every_view(service: Running) -> None:
    await service.ingest(FIRST, title="First")
    session = (await service.ask(BORN))["session"]
    assert [each["stale"] for each in await listed(service)] == [[]]
    assert await listed(service, stale="true") == []
    await service.ingest(LATER, title="Later")

    (reason,) = (await listed(service, stale="true"))[0]["stale"]
    assert "(Marie Curie, was born on, 1867-11-08)" in reason
    assert "'Later'" in reason
    trace = await service.get(f"/api/v1/traces/{session}")
    assert trace["stale"] == [reason]
    turtle = await service.client.get(f"/api/v1/traces/{session}", headers={"Accept": "text/turtle"})
    triples = {quad.triple for quad in parse(turtle.content, format=RdfFormat.TURTLE)}
    answer = NamedNode(trace["answer"]["id"])
    assert Triple(answer, TG.doubted_because, Literal(reason)) in triples
    (against,) = [triple.object for triple in triples if triple.predicate == TG.contradicted_by]
    assert isinstance(against, Triple)
    assert str(against.object).startswith('"1867-11-08"')


async def test_a_view_with_doubts_conforms_to_the_shapes_and_stores_nothing(service: Running) -> None:
    await service.ingest(FIRST, title="First")
    session = (await service.ask(BORN))["session"]
    await service.ingest(LATER, title="Later")
    before = service.assembly.store.revision
    trig = await service.client.get(f"/api/v1/traces/{session}", headers={"Accept": "application/trig"})
    quads = list(parse(trig.content, format=RdfFormat.TRIG))
    assert any(quad.predicate == TG.doubted_because for quad in quads)
    assert shape_violations([quad for quad in quads if quad.graph_name == retrieval_graph()]) == []
    (stored,) = await service.assembly.store.match([QuadPattern(predicate=TG.doubted_because)])
    assert stored == []
    assert service.assembly.store.revision == before


async def test_a_contradiction_that_was_there_when_the_answer_was_made_does_not_make_it_stale(
    service: Running,
) -> None:
    await service.ingest(FIRST, title="First")
    await service.ingest(LATER, title="Later")
    session = (await service.ask(BORN))["session"]
    trace = await service.get(f"/api/v1/traces/{session}")
    assert trace["stale"] == []
    assert any(edge["contradictions"] for edge in trace["selected"])


async def test_an_answer_that_later_documents_agree_with_is_not_stale(service: Running) -> None:
    await service.ingest(FIRST, title="First")
    await service.ask(BORN)
    await service.ingest("Marie Curie was born in 1867. She discovered radium.", title="Agreeing")
    assert await listed(service, stale="true") == []


async def test_an_answer_whose_facts_nothing_says_any_more_is_stale(informed: Running) -> None:
    await informed.ask(QUESTION)
    store = informed.assembly.store
    await store.clear([source_graph(), knowledge_graph()])
    (found,) = await listed(informed, stale="true")
    assert any("any more" in reason for reason in found["stale"])


async def test_a_reason_that_is_recorded_is_told_as_it_is(informed: Running) -> None:
    session = (await informed.ask(QUESTION))["session"]
    trace = await informed.get(f"/api/v1/traces/{session}")
    answer = NamedNode(trace["answer"]["id"])
    graph = NamedNode("urn:graph:retrieval")
    said = "1 of 2 edges lost a source, as <doc> was deleted."
    await informed.assembly.store.add(
        [
            Quad(answer, TG.stale_because, Literal(said), graph),
            Quad(answer, PROV.was_invalidated_by, NamedNode("urn:trustgraph:change:1"), graph),
        ]
    )
    assert (await informed.get(f"/api/v1/traces/{session}"))["stale"] == [said]
    (found,) = await listed(informed, stale="true")
    assert found["stale"] == [said]


async def test_stale_sessions_are_found_behind_newer_ones_that_stand(service: Running) -> None:
    await service.ingest(FIRST, title="First")
    stale = (await service.ask(BORN))["session"]
    for _ in range(3):
        await service.ask("When was Pierre Curie born?")
    await service.ingest(LATER, title="Later")
    found = await listed(service, stale="true", limit="1")
    assert [each["session"] for each in found] == [stale]
    assert len(await listed(service)) == 4
