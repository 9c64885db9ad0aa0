"""What RDF tools are given: rdflib, SPARQLWrapper and oxrdflib, as they are published, against a served folder."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import unquote

import pytest
import pytest_asyncio
from anyio import to_thread
from rdflib import RDF, Dataset, Graph, Namespace, URIRef
from rdflib.plugins.stores.sparqlstore import SPARQLStore
from SPARQLWrapper import CSV, JSON, JSONLD, RDFXML, TURTLE, XML, SPARQLWrapper

from api.running import CURIE, Running, served

OA = Namespace("http://www.w3.org/ns/oa#")
TG = Namespace("https://trustgraph.ai/ns/")
VOID = Namespace("http://rdfs.org/ns/void#")
SD = Namespace("http://www.w3.org/ns/sparql-service-description#")
DOCUMENT = "https://example.org/curie.html"
RDFLIB = {
    "text/turtle": "turtle",
    "application/trig": "trig",
    "application/n-quads": "nquads",
    "application/ld+json": "json-ld",
    "application/n-triples": "nt",
}
EDGES = "CONSTRUCT { ?g tg:contains ?e } WHERE { ?g tg:contains ?e }"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Running]:
    """A served folder with a page of the web and one answer in it."""
    async with served(tmp_path_factory.mktemp("served") / "data") as made:
        html = f"<title>The Curies</title><p>{CURIE}</p>"
        form = {"id": DOCUMENT, "collection": "default"}
        sent = await made.client.post("/api/v1/documents", data=form, files={"file": ("curie.html", html)})
        await made.finished(sent.json()["id"])
        await made.ask()
        yield made


pytestmark = pytest.mark.asyncio(loop_scope="module")


async def text(service: Running, path: str, accept: str = "*/*", **query: str) -> str:
    answer = await service.client.get(path, params=query, headers={"Accept": accept})
    assert answer.status_code == 200, answer.text
    return answer.text


@pytest.mark.parametrize("media_type", RDFLIB)
async def test_rdflib_reads_every_export_in_rdf_1_1(service: Running, media_type: str) -> None:
    by_accept = await service.client.get("/api/v1/export", headers={"Accept": f"{media_type}; version=1.1"})
    assert by_accept.headers["content-type"].startswith(f"{media_type}; version=1.1")
    named = {"application/ld+json": "jsonld", "application/n-triples": "ntriples"}
    style = named.get(media_type, RDFLIB[media_type])
    by_option = await text(service, "/api/v1/export", format=style, rdf="1.1")
    assert by_option == by_accept.text
    read = Dataset().parse(data=by_option, format=RDFLIB[media_type])
    edges = {o for _, _, o, _ in read.quads((None, TG.contains, None, None))}
    assert edges
    for edge in edges:
        described = {p for _, p, _, _ in read.quads((edge, None, None, None))}
        assert described == {RDF.type, RDF.subject, RDF.predicate, RDF.object}


async def test_a_quoted_edge_may_be_a_named_graph_that_holds_it(service: Running) -> None:
    read = Dataset().parse(
        data=await text(service, "/api/v1/export", format="trig", rdf="1.1-graphs"), format="trig"
    )
    edges = {o for _, _, o, _ in read.quads((None, TG.contains, None, None))}
    facts = set(read.graph(URIRef("urn:graph:knowledge")))
    assert {fact for edge in edges for fact in read.graph(URIRef(str(edge)))} == facts
    refused = await service.client.get("/api/v1/export", params={"format": "turtle", "rdf": "1.1-graphs"})
    assert refused.status_code == 400
    assert "TriG" in refused.json()["detail"]


async def test_an_export_in_a_format_that_there_is_not_names_those_that_there_are(service: Running) -> None:
    refused = await service.client.get("/api/v1/export", headers={"Accept": "image/png"})
    assert refused.status_code == 406
    assert all(media_type in refused.json()["detail"] for media_type in RDFLIB)
    unknown = await service.client.get("/api/v1/export", headers={"Accept": "text/turtle; version=3"})
    assert unknown.status_code == 406
    assert (await service.client.get("/api/v1/export", params={"rdf": "3"})).status_code == 400


async def test_one_graph_alone_can_be_exported(service: Running) -> None:
    facts = Graph().parse(data=await text(service, "/api/v1/export", format="turtle", graph="knowledge"))
    whole = Dataset().parse(data=await text(service, "/api/v1/export", rdf="1.1"), format="nquads")
    assert set(facts) == set(whole.graph(URIRef("urn:graph:knowledge")))


def _asked(endpoint: str, query: str, style: str) -> Any:
    wrapper = SPARQLWrapper(endpoint)
    wrapper.addParameter("rdf", "1.1")
    wrapper.setReturnFormat(style)
    wrapper.setQuery(query)
    return wrapper.queryAndConvert()


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph:DeprecationWarning")
async def test_sparqlwrapper_reads_rows_and_graphs(service: Running) -> None:
    endpoint = f"{service.client.base_url}/sparql"
    rows = await to_thread.run_sync(_asked, endpoint, "SELECT ?e { ?g tg:contains ?e }", JSON)
    edges = {row["e"]["value"] for row in rows["results"]["bindings"]}
    assert all(edge.startswith("urn:provgraph:triple:") for edge in edges)
    for style in (XML, CSV):
        assert await to_thread.run_sync(_asked, endpoint, "SELECT ?e { ?g tg:contains ?e }", style)
    for style in (RDFXML, JSONLD):
        graph = await to_thread.run_sync(_asked, endpoint, EDGES, style)
        assert {str(o) for o in graph.objects(None, TG.contains)} == edges
    turtle = Graph().parse(data=await to_thread.run_sync(_asked, endpoint, EDGES, TURTLE))
    assert {str(o) for o in turtle.objects(None, TG.contains)} == edges


async def test_rdflib_asks_the_endpoint_and_oxrdflib_takes_what_it_gives(service: Running) -> None:
    remote = Graph(SPARQLStore(f"{service.client.base_url}/sparql", params={"rdf": "1.1"}))
    found = await to_thread.run_sync(lambda: remote.query(f"PREFIX tg: <{TG}> {EDGES}").graph)
    assert found is not None
    assert len(set(found.objects(None, TG.contains))) > 1
    own = Dataset(store="Oxigraph")
    own.parse(data=await text(service, "/api/v1/export", format="trig", rdf="1.1"), format="trig")
    counted = own.query(f"SELECT ?e {{ GRAPH <urn:graph:source> {{ ?g <{TG.contains}> ?e }} }}")
    assert len(counted) == len(set(found.objects(None, TG.contains)))


@pytest.mark.parametrize("name", ["", "/provgraph", "/relations", "/line-items", "/research", "/shapes"])
async def test_the_ontologies_are_served_in_the_form_that_is_asked_for(service: Running, name: str) -> None:
    sizes = set()
    forms = {"text/turtle": "turtle", "application/rdf+xml": "xml", "application/ld+json": "json-ld"}
    for media_type, style in forms.items():
        sizes.add(len(Graph().parse(data=await text(service, f"/ontology{name}", media_type), format=style)))
    assert len(sizes) == 1
    assert (await text(service, f"/ontology{name}", "text/html,*/*;q=0.8")).startswith("<!doctype html>")


async def test_the_vocabulary_can_be_read_by_people_and_an_unknown_one_is_told(service: Running) -> None:
    page = await text(service, "/ontology", format="html")
    assert 'id="contains"' in page
    assert (await service.client.get("/ontology/nothing")).status_code == 404
    assert (await service.client.get("/ontology", params={"format": "csv"})).status_code == 406


async def test_the_service_describes_itself_and_what_it_holds(service: Running) -> None:
    told = Graph().parse(data=await text(service, "/sparql", "text/turtle"))
    (endpoint,) = told.subjects(RDF.type, SD.Service)
    assert (endpoint, SD.feature, SD.UnionDefaultGraph) in told
    void = Graph().parse(data=await text(service, "/.well-known/void", "text/turtle"))
    (described,) = void.subjects(RDF.type, VOID.DatasetDescription)
    (dataset,) = set(void.subjects(VOID.sparqlEndpoint, None))
    facts = await text(service, "/api/v1/export", format="ntriples", graph="knowledge")
    assert str(void.value(URIRef("urn:graph:knowledge"), VOID.triples)) == str(facts.count("\n"))
    for link in (VOID.sparqlEndpoint, VOID.dataDump):
        assert (await service.client.get(str(void.value(dataset, link)))).status_code == 200
    assert (await service.client.get(str(described))).status_code == 200


async def test_an_answer_links_to_its_provenance(service: Running) -> None:
    answer = await service.client.post("/api/v1/graph-rag", json={"query": "Who discovered polonium?"})
    link = answer.links["http://www.w3.org/ns/prov#has_provenance"]
    trace = (await service.client.get(link["url"])).json()
    assert trace["session"] == answer.json()["session"]
    assert trace["answer"]["document"] == link["anchor"]
    async with service.client.stream(
        "GET", "/api/v1/graph-rag", params={"query": "Who?"}, headers={"Accept": "text/event-stream"}
    ) as stream:
        streamed = stream.links["http://www.w3.org/ns/prov#has_provenance"]
        await stream.aread()
    assert (await service.get(streamed["url"]))["query"] == "Who?"
    chat = {
        "model": "provgraph/default",
        "messages": [{"role": "user", "content": "Who discovered polonium?"}],
    }
    assert "has_provenance" in (await service.client.post("/v1/chat/completions", json=chat)).headers["link"]


async def test_cited_words_are_web_annotations_and_open_at_the_words(service: Running) -> None:
    answer = await service.ask()
    (sentence,) = answer["citations"]
    source = sentence["sources"][0]
    address, _, fragment = source["address"].partition("#:~:text=")
    assert (address, unquote(fragment)) == (DOCUMENT, source["text"])
    shown = await text(service, f"/api/v1/traces/{answer['session']}", "text/turtle", rdf="1.1")
    trace = Graph().parse(data=shown)
    (target,) = {trace.value(each, OA.hasTarget) for each in trace.subjects(RDF.type, OA.Annotation)}
    selectors = set(trace.objects(target, OA.hasSelector))
    (position,) = selectors & set(trace.subjects(RDF.type, OA.TextPositionSelector))
    (quote,) = selectors - {position}
    assert str(trace.value(target, OA.hasSource)) == source["page"]
    assert int(str(trace.value(position, OA.start))) == source["start"]
    assert int(str(trace.value(position, OA.end))) == source["end"]
    assert str(trace.value(quote, OA.exact)) == source["text"]


async def test_a_trace_in_rdf_1_1_has_no_triple_terms_in_any_form(service: Running) -> None:
    session = (await service.ask())["session"]
    for media_type, style in RDFLIB.items():
        shown = await text(service, f"/api/v1/traces/{session}", f"{media_type}; version=1.1")
        read = Dataset().parse(data=shown, format=style)
        edges = {o for _, _, o, _ in read.quads((None, TG.edge, None, None))}
        assert edges
        assert edges <= {s for s, _, _, _ in read.quads((None, RDF.subject, None, None))}, media_type
