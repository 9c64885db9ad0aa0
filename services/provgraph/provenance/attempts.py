"""Source provenance of what did not come about: an extractor that failed to read a chunk, until it has read it.

Examples are held as those of `source`.
"""

from __future__ import annotations

from datetime import datetime

from provgraph.provenance.source import Component, described_activity
from provgraph.rdf import literals
from provgraph.rdf.iris import activity_iri
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import TG

STEP = "attempt"


def attempt_quads(
    subgraph: NamedNode, chunk: NamedNode, extractor: Component, failure: str, at: datetime, graph: NamedNode
) -> list[Quad]:
    """An extraction that failed, under the name of the subgraph that it did not make.

    <subgraph/attempt> a prov:Activity ; rdfs:label "Extract facts (failed)" ; prov:used <doc/chunk/2c26b4-0> ;
        prov:wasAssociatedWith <urn:trustgraph:agent:agent> ; tg:componentVersion "1" ; tg:llmModel "a-model" ;
        prov:startedAtTime "2026-01-02T03:04:05Z"^^xsd:dateTime ;
        tg:failure "The model did not answer in 120 s. Try later." .
    <urn:trustgraph:agent:agent> a prov:Agent ; rdfs:label "ProvGraph agent extractor" .
    """
    activity = activity_iri(subgraph, STEP)
    described = described_activity(activity, "Extract facts (failed)", chunk, extractor, at, graph)
    return [*described, Quad(activity, TG.failure, literals.text(failure), graph)]
