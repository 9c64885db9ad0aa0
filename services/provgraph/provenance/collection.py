"""What is recorded of a collection itself: that there is one, and how it is asked and read.

Every example in a docstring is parsed by a test and conforms to the shapes.
"""

from __future__ import annotations

from datetime import datetime

from provgraph.rdf import literals
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import PROV, RDF, RDFS, TG


def collection_quads(collection: NamedNode, name: str, at: datetime, graph: NamedNode) -> list[Quad]:
    """A collection, in its own source graph.

    <urn:trustgraph:collection:papers> a prov:Entity, tg:Collection ; rdfs:label "papers" ;
        prov:generatedAtTime "2026-01-02T03:04:05Z"^^xsd:dateTime .
    """
    return [
        Quad(collection, RDF.type, PROV.Entity, graph),
        Quad(collection, RDF.type, TG.Collection, graph),
        Quad(collection, RDFS.label, literals.text(name), graph),
        Quad(collection, PROV.generated_at_time, literals.date_time(at), graph),
    ]


def settings_quads(collection: NamedNode, settings: str, graph: NamedNode) -> list[Quad]:
    """How a collection is read and asked where a request does not say it, as JSON.

    <urn:trustgraph:collection:papers> tg:settings "{\\"engine\\":\\"model-free\\"}" .
    """
    return [Quad(collection, TG.settings, literals.text(settings), graph)]
