"""Traces, entities of a trace, and the sources of a fact, over HTTP."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest
from pyoxigraph import NamedNode, RdfFormat, Triple, parse
from rdflib import Graph

from api.running import QUESTION, Running
from provgraph.rdf.json_terms import quad_to_json, triple_to_json
from provgraph.rdf.vocabulary import PROV, RDF, TG

CURIE = "https://example.org/curie"


def origins(triples: set[Triple], node: NamedNode) -> set[NamedNode]:
    """All that a node was derived from, near and far."""
    found: set[NamedNode] = set()
    coming = [node]
    while coming:
        at = coming.pop()
        for triple in triples:
            if triple.subject == at and triple.predicate == PROV.was_derived_from:
                assert isinstance(triple.object, NamedNode)
                if triple.object not in found:
                    found.add(triple.object)
                    coming.append(triple.object)
    return found


async def test_sessions_are_listed_the_newest_first(informed: Running) -> None:
    asked = [QUESTION, "What do penguins eat?", "Who studied isotopes?"]
    for query in asked:
        await informed.ask(query)
    listed = await informed.get("/api/v1/traces")
    assert [session["query"] for session in listed] == asked[::-1]
    assert [session["outcome"] for session in listed] == ["answered", "refused", "answered"]
    times = [[datetime.fromisoformat(session[key]) for key in ("started", "ended")] for session in listed]
    assert all(started <= ended for started, ended in times)
    assert [session["query"] for session in await informed.get("/api/v1/traces", limit="2")] == asked[:0:-1]


async def test_a_trace_is_found_by_its_iri_and_by_its_uuid(informed: Running) -> None:
    session = (await informed.ask())["session"]
    uuid = session.rpartition(":")[2]
    found = [
        await informed.get(f"/api/v1/traces/{name}") for name in (session, uuid, session.replace(":", "%3A"))
    ]
    assert found[0] == found[1] == found[2]
    assert found[0]["session"] == session


async def test_a_trace_leads_from_the_answer_to_the_words_of_the_page(informed: Running) -> None:
    answer = await informed.ask()
    trace = await informed.get(f"/api/v1/traces/{answer['session']}")
    assert trace["query"] == QUESTION
    assert trace["concepts"]
    assert trace["edge_count"] == len(trace["selected"]) + len(trace["passed_over"])
    assert trace["answer"]["text"] == answer["response"]
    selected = {edge["id"]: edge for edge in trace["selected"]}
    for sentence in trace["answer"]["sentences"]:
        assert answer["response"][sentence["start"] : sentence["end"]] == sentence["text"]
        read = [source["text"] for edge in sentence["edges"] for source in selected[edge]["sources"]]
        assert sentence["text"] in read
    for edge in trace["selected"]:
        assert edge["reasoning"]
        assert edge["agent"] == "evidence-selector"
    for edge in trace["passed_over"]:
        assert edge["reasoning"]
        assert "agent" not in edge


@pytest.mark.parametrize(
    ("accept", "rdf_format"), [("text/turtle", RdfFormat.TURTLE), ("application/trig", RdfFormat.TRIG)]
)
async def test_a_trace_as_rdf_holds_the_whole_chain(
    informed: Running, accept: str, rdf_format: RdfFormat
) -> None:
    answer = await informed.ask()
    path = f"/api/v1/traces/{answer['session']}"
    response = await informed.client.get(path, headers={"Accept": accept})
    assert response.headers["content-type"].startswith(accept)
    quads = list(parse(response.content, format=rdf_format))
    triples = {quad.triple for quad in quads}
    told = NamedNode(answer["explain"][-1]["explain_id"])
    question = NamedNode(answer["session"].replace(":session:", ":question:"))
    assert question in origins(triples, told)

    edges = {triple.object for triple in triples if triple.predicate == TG.edge}
    quotations = {
        triple.subject for triple in triples if triple.predicate == RDF.reifies and triple.object in edges
    }
    subgraphs = {
        triple.object
        for triple in triples
        if triple.predicate == TG.in_subgraph and triple.subject in quotations
    }
    assert subgraphs
    for subgraph in subgraphs:
        assert isinstance(subgraph, NamedNode)
        assert NamedNode(CURIE) in origins(triples, subgraph)


async def test_a_trace_as_json_ld_is_read_by_other_tools(informed: Running) -> None:
    answer = await informed.ask()
    response = await informed.client.get(
        f"/api/v1/traces/{answer['session']}", headers={"Accept": "application/ld+json"}
    )
    graph = Graph().parse(data=response.text, format="json-ld")
    asked = f"""
        ASK {{ <{answer["explain"][-1]["explain_id"]}> <{PROV.was_derived_from.value}>+ ?question .
               ?question <{TG.query.value}> "{QUESTION}" .
               ?edge <{TG.edge.value}> [ <{RDF.subject.value}> ?s ; <{RDF.object.value}> ?o ] }}
    """
    assert bool(graph.query(asked).askAnswer)


async def test_each_message_can_be_looked_up_by_its_explain_id(informed: Running) -> None:
    answer = await informed.ask()
    for message in answer["explain"]:
        entity = message["explain_id"]
        found = await informed.get("/api/v1/explain", id=entity, collection=message["explain_collection"])
        own = [triple for triple in message["explain_triples"] if triple["s"]["i"] == entity]
        keyed = {json.dumps(triple) for triple in found["explain_triples"]}
        assert {json.dumps(triple) for triple in own} <= keyed
        assert all(triple["s"]["i"] == entity for triple in found["explain_triples"])


async def lineage(service: Running, triple: dict[str, Any], object_: str) -> dict[str, Any]:
    found: dict[str, Any] = await service.get(
        "/api/v1/lineage", s=triple["s"]["i"], p=triple["p"]["i"], o=object_
    )
    return found


async def test_a_fact_has_every_sentence_that_says_it(informed: Running) -> None:
    text = "It was long ago. Marie Curie discovered polonium."
    await informed.ingest(text, title="Another")
    answer = await informed.ask()
    trace = await informed.get(f"/api/v1/traces/{answer['session']}")
    fact = next(
        edge["triple"]
        for edge in trace["selected"]
        if (edge["subject"], edge["object"]) == ("polonium", "Marie Curie")
    )
    found = await lineage(informed, fact, fact["o"]["i"])
    assert found["fact"] == fact
    assert found["documents"] == 2
    assert {source["title"] for source in found["sources"]} == {"The Curies", "Another"}
    for source in found["sources"]:
        page = await informed.client.get("/api/v1/documents/content", params={"id": source["page"]})
        assert page.text[source["start"] : source["end"]] == source["text"]


async def test_a_fact_with_a_literal_has_its_sentences_too(informed: Running) -> None:
    exported = parse((await informed.client.get("/api/v1/export")).content, format=RdfFormat.N_QUADS)
    fact = next(
        quad.triple
        for quad in exported
        if quad.graph_name == NamedNode("urn:graph:knowledge") and '"1898"' in str(quad.object)
    )
    found = await lineage(informed, triple_to_json(fact), str(fact.object))
    assert [source["text"] for source in found["sources"]] == ["Marie Curie discovered polonium in 1898."]


async def test_a_fact_that_nothing_says_has_no_sources(informed: Running) -> None:
    for object_ in ("urn:c", '"c"', '"c"@en', '"1"^^<http://www.w3.org/2001/XMLSchema#integer>'):
        found = await informed.get("/api/v1/lineage", s="urn:a", p="urn:b", o=object_)
        assert (found["documents"], found["sources"]) == (0, [])


async def test_an_export_holds_what_every_message_told(informed: Running) -> None:
    answer = await informed.ask()
    exported = list(parse((await informed.client.get("/api/v1/export")).content, format=RdfFormat.N_QUADS))
    stored = {json.dumps(quad_to_json(quad)) for quad in exported}
    told = {json.dumps(triple) for message in answer["explain"] for triple in message["explain_triples"]}
    assert told <= stored


async def test_a_trace_tells_how_edges_were_ranked_and_what_led_to_each(informed: Running) -> None:
    answer = await informed.ask(method="bm25", parameters={"k1": 1.5})
    trace = await informed.get(f"/api/v1/traces/{answer['session']}")
    assert trace["method"] == "bm25"
    assert trace["parameters"] == ["b=0.75", "factual=0", "k1=1.5"]
    assert {edge["found_by"] for edge in [*trace["selected"], *trace["passed_over"]]} == {"words"}


async def test_an_edge_tells_the_path_from_its_seed(informed: Running) -> None:
    answer = await informed.ask(method="breadth-first")
    trace = await informed.get(f"/api/v1/traces/{answer['session']}")
    assert trace["method"] == "breadth-first"
    assert all(edge["found_by"] and edge["found_along"] for edge in trace["selected"])


async def test_a_question_asked_again_keeps_the_parameters_of_its_method(informed: Running) -> None:
    first = await informed.ask(method="bm25", parameters={"k1": 0.5})
    body = {"again": first["session"]}
    again = (await informed.client.post("/api/v1/graph-rag", json=body)).json()
    trace = await informed.get(f"/api/v1/traces/{again['session']}")
    assert (trace["method"], "k1=0.5" in trace["parameters"]) == ("bm25", True)


@pytest.mark.parametrize(
    "wrong", [{"parameters": {"k9": 1.0}}, {"method": "bm25", "parameters": {"k1": -1.0}}, {"method": "none"}]
)
async def test_a_parameter_that_cannot_be_is_refused_with_what_there_is(
    informed: Running, wrong: dict[str, Any]
) -> None:
    refused = await informed.client.post("/api/v1/graph-rag", json={"query": QUESTION, **wrong})
    assert refused.status_code == 400
    assert await informed.get("/api/v1/traces") == []


@pytest.mark.parametrize("name", ["model", "cross-encoder"])
async def test_a_reranker_is_named_in_one_way_for_answers_and_for_retrieval(
    informed: Running, name: str
) -> None:
    for path in ("graph-rag", "retrieve"):
        refused = await informed.client.post(f"/api/v1/{path}", json={"query": QUESTION, "rerank": name})
        assert refused.status_code == 400
        assert f"no reranker '{name}'" in refused.json()["detail"]
        done = await informed.client.post(f"/api/v1/{path}", json={"query": QUESTION, "rerank": "none"})
        assert done.status_code == 200


async def test_sessions_are_listed_by_words_flow_and_outcome_screen_by_screen(informed: Running) -> None:
    answered = await informed.ask()
    refused = await informed.ask("What does bread cost in Rome?")
    reply = await informed.client.post("/api/v1/document-rag", json={"query": "Who discovered polonium?"})
    by_passages = reply.json()["session"]

    async def listed(**wanted: object) -> list[str]:
        found = await informed.client.get("/api/v1/traces", params=wanted)  # type: ignore[arg-type]
        assert found.status_code == 200, found.text
        return [each["session"] for each in found.json()]

    assert await listed() == [by_passages, refused["session"], answered["session"]]
    assert await listed(text="POLONIUM discovered", flow="graph-rag") == [answered["session"]]
    assert await listed(flow="document-rag") == [by_passages]
    assert await listed(outcome="refused") == [refused["session"]]
    assert await listed(limit=1, offset=1) == [refused["session"]]
    assert await listed(outcome="running") == []
