"""Queries for triple terms over a store of RDF 1.1: what they find is what a store of RDF 1.2 finds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import Literal, NamedNode, Quad, Triple

from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.adapters.remote_store.connection import store_address
from provgraph.adapters.remote_store.queries_1_1 import plain_query
from provgraph.adapters.remote_store.sparql import ForwardedSparql
from provgraph.adapters.remote_store.store import SparqlHttpQuadStore
from provgraph.adapters.sparql_processes.endpoint import SparqlLimits
from provgraph.errors import Forbidden, InvalidQuery, NotProvided, ProvGraphError, TooLarge
from provgraph.ports.sparql_endpoint import SparqlRequest
from provgraph.rdf.graphs import collection_graphs, source_graph
from provgraph.rdf.terms import Term
from provgraph.rdf.vocabulary import PREFIXES, RDF, RDFS, TG
from provgraph.sparql.dataset import Dataset
from provgraph.sparql.query import read_query
from servers.virtuoso_server import PATHS as VIRTUOSO_PATHS

GRAPHS = collection_graphs()
CURIE, HAHN, POLONIUM, URANIUM = (NamedNode(PREFIXES["e"] + name) for name in ("curie", "hahn", "po", "u"))
FOUND, STUDIED = (NamedNode(PREFIXES["r"] + name) for name in ("found", "studied"))
FIRST = Triple(CURIE, FOUND, POLONIUM)
SECOND = Triple(HAHN, STUDIED, URANIUM)
NAMED = Triple(CURIE, RDFS.label, Literal("Marie Curie", language="en"))
SUBGRAPH, OTHER, EDGE, QUOTE = (NamedNode(f"urn:n:{name}") for name in ("subgraph", "other", "edge", "quote"))
QUADS = [
    *(Quad(fact.subject, fact.predicate, fact.object, GRAPHS.knowledge) for fact in (FIRST, NAMED)),
    *(Quad(SUBGRAPH, TG.contains, fact, GRAPHS.source) for fact in (FIRST, NAMED)),
    Quad(OTHER, TG.contains, SECOND, GRAPHS.source),
    Quad(OTHER, TG.contains, FIRST, GRAPHS.source),
    Quad(QUOTE, RDF.reifies, FIRST, GRAPHS.source),
    Quad(QUOTE, TG.source_text, Literal("Curie found polonium."), GRAPHS.source),
    Quad(EDGE, TG.edge, FIRST, GRAPHS.retrieval),
    Quad(EDGE, TG.score, Literal("0.5", datatype=NamedNode(PREFIXES["xsd"] + "decimal")), GRAPHS.retrieval),
    Quad(NamedNode("urn:n:hidden"), TG.contains, Triple(HAHN, FOUND, POLONIUM), source_graph("hidden")),
]

S, K, R = GRAPHS.source, GRAPHS.knowledge, GRAPHS.retrieval
QUERIES = """
SELECT ?s ?p ?o { SOURCE { ?g tg:contains <<( ?s ?p ?o )>> } }
SELECT ?g ?s { SOURCE { ?g tg:contains <<( ?s r:found e:po )>> , <<( ?s rdfs:label 'Marie Curie'@en )>> } }
SELECT ?g { SOURCE { ?g tg:contains/^tg:contains ?h ; tg:contains <<( e:curie r:found e:po )>> . } }
SELECT ?q ?t { SOURCE { ?q rdf:reifies <<( ?s ?p ?o )>> ; tg:sourceText ?t } KNOWLEDGE { ?s ?p ?o } }
SELECT ?e { SOURCE { ?g tg:contains ?e } }
SELECT DISTINCT ?e { RETRIEVAL { ?x tg:edge ?e } SOURCE { ?g (tg:contains|tg:x) ?e } }
SELECT (SUBJECT(?e) AS ?s) (OBJECT(?e) AS ?o) ?g { SOURCE { ?g tg:contains ?e } } ORDER BY ?g
SELECT ?g ?e { SOURCE { ?g tg:contains ?e FILTER(PREDICATE(?e) NOT IN (rdf:type, rdfs:label)) } }
SELECT ?g ?n { SOURCE { ?g tg:contains ?e } BIND(STR(SUBJECT(?e)) AS ?n) FILTER(STRLEN(?n) > 3) }
SELECT ?e (COUNT(?g) AS ?n) (SAMPLE(OBJECT(?e)) AS ?o) { SOURCE { ?g tg:contains ?e } } GROUP BY ?e
SELECT (PREDICATE(?e) AS ?p) (COUNT(?g) AS ?n) { SOURCE { ?g tg:contains ?e } } GROUP BY ?e
SELECT ?g (COUNT(DISTINCT SUBJECT(?e)) AS ?n) { SOURCE { ?g tg:contains ?e } } GROUP BY ?g
SELECT ?g ?t { SOURCE { ?g ?p ?t FILTER(isTRIPLE(?t)) } }
SELECT ?g { VALUES ?t { <<( e:curie r:found e:po )>> <<( e:no r:no e:no )>> } SOURCE { ?g ?p ?t } }
SELECT ?g { SOURCE { ?g tg:contains ?t FILTER(?t = <<( e:curie r:found e:po )>>) } }
SELECT (TRIPLE(?s, ?p, ?o) AS ?fact) { KNOWLEDGE { ?s ?p ?o } }
SELECT (TRIPLE(?s, ?p, ?o) AS ?f) ?g { SOURCE { ?g tg:contains <<( ?s ?p ?o )>> } MINUS { KNOWLEDGE { ?s ?p ?o } } }
SELECT ?g ?s { SOURCE { ?g tg:contains ?e } OPTIONAL { RETRIEVAL { ?x tg:edge ?e } BIND(SUBJECT(?e) AS ?s) } }
SELECT ?s { { SELECT DISTINCT ?e { SOURCE { ?g tg:contains ?e } } } BIND(SUBJECT(?e) AS ?s) }
SELECT ?e { SOURCE { ?g tg:contains ?e } } GROUP BY ?e HAVING(COUNT(?g) > 1)
SELECT ?g ?s { { RETRIEVAL { ?g tg:edge <<( ?s ?p ?o )>> } } UNION { SOURCE { ?g tg:contains <<( ?s ?p ?o )>> } } }
SELECT ?g ?s { SOURCE { ?g tg:contains ?e FILTER NOT EXISTS { ?q rdf:reifies ?e } } BIND(SUBJECT(?e) AS ?s) }
SELECT ?g { SOURCE { ?g tg:contains ?x . FILTER EXISTS { ?q rdf:reifies <<( ?s r:found ?o )>> } } }
SELECT * { SOURCE { ?g tg:contains <<( ?s r:studied ?o )>> } }
SELECT * { SOURCE { ?g tg:contains ?e } FILTER(SUBJECT(?e) = e:hahn) }
SELECT ?where ?s ?p ?o { GRAPH ?where { ?s ?p ?o } }
SELECT ?where ?x ?s { GRAPH ?where { ?x tg:edge|tg:contains <<( ?s ?p ?o )>> } }
"""
SAME = [
    query.replace("SOURCE", f"GRAPH {S}")
    .replace("KNOWLEDGE", f"GRAPH {K}")
    .replace("RETRIEVAL", f"GRAPH {R}")
    for query in QUERIES.split("\n")
    if query
]
REFUSED = [
    ("SELECT ?t { ?s r:found ?o {| tg:sourceText ?t |} }", NotProvided),
    ("SELECT ?t { << ?s r:found ?o >> tg:sourceText ?t }", NotProvided),
    ("CONSTRUCT { ?g tg:contains <<( ?s ?p ?o )>> } WHERE { ?s ?p ?o }", NotProvided),
    ("SELECT ?g { ?g tg:contains ?e FILTER(?e = <<( ?s ?p ?o )>>) ?s ?p ?o }", NotProvided),
    ("SELECT ?e { ?s ?p ?o BIND(TRIPLE(?s, ?p, ?o) AS ?e) }", NotProvided),
    ("SELECT (SUBJECT(COALESCE(?e, ?f)) AS ?s) { ?g tg:contains ?e }", NotProvided),
    ("SELECT ?s { ?s ?p ?o FILTER(<bif:file_to_string>('virtuoso.ini') != '') }", Forbidden),
    ("PREFIX x: <bif:> SELECT ?s { ?s ?p ?o FILTER(x:sleep(9)) }", Forbidden),
    ("PREFIX xsd: <sql:> SELECT ?s { ?s ?p ?o FILTER(xsd:integer(9)) }", Forbidden),
    ("BASE <bif:> SELECT ?s { ?s ?p ?o FILTER(<sleep>(9)) }", Forbidden),
    ("SELECT * { GRAPH <urn:provgraph:quotations> { ?s ?p ?o } }", Forbidden),
    ("PREFIX q: <urn:provgraph:> SELECT * { GRAPH q:quotations { ?s ?p ?o } }", Forbidden),
    (r"SELECT * { GRAPH <urn:provgraph:quotation\u0073> { ?s ?p ?o } }", Forbidden),
    (r"PREFIX q: <\U00000075rn:provgraph:> SELECT * { GRAPH q:quotations { ?s ?p ?o } }", Forbidden),
    ("BASE <urn:provgraph:quotations> SELECT * { GRAPH <> { ?s ?p ?o } }", Forbidden),
    ("SELECT ?s { ?g tg:contains <<( ?s ?p ?o )>> ", InvalidQuery),
    ("SELECT ?g { " + "?g tg:contains <<( ?s ?p ?o )>> . " * 700 + "}", TooLarge),
]


@pytest.fixture(params=["Oxigraph", pytest.param("Virtuoso", marks=pytest.mark.slow)])
async def plain(request: pytest.FixtureRequest) -> AsyncIterator[SparqlHttpQuadStore]:
    is_virtuoso = request.param == "Virtuoso"
    server = request.getfixturevalue("virtuoso" if is_virtuoso else "oxigraph")
    paths = VIRTUOSO_PATHS if is_virtuoso else "query update"
    store = SparqlHttpQuadStore.opened(store_address(server.url, paths, 10, is_rdf_1_1=True))
    await store.add(QUADS)
    yield store
    await store.close()


def counted(rows: list[Mapping[str, Term]]) -> Counter[frozenset[tuple[str, Term]]]:
    return Counter(frozenset(row.items()) for row in rows)


async def test_every_query_finds_what_it_finds_in_rdf_1_2(plain: SparqlHttpQuadStore) -> None:
    embedded = OxigraphQuadStore()
    await embedded.add(QUADS)
    prefixes = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in PREFIXES.items())
    for query in SAME:
        expected = counted(await embedded.select(prefixes + query))
        assert expected, query
        assert counted(await plain.select(query)) == expected, query
    bound = {"e": FIRST}
    query = f"{prefixes} SELECT ?g ?e {{ GRAPH {S} {{ ?g tg:contains ?e }} }}"
    assert counted(await plain.select(query, bound)) == counted(await embedded.select(query, bound))


@pytest.mark.parametrize(("query", "error"), REFUSED, ids=[query[:50] for query, _ in REFUSED])
def test_what_cannot_be_asked_is_told(query: str, error: type[ProvGraphError]) -> None:
    with pytest.raises(error):
        plain_query(read_query(query, star=False))


async def test_a_user_sees_quoted_edges_of_the_collection_alone(
    plain: SparqlHttpQuadStore, tmp_path: Path
) -> None:
    endpoint = ForwardedSparql(plain.connection, SparqlLimits(20, 100, 1), tmp_path / "empty")

    async def asked(query: str, **more: Any) -> Any:
        answer = await endpoint.run(SparqlRequest(query, Dataset.of(GRAPHS), **more))
        return json.loads(answer.body)

    every = await asked("SELECT ?g ?s ?o { GRAPH ?g { ?x tg:contains <<( ?s ?p ?o )>> } }")
    assert len(every["results"]["bindings"]) == 4
    assert {row["g"]["value"] for row in every["results"]["bindings"]} == {S.value}
    nothing = await asked("SELECT (SUBJECT(?e) AS ?s) { OPTIONAL { ?x <urn:none> ?e } }")
    assert nothing["results"]["bindings"] == [{}]
    edges = await asked("SELECT * { ?x tg:edge ?e FILTER(PREDICATE(?e) = r:found) }")
    assert sorted(edges["head"]["vars"]) == ["e", "x"]
    assert edges["results"]["bindings"][0]["e"]["type"] == "triple"
    count = await asked("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }")
    assert count["results"]["bindings"][0]["n"]["value"] == str(len(QUADS) - 1)
    narrowed = await asked(f"SELECT (COUNT(*) AS ?n) FROM {K} {{ ?s ?p ?o }}")
    assert narrowed["results"]["bindings"][0]["n"]["value"] == "2"
    hidden = f"SELECT (COUNT(*) AS ?n) FROM {source_graph('hidden')} {{ ?s tg:contains ?o }}"
    chosen = await asked(hidden, dataset_is_chosen=True)
    assert chosen["results"]["bindings"][0]["n"]["value"] == "4"
    for query in ("CONSTRUCT WHERE { ?x tg:edge ?e }", f"DESCRIBE {EDGE}"):
        request = SparqlRequest(query, Dataset.of(GRAPHS), accept="application/n-triples")
        graph = await endpoint.run(request)
        assert f"<<( {CURIE} {FOUND} {POLONIUM} )>>" in graph.body.decode()
    await endpoint.close()
