"""A fact as a nanopublication: what it says, where it was read, and who says so, each a graph of its own.

    <np#Head>       { <np> a np:Nanopublication ; np:hasAssertion <np#assertion> ;
                      np:hasProvenance <np#provenance> ; np:hasPublicationInfo <np#pubinfo> . }
    <np#assertion>  { e:curie e:discovered e:polonium . }
    <np#provenance> { <np#assertion> prov:wasDerivedFrom <quotation> ; prov:wasGeneratedBy <extraction> .
                      and the chain: quotation, chunk, page, document, activity, agent }
    <np#pubinfo>    { <np> dcterms:created "…"^^xsd:dateTime ; prov:wasAttributedTo <agent> ; rdfs:label "…" . }

(Nanopublication Guidelines, https://nanopub.net/guidelines/working_draft/, "Well-Formed Nanopublications".) Its name is
a trusty URI, a hash of all that stands in it: who has it can prove that nothing was changed, and another source makes
another nanopublication. It is dated by the last reading of the fact, so that the same sources make the same one
whenever it is asked for. No triple terms, so every reader of RDF 1.1 can read it.

Names that prove what they name: a hash of RDF statements in their own IRIs (trusty URIs, module RA).

    <urn:trustgraph:nanopub:RAcbjcRIQozo2wBMq4WcCYkFAjRz0AX-Ux3PquZZrC68s>

(T. Kuhn and M. Dumontier: Trusty URIs. ESWC 2014; https://github.com/trustyuri/trustyuri-spec, version 1.) Whoever has
the statements can count the hash again: one character more or less in them, and it is another name.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from provgraph.rdf import literals
from provgraph.rdf.iris import agent_iri
from provgraph.rdf.terms import DefaultGraph, Literal, NamedNode, Quad, Term, Triple, named
from provgraph.rdf.versions import RdfVersion, in_version
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


def nanopublication_quads(published: PublishedFact, now: datetime) -> list[Quad]:
    """The four graphs, named by what they hold; `now` is its date where no reading of the fact has one."""
    return named_by_content(in_version(_unnamed(published, now), RdfVersion.RDF_1_1))


def _unnamed(published: PublishedFact, now: datetime) -> Iterator[Quad]:
    node = NamedNode(f"urn:trustgraph:nanopub:{UNNAMED}")
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
    yield from _pubinfo(node, published.words, _last_read(published) or literals.date_time(now), pubinfo)


def _last_read(published: PublishedFact) -> Literal | None:
    """When the last of the activities began that read the fact."""
    times = [
        quad.object
        for quad in published.described
        if quad.predicate == PROV.started_at_time and quad.subject in published.activities
    ]
    found = [time for time in times if isinstance(time, Literal)]
    return max(found, key=lambda time: datetime.fromisoformat(time.value), default=None)


def _pubinfo(node: NamedNode, words: str, at: Literal, graph: NamedNode) -> Iterator[Quad]:
    created = NamedNode(NANOPUB_PREFIXES["dcterms"] + "created")
    yield Quad(node, RDFS.label, literals.text(words), graph)
    yield Quad(node, created, at, graph)
    yield Quad(node, PROV.was_attributed_to, _PUBLISHER, graph)
    yield Quad(_PUBLISHER, RDF.type, PROV.Agent, graph)
    yield Quad(_PUBLISHER, RDFS.label, literals.text("ProvGraph"), graph)


UNNAMED: Final = "RA" + "0" * 43
"""Stands for the code in statements that have none yet."""


def named_by_content(quads: Iterable[Quad]) -> list[Quad]:
    """The statements with their code in the place of `UNNAMED`, in every IRI. No blank nodes and no triple terms.

    Raises `TypeError` for these: a hash of them would need a canonical form.
    """
    unnamed = list(dict.fromkeys(quads))
    code = artifact_code(unnamed, UNNAMED)
    return [
        Quad(
            _renamed(named(quad.subject), code),
            quad.predicate,
            _renamed(quad.object, code) if isinstance(quad.object, NamedNode) else quad.object,
            _renamed(quad.graph_name, code) if isinstance(quad.graph_name, NamedNode) else quad.graph_name,
        )
        for quad in unnamed
    ]


def artifact_code(quads: Sequence[Quad], own: str) -> str:
    """The code of these statements, which may name themselves by `own`: RA and 43 characters of base64."""
    rows = sorted({_sortable(quad, own) for quad in quads})
    text = "".join(
        f"{graph}\n{subject}\n{predicate}\n{written}\n" for graph, subject, predicate, _, written in rows
    )
    hashed = hashlib.sha256(text.encode()).digest()
    return "RA" + base64.urlsafe_b64encode(hashed).decode().rstrip("=")


def _renamed(node: NamedNode, code: str) -> NamedNode:
    return NamedNode(node.value.replace(UNNAMED, code)) if UNNAMED in node.value else node


def _sortable(quad: Quad, own: str) -> tuple[str, str, str, tuple[bool, str, str, str], str]:
    """Graph, subject and predicate; the order of the object among its like, IRIs first; and how it is written."""
    graph, subject, predicate = (_iri(each, own) for each in (quad.graph_name, quad.subject, quad.predicate))
    if not isinstance(quad.object, Literal):
        written = _iri(quad.object, own)
        return graph, subject, predicate, (False, written, "", ""), written
    value, language = quad.object.value, (quad.object.language or "").lower()
    datatype = "" if language else quad.object.datatype.value
    escaped = value.replace("\\", "\\\\").replace("\n", "\\n")
    written = f"@{language} {escaped}" if language else f"^{datatype} {escaped}"
    return graph, subject, predicate, (True, value, datatype, language), written


def _iri(term: Term | DefaultGraph, own: str) -> str:
    if not isinstance(term, NamedNode):
        raise TypeError(f"expected an IRI, found {term!r}")
    return term.value.replace(own, " ")
