"""A fact as a nanopublication: what it says, where it was read, and who says so, each a graph of its own.

    <np#Head>       { <np> a np:Nanopublication ; np:hasAssertion <np#assertion> ;
                      np:hasProvenance <np#provenance> ; np:hasPublicationInfo <np#pubinfo> . }
    <np#assertion>  { e:curie e:discovered e:polonium . }
    <np#provenance> { <np#assertion> prov:wasDerivedFrom <quotation> ; prov:wasGeneratedBy <extraction> .
                      and the chain: quotation, chunk, page, document, activity, agent }
    <np#pubinfo>    { <np> dcterms:created "…"^^xsd:dateTime ; prov:wasAttributedTo <agent> ; rdfs:label "…" . }

(Nanopublication Guidelines, https://nanopub.net/guidelines/working_draft/, "Well-Formed Nanopublications".) Named
by the fact and the quotations behind it: another source makes another nanopublication. No triple terms, so every
reader of RDF 1.1 can read it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from provgraph.rdf import literals
from provgraph.rdf.iris import agent_iri
from provgraph.rdf.terms import NamedNode, Quad, Triple
from provgraph.rdf.vocabulary import PREFIXES, PROV, RDF, RDFS

NANOPUB_PREFIXES: Final = {
    **PREFIXES,
    "np": "http://www.nanopub.org/nschema#",
    "dcterms": "http://purl.org/dc/terms/",
}
_PUBLISHER: Final = agent_iri("provgraph")


def _np(name: str) -> NamedNode:
    return NamedNode(NANOPUB_PREFIXES["np"] + name)


@dataclass(frozen=True)
class PublishedFact:
    """A fact in words, the quotations that say it, the activities that read it, and all that describes these."""

    fact: Triple
    words: str
    quotations: Sequence[NamedNode]
    activities: Sequence[NamedNode]
    described: Sequence[Quad]


def nanopublication_quads(published: PublishedFact, at: datetime) -> Iterator[Quad]:
    """The four graphs; `at` is when it is published."""
    node = _iri(published)
    head, assertion, provenance, pubinfo = (
        NamedNode(f"{node.value}#{part}") for part in ("Head", "assertion", "provenance", "pubinfo")
    )
    yield Quad(node, RDF.type, _np("Nanopublication"), head)
    yield Quad(node, _np("hasAssertion"), assertion, head)
    yield Quad(node, _np("hasProvenance"), provenance, head)
    yield Quad(node, _np("hasPublicationInfo"), pubinfo, head)
    fact = published.fact
    yield Quad(fact.subject, fact.predicate, fact.object, assertion)
    for quotation in published.quotations:
        yield Quad(assertion, PROV.was_derived_from, quotation, provenance)
    for activity in published.activities:
        yield Quad(assertion, PROV.was_generated_by, activity, provenance)
    for quad in published.described:
        if not isinstance(quad.object, Triple):
            yield Quad(quad.subject, quad.predicate, quad.object, provenance)
    yield from _pubinfo(node, published.words, at, pubinfo)


def _pubinfo(node: NamedNode, words: str, at: datetime, graph: NamedNode) -> Iterator[Quad]:
    created = NamedNode(NANOPUB_PREFIXES["dcterms"] + "created")
    yield Quad(node, RDFS.label, literals.text(words), graph)
    yield Quad(node, created, literals.date_time(at), graph)
    yield Quad(node, PROV.was_attributed_to, _PUBLISHER, graph)
    yield Quad(_PUBLISHER, RDF.type, PROV.Agent, graph)
    yield Quad(_PUBLISHER, RDFS.label, literals.text("ProvGraph"), graph)


def _iri(published: PublishedFact) -> NamedNode:
    said = "\n".join([str(published.fact), *sorted(node.value for node in published.quotations)])
    return NamedNode(f"urn:trustgraph:nanopub:{hashlib.sha256(said.encode()).hexdigest()}")
