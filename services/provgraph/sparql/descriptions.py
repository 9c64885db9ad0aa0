"""What the SPARQL endpoint says of itself, for clients that ask it without a query (SPARQL 1.1 Service Description),
and what a service holds: each collection as a dataset (VoID, https://www.w3.org/TR/void/)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from provgraph.rdf import literals
from provgraph.rdf.vocabulary import DC, PREFIXES, RDF, RDFS
from provgraph.sparql.dataset import Dataset
from provgraph.sparql.formats import GRAPH_FORMATS, RESULT_FORMATS

_SD: Final = "http://www.w3.org/ns/sparql-service-description#"
_MEDIA_TYPES: Final = "http://www.w3.org/ns/formats/media_type/"


def _sd(name: str) -> NamedNode:
    return NamedNode(_SD + name)


def service_description(endpoint: NamedNode, dataset: Dataset) -> Iterator[Triple]:
    """The endpoint's language, formats and dataset.

    <endpoint> a sd:Service ; sd:endpoint <endpoint> ; sd:supportedLanguage sd:SPARQL11Query ;
        sd:feature sd:UnionDefaultGraph ; rdfs:seeAlso </.well-known/void> ;
        sd:defaultDataset [ a sd:Dataset ; sd:defaultGraph [ a sd:Graph ] ;
            sd:namedGraph [ a sd:NamedGraph ; sd:name <urn:graph:knowledge> ] ] .
    """
    described = BlankNode("dataset")
    yield Triple(endpoint, RDF.type, _sd("Service"))
    yield Triple(endpoint, _sd("endpoint"), endpoint)
    yield Triple(endpoint, _sd("supportedLanguage"), _sd("SPARQL11Query"))
    yield Triple(endpoint, _sd("feature"), _sd("UnionDefaultGraph"))
    yield Triple(
        endpoint, RDFS.see_also, NamedNode(endpoint.value.removesuffix("sparql") + ".well-known/void")
    )
    for each in (*RESULT_FORMATS, *GRAPH_FORMATS):
        yield Triple(endpoint, _sd("resultFormat"), NamedNode(_MEDIA_TYPES + each.media_type))
    yield Triple(endpoint, _sd("defaultDataset"), described)
    yield Triple(described, RDF.type, _sd("Dataset"))
    yield Triple(described, _sd("defaultGraph"), BlankNode("default"))
    yield Triple(BlankNode("default"), RDF.type, _sd("Graph"))
    for index, graph in enumerate(dataset.named_graphs):
        node = BlankNode(f"graph{index}")
        yield Triple(described, _sd("namedGraph"), node)
        yield Triple(node, RDF.type, _sd("NamedGraph"))
        yield Triple(node, _sd("name"), graph)


_VOID: Final = "http://rdfs.org/ns/void#"
_VOCABULARIES: Final = ("tg", "prov", "rdfs", "dc", "oa")


def _void(name: str) -> NamedNode:
    return NamedNode(_VOID + name)


@dataclass(frozen=True)
class DescribedGraph:
    """A graph of a collection, and how many triples it has, where that could be counted."""

    name: NamedNode
    title: str
    triples: int | None


@dataclass(frozen=True)
class DescribedCollection:
    name: str
    graphs: Sequence[DescribedGraph]


def dataset_description(base: str, collections: Iterable[DescribedCollection]) -> Iterator[Triple]:
    """`base` is the service's own address, with a slash at its end.

    <http://…/.well-known/void> a void:DatasetDescription ; foaf:topic <http://…/.well-known/void#default> .
    <http://…/.well-known/void#default> a void:Dataset ; dc:title "default" ;
        void:sparqlEndpoint <http://…/sparql?collection=default> ; void:vocabulary tg: ;
        void:dataDump <http://…/api/v1/export?collection=default> ; void:subset <urn:graph:knowledge> .
    <urn:graph:knowledge> a void:Dataset ; dc:title "facts" ; void:triples 120 .
    """
    description = NamedNode(f"{base}.well-known/void")
    yield Triple(description, RDF.type, _void("DatasetDescription"))
    yield Triple(description, DC.title, literals.text("ProvGraph: facts, their sources, and answers"))
    for collection in collections:
        dataset = NamedNode(f"{description.value}#{collection.name}")
        yield Triple(description, NamedNode("http://xmlns.com/foaf/0.1/topic"), dataset)
        yield from _dataset(base, dataset, collection)


def _dataset(base: str, dataset: NamedNode, described: DescribedCollection) -> Iterator[Triple]:
    yield Triple(dataset, RDF.type, _void("Dataset"))
    yield Triple(dataset, DC.title, literals.text(described.name))
    chosen = f"collection={described.name}"
    yield Triple(dataset, _void("sparqlEndpoint"), NamedNode(f"{base}sparql?{chosen}"))
    yield Triple(dataset, _void("dataDump"), NamedNode(f"{base}api/v1/export?{chosen}"))
    for prefix in _VOCABULARIES:
        yield Triple(dataset, _void("vocabulary"), NamedNode(PREFIXES[prefix]))
    for graph_format in GRAPH_FORMATS:
        yield Triple(dataset, _void("feature"), NamedNode(_MEDIA_TYPES + graph_format.media_type))
    yield Triple(dataset, RDFS.see_also, NamedNode(f"{base}ontology"))
    for graph in described.graphs:
        yield Triple(dataset, _void("subset"), graph.name)
        yield Triple(graph.name, RDF.type, _void("Dataset"))
        yield Triple(graph.name, DC.title, Literal(graph.title))
        if graph.triples is not None:
            yield Triple(graph.name, _void("triples"), literals.integer(graph.triples))
