"""What the SPARQL endpoint says of itself, for clients that ask it without a query (SPARQL 1.1 Service Description)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pyoxigraph import BlankNode, NamedNode, Triple

from provgraph.rdf.vocabulary import RDF, RDFS
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
