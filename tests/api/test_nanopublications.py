"""Facts as nanopublications: well-formed as the guidelines say, read here by rdflib, which knows RDF 1.1."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyoxigraph import NamedNode, RdfFormat, parse
from rdflib import PROV, RDF, Dataset, Graph, Literal, Namespace, URIRef

from api.running import Running, running
from provgraph.provenance.nanopublication import artifact_code

NP = Namespace("http://www.nanopub.org/nschema#")
DCTERMS = Namespace("http://purl.org/dc/terms/")
TG = Namespace("https://trustgraph.ai/ns/")
FACT = {
    "s": "http://trustgraph.ai/e/polonium",
    "p": "https://trustgraph.ai/ns/relation/discovered-by",
    "o": "http://trustgraph.ai/e/marie%20curie",
}


async def published(service: Running, **query: str) -> Dataset:
    answer = await service.client.get("/api/v1/nanopubs", params=query)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("application/trig")
    return Dataset().parse(data=answer.text, format="trig")


def graph_of(dataset: Dataset, node: URIRef, link: str) -> Graph:
    (name,) = set(dataset.objects(node, NP[link])) or {
        o for _, _, o, _ in dataset.quads((node, NP[link], None, None))
    }
    assert isinstance(name, URIRef)
    return dataset.graph(name)


def nodes_of(dataset: Dataset) -> list[URIRef]:
    found = dataset.quads((None, RDF.type, NP.Nanopublication, None))
    return [node for node, _, _, _ in found if isinstance(node, URIRef)]


def check_well_formed(dataset: Dataset, node: URIRef) -> tuple[Graph, Graph, Graph]:
    """The conditions of the guidelines, one by one; gives assertion, provenance and publication info."""
    (head,) = {graph for _, _, _, graph in dataset.quads((node, RDF.type, NP.Nanopublication, None))}
    parts = [
        graph_of(dataset, node, link) for link in ("hasAssertion", "hasProvenance", "hasPublicationInfo")
    ]
    assert len({head, *(graph.identifier for graph in parts)}) == 4
    assertion, provenance, pubinfo = parts
    assert len(assertion) == 1
    assert (assertion.identifier, None, None) in provenance
    assert (node, None, None) in pubinfo
    assert len(list(pubinfo.objects(node, DCTERMS.created))) == 1
    assert (node, PROV.wasAttributedTo, None) in pubinfo
    return assertion, provenance, pubinfo


@pytest.mark.parametrize(
    ("media_type", "parsed_as"), [("application/n-quads", "nquads"), ("application/ld+json", "json-ld")]
)
async def test_all_facts_are_published_in_the_format_that_is_asked_for(
    informed: Running, media_type: str, parsed_as: str
) -> None:
    answer = await informed.client.get("/api/v1/nanopubs", headers={"Accept": media_type})
    assert answer.headers["content-type"].startswith(media_type)
    other = Dataset().parse(data=answer.text, format=parsed_as)
    assert set(nodes_of(other)) == set(nodes_of(await published(informed)))
    for node in nodes_of(other):
        check_well_formed(other, node)


async def test_a_fact_is_published_with_its_sentence_chunk_page_document_and_extraction(
    informed: Running,
) -> None:
    dataset = await published(informed, **FACT)
    (node,) = nodes_of(dataset)
    assertion, provenance, _ = check_well_formed(dataset, node)
    assert list(assertion) == [tuple(URIRef(FACT[part]) for part in "spo")]
    (quotation,) = provenance.objects(assertion.identifier, PROV.wasDerivedFrom)
    assert provenance.value(quotation, TG.sourceText) == Literal("Marie Curie discovered polonium in 1898.")
    (activity,) = provenance.objects(assertion.identifier, PROV.wasGeneratedBy)
    chunk = provenance.value(activity, PROV.used)
    page = provenance.value(chunk, PROV.wasDerivedFrom)
    document = provenance.value(page, PROV.wasDerivedFrom)
    assert document == URIRef("https://example.org/curie")
    assert provenance.value(quotation, PROV.wasQuotedFrom) == page
    assert provenance.value(provenance.value(activity, PROV.wasAssociatedWith), RDF.type) == PROV.Agent
    assert provenance.value(activity, PROV.startedAtTime) is not None


async def test_all_facts_are_published_each_by_itself(informed: Running) -> None:
    dataset = await published(informed)
    nodes = nodes_of(dataset)
    facts = {next(iter(check_well_formed(dataset, node)[0])) for node in nodes}
    (counted,) = (
        await informed.client.get("/api/v1/documents", params={"id": "https://example.org/curie"})
    ).json()["content"]
    said = {
        (fact["subject"], fact["relation"], fact["object"])
        for chunk in counted["chunks"]
        for fact in chunk["facts"]
    }
    assert len(facts) == len(nodes) == len(said)
    assert not [graph for graph in dataset.graphs() if (None, TG.contains, None) in graph]


async def test_the_name_of_a_nanopublication_proves_what_it_says_and_stays(informed: Running) -> None:
    """Trusty URIs: whoever has the statements counts the code again."""
    first, again = [(await informed.client.get("/api/v1/nanopubs", params=FACT)).content for _ in range(2)]
    assert first == again
    quads = list(parse(first, format=RdfFormat.TRIG))
    (node,) = {quad.subject for quad in quads if quad.object == NamedNode(str(NP.Nanopublication))}
    assert isinstance(node, NamedNode)
    code = node.value.rpartition(":")[2]
    assert len(code) == 45
    assert artifact_code(quads, code) == code
    assert all(code in str(quad.graph_name) for quad in quads)


async def test_a_second_source_makes_another_nanopublication(informed: Running) -> None:
    (before,) = nodes_of(await published(informed, **FACT))
    await informed.ingest("Marie Curie discovered polonium.", id="https://example.org/other")
    dataset = await published(informed, **FACT)
    (after,) = nodes_of(dataset)
    assertion, provenance, _ = check_well_formed(dataset, after)
    assert after != before
    assert len(list(provenance.objects(assertion.identifier, PROV.wasDerivedFrom))) == 2


async def test_what_is_no_fact_is_told(informed: Running, tmp_path: Path) -> None:
    for query, status in (
        ({**FACT, "o": "urn:nobody"}, 404),
        ({"s": FACT["s"]}, 400),
        ({**FACT, "s": "no iri"}, 400),
    ):
        answer = await informed.client.get("/api/v1/nanopubs", params=query)
        assert answer.status_code == status
    async with running(tmp_path / "empty") as empty:
        assert (await empty.client.get("/api/v1/nanopubs")).text == ""
