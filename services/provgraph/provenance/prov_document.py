"""Provenance as RDF → the same as a PROV document, for tools that read PROV-JSON or PROV-N and no RDF.

Activities, entities and agents become those of PROV-DM, links of PROV-O its relations (`prov:wasQuotedFrom` a
derivation of type `prov:Quotation`), and everything else attributes. A quoted edge becomes an entity of type
`rdf:Statement` with the attributes `rdf:subject`, `rdf:predicate` and `rdf:object`, named by the edge as in JSON-LD
(`rdf.projection`). The `prov` package writes both formats; it is imported here only, and takes 0.1 s.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from provgraph.rdf.projection import project_triple_terms
from provgraph.rdf.terms import Literal, NamedNode, Quad, Term, Triple, named
from provgraph.rdf.vocabulary import PREFIXES, PROV, RDF, RDFS, XSD

if TYPE_CHECKING:
    from prov.identifier import QualifiedName
    from prov.model import ProvDocument

PROV_FORMATS: Final = {
    "prov-json": "application/provenance+json",  # by analogy with PROV-XML's; none is registered
    "prov-n": "text/provenance-notation",
}
_WRITERS: Final = {"prov-json": "json", "prov-n": "provn"}
_RELATIONS: Final = {
    PROV.used: "used",
    PROV.was_generated_by: "wasGeneratedBy",
    PROV.was_derived_from: "wasDerivedFrom",
    PROV.was_associated_with: "wasAssociatedWith",
    PROV.was_attributed_to: "wasAttributedTo",
    PROV.specialization_of: "specializationOf",
    PROV.was_quoted_from: "quotation",
}
_CLASSES: Final = (PROV.Activity, PROV.Entity, PROV.Agent)
_SPLIT: Final = re.compile(r"(?s)(.*[/#:])([^/#:]+)")

Properties = dict[NamedNode, list[Term]]


def prov_format(accept: str) -> str | None:
    """The first PROV format that an Accept header names, or None."""
    asked = [part.partition(";")[0].strip().casefold() for part in accept.split(",")]
    names = {media_type: name for name, media_type in PROV_FORMATS.items()}
    return next((names[media_type] for media_type in asked if media_type in names), None)


def prov_text(quads: Iterable[Quad], style: str) -> str:
    """The quads as a PROV document in one of `PROV_FORMATS`, whatever graphs they are in."""
    written = _Document(quads).made().serialize(format=_WRITERS[style])
    return f"{written}\n"


class _Document:
    def __init__(self, quads: Iterable[Quad]) -> None:
        from prov.model import ProvDocument

        self._document: ProvDocument = ProvDocument()
        self._nodes: dict[NamedNode, Properties] = defaultdict(lambda: defaultdict(list))
        for triple in project_triple_terms(_asserted(quads)):
            self._nodes[named(triple.subject)][triple.predicate].append(triple.object)
        self._prefixes = {iri: prefix for prefix, iri in PREFIXES.items()}

    def made(self) -> ProvDocument:
        for node, said in self._nodes.items():
            self._describe(node, said)
        for node, said in self._nodes.items():
            for predicate, relation in _RELATIONS.items():
                for other in said.get(predicate, ()):
                    getattr(self._document, relation)(self._name(node), self._name(named(other)))
        return self._document

    def _describe(self, node: NamedNode, said: Properties) -> None:
        types = said.get(RDF.type, [])
        if PROV.Activity in types:
            start, end = (_moment(said.get(term)) for term in (PROV.started_at_time, PROV.ended_at_time))
            self._document.activity(self._name(node), start, end, self._attributes(said))
        elif PROV.Agent in types:
            self._document.agent(self._name(node), self._attributes(said))
        else:
            self._document.entity(self._name(node), self._attributes(said))

    def _attributes(self, said: Properties) -> list[tuple[QualifiedName, Any]]:
        told = (*_RELATIONS, PROV.started_at_time, PROV.ended_at_time)
        attributes = [
            (self._key(predicate), self._value(value))
            for predicate, values in said.items()
            if predicate not in told
            for value in values
            if not (predicate == RDF.type and value in _CLASSES)
        ]
        if RDF.subject in said:
            attributes.append((self._key(RDF.type), self._name(NamedNode(PREFIXES["rdf"] + "Statement"))))
        return attributes

    def _key(self, predicate: NamedNode) -> QualifiedName:
        """PROV-DM has its own names for types and labels (sections 5.7.2.1 and 5.7.2.4)."""
        own = {RDF.type: "type", RDFS.label: "label"}.get(predicate)
        return self._name(NamedNode(PREFIXES["prov"] + own) if own else predicate)

    def _value(self, term: Term) -> Any:
        from prov.model import Literal as ProvLiteral

        if not isinstance(term, Literal):
            return self._name(named(term))
        if term.language:
            return ProvLiteral(term.value, langtag=term.language)
        if term.datatype == XSD.string:
            return term.value
        return ProvLiteral(term.value, self._name(term.datatype))

    def _name(self, node: NamedNode) -> QualifiedName:
        """The IRI as a qualified name, its namespace up to the last of `/`, `#` and `:` before its last word."""
        from prov.identifier import Namespace, QualifiedName

        match = _SPLIT.fullmatch(node.value)
        uri, local = (match[1], match[2]) if match else (node.value, "")
        prefix = self._prefixes.setdefault(uri, f"ns{len(self._prefixes)}")
        namespace = self._document.add_namespace(Namespace(prefix, uri))
        return QualifiedName(namespace, local)


def _asserted(quads: Iterable[Quad]) -> Iterable[Triple]:
    return dict.fromkeys(quad.triple for quad in quads)


def _moment(values: list[Term] | None) -> datetime | None:
    """A time of an activity; of several, which no shape allows, the first."""
    moments = sorted(value.value for value in values or () if isinstance(value, Literal))
    return datetime.fromisoformat(moments[0]) if moments else None
