"""RDF 1.2 terms as RDF 1.1 has them, so that any store for SPARQL 1.1 can hold them, and back again.

    GRAPH urn:graph:source { <subgraph> tg:contains <<( ex:Curie ex:discovered ex:Polonium )>> }

becomes

    GRAPH urn:graph:source { <subgraph> tg:contains <urn:provgraph:triple:…> }
    GRAPH urn:provgraph:quotations {
        <urn:provgraph:triple:…> rdf:subject ex:Curie ; rdf:predicate ex:discovered ; rdf:object ex:Polonium }

The node is named by the term (`rdf.projection`), so that equal terms are one node in all graphs, and is described once,
in a graph that no pattern of ours reaches unless it asks for quotations.

Stores compute with the datatypes of XML Schema, and give some values back in another form or not at all: a double with
fewer digits, no integer beyond 64 bits. And they take two for one that are equal as values: 5 and 5.0, a moment in two
time zones; Virtuoso also 1903, January 1903 and its first day. Values of the forms in `_KEPT` come back, and no two of
them are equal but true and 1, false and 0, and these as decimals, which are scores. The text of any other value is put
under a datatype that no store knows. So is a text with a base direction.

Knows nothing of connections.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from pyoxigraph import BaseDirection, Literal, NamedNode, Quad, Triple

from provgraph.errors import InvalidInput
from provgraph.rdf.literals import canonical
from provgraph.rdf.projection import triple_term_iri
from provgraph.rdf.terms import Term, named
from provgraph.rdf.vocabulary import PREFIXES, RDF

QUOTATIONS: Final = NamedNode("urn:provgraph:quotations")
"""The graph that says of each triple term's node what the term is."""
NODES: Final = "urn:provgraph:triple:"
"""How the nodes of triple terms begin."""

_OPAQUE: Final = "urn:provgraph:literal:"
_DIRECTED: Final = "urn:provgraph:text:"
_XSD: Final = PREFIXES["xsd"]
_YEAR: Final = r"(?!0000)\d{4}"
_KEPT: Final = {
    f"{_XSD}{name}": re.compile(form)
    for name, form in {
        "boolean": "true|false",
        "integer": r"-?\d{1,18}",
        "decimal": r"-?(?=[\d.]{1,18}$)\d+\.\d+|[01]",
        "dateTime": _YEAR + r"-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z",
        "date": _YEAR + r"-\d\d-(?!01)\d\d",
        "gYearMonth": _YEAR + r"-(?!01)\d\d",
        "gYear": _YEAR,
    }.items()
}
_TEXTS: Final = frozenset(f"{_XSD}{name}" for name in ("string", "anyURI", "language", "token"))
_LONGEST_IRI: Final = 1_800
"""Bytes. Virtuoso cuts longer ones at 1,879, and so makes two of them one."""


def written_term(term: Term) -> Term:
    """The term as the store has it. Raises `InvalidInput` for an IRI that stores do not keep whole."""
    if isinstance(term, Triple):
        return triple_term_iri(_canonical(term))
    if isinstance(term, Literal):
        return _written_literal(term)
    if isinstance(term, NamedNode) and len(term.value) * 4 > _LONGEST_IRI:
        _refuse_long(term)
    return term


def written_quads(quads: Iterable[Quad]) -> list[Quad]:
    """The quads as the store has them, with what says of each triple term in them what it is.

    Raises `InvalidInput` for an object that would be read as a triple term, and is none.
    """
    given = list(quads)
    for term in (*(quad.object for quad in given), *(term.object for term in quoted_terms(given))):
        if is_quotation(term):
            raise InvalidInput(
                f"<{named(term).value[:100]}> stands for a quoted edge in stores of RDF 1.1, and cannot be written "
                "to one as an IRI. Import the edge itself, from an export in RDF 1.2."
            )
    plain = [written_quad(quad) for quad in given]
    return [*plain, *descriptions(quoted_terms(given))]


def written_quad(quad: Quad) -> Quad:
    """The quad alone."""
    if not isinstance(quad, Quad):
        raise TypeError(f"expected a quad, found {quad!r}")
    subject, object_ = written_term(quad.subject), written_term(quad.object)
    assert isinstance(subject, NamedNode)
    return Quad(subject, quad.predicate, object_, quad.graph_name)


def quoted_terms(quads: Iterable[Quad]) -> list[Triple]:
    """The triple terms of these quads, each once, an outer one before those inside it."""
    terms: dict[Triple, None] = {}
    for quad in quads:
        inner = quad.object
        while isinstance(inner, Triple):
            term = _canonical(inner)
            terms.pop(term, None)
            terms[term] = None
            inner = inner.object
    return list(terms)


def descriptions(terms: Iterable[Triple]) -> Iterator[Quad]:
    """What says of the nodes of these terms what each is."""
    for term in terms:
        node = triple_term_iri(term)
        subject, object_ = written_term(term.subject), written_term(term.object)
        yield Quad(node, RDF.subject, subject, QUOTATIONS)
        yield Quad(node, RDF.predicate, term.predicate, QUOTATIONS)
        yield Quad(node, RDF.object, object_, QUOTATIONS)


def is_quotation(term: object) -> bool:
    """Whether a term that the store has stands for a triple term."""
    return isinstance(term, NamedNode) and term.value.startswith(NODES)


def read_literal(term: Term) -> Term:
    """The term that the store has, as it was written; one that stands for a triple term stays as it is."""
    if not isinstance(term, Literal) or term.language is not None:
        return term
    datatype = term.datatype.value
    if datatype.startswith(_OPAQUE):
        return Literal(term.value, datatype=NamedNode(datatype.removeprefix(_OPAQUE)))
    if datatype.startswith(_DIRECTED):
        language, _, direction = datatype.removeprefix(_DIRECTED).rpartition("--")
        return Literal(term.value, language=language, direction=BaseDirection(direction))
    return canonical(term) if datatype in _KEPT else term


def _written_literal(literal: Literal) -> Literal:
    if literal.direction is not None:
        named = NamedNode(f"{_DIRECTED}{literal.language}--{literal.direction.value}")
        return Literal(literal.value, datatype=named)
    datatype = literal.datatype.value
    if literal.language is not None or datatype in _TEXTS:
        return literal
    is_own = datatype.startswith((_OPAQUE, _DIRECTED))
    if not is_own and not datatype.startswith(_XSD):
        return literal
    kept = literal if is_own else canonical(literal)
    form = _KEPT.get(kept.datatype.value)
    if form is not None and form.fullmatch(kept.value):
        return kept
    return Literal(kept.value, datatype=NamedNode(_OPAQUE + kept.datatype.value))


def _canonical(term: Triple) -> Triple:
    """The term as an embedded store has it: its name must be that of what it is read as."""
    inner = term.object
    if isinstance(inner, Triple):
        return Triple(term.subject, term.predicate, _canonical(inner))
    if isinstance(inner, Literal) and inner.language is None and inner.datatype.value.startswith(_XSD):
        return Triple(term.subject, term.predicate, canonical(inner))
    return term


def _refuse_long(iri: NamedNode) -> None:
    size = len(iri.value.encode())
    if size > _LONGEST_IRI:
        raise InvalidInput(
            f"An IRI of {size} bytes ({iri.value[:60]}…) is longer than stores of RDF 1.1 keep. "
            f"Use one of at most {_LONGEST_IRI} bytes."
        )
