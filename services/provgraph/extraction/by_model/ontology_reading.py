"""An OWL or RDFS file → `Ontology`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from pathlib import PurePath
from typing import Final

from provgraph.errors import TooLarge, UnreadableDocument, UnsupportedDocument
from provgraph.extraction.by_model.ontology import Ontology, OntologyClass, OntologyProperty, by_name
from provgraph.rdf.iris import digest
from provgraph.rdf.serialization import RdfFormat
from provgraph.rdf.terms import BlankNode, Literal, NamedNode, Term
from provgraph.rdf.untrusted import untrusted_quads
from provgraph.rdf.vocabulary import OWL, PREFIXES, RDF, RDFS, XSD

_FORMATS: Final = {
    "ttl": RdfFormat.TURTLE,
    "owl": RdfFormat.RDF_XML,
    "rdf": RdfFormat.RDF_XML,
    "xml": RdfFormat.RDF_XML,
    "nt": RdfFormat.N_TRIPLES,
    "jsonld": RdfFormat.JSON_LD,
}
MOST_BYTES: Final = 2_000_000
MOST_ABOVE_OR_BESIDE: Final = 100
"""Ancestors of a class, and members of a union: a file can make far more of them than it has lines."""
MOST_CHARACTERS: Final = 100_000
"""Of the description, for every call of the model reads all of it."""

_CLASSES: Final = (OWL.Class, RDFS.Class)
_PROPERTIES: Final = (OWL.ObjectProperty, OWL.DatatypeProperty, RDF.Property)


def read_ontology(content: bytes, name: str) -> Ontology:
    """The ontology in a file, by its extension.

    Raises `UnsupportedDocument` for another extension, `UnreadableDocument` for RDF that does not parse, or that
    declares no class or no property, and `TooLarge` for more than fits into a prompt.
    """
    extension = PurePath(name).suffix.removeprefix(".").casefold()
    if extension not in _FORMATS:
        raise UnsupportedDocument(f"{name} is not known as an ontology. Name it .{', .'.join(_FORMATS)}.")
    if len(content) > MOST_BYTES:
        raise _too_large(name)
    fallback = NamedNode(f"urn:trustgraph:ontology:{digest(content)}")
    try:
        graph = _Graph(content, _FORMATS[extension], fallback)
    except (SyntaxError, ValueError) as error:
        raise UnreadableDocument(f"The ontology {name} cannot be read: {error}. Correct it there.") from error
    try:
        ontology = Ontology(
            iri=next(graph.of_type((OWL.Ontology,)), fallback),
            hash=digest(content),
            classes=by_name(graph.class_(iri) for iri in graph.of_type(_CLASSES)),
            properties=by_name(graph.property(iri) for iri in graph.of_type(_PROPERTIES)),
        )
    except OverflowError as error:
        raise _too_large(name) from error
    if len(ontology.described()) > MOST_CHARACTERS:
        raise _too_large(name)
    if not ontology.classes or not ontology.properties:
        raise UnreadableDocument(
            f"The ontology {name} declares no class or no property. Give an OWL or RDFS ontology with both."
        )
    return ontology


def _too_large(name: str) -> TooLarge:
    return TooLarge(
        f"The ontology {name} is too large: a model reads all of it with every chunk. "
        f"Give the part that matters, described in at most {MOST_CHARACTERS:,} characters."
    )


def _bounded(seen: Collection[Term]) -> None:
    if len(seen) > MOST_ABOVE_OR_BESIDE:
        raise OverflowError


class _Graph:
    """The triples of an ontology, to be looked up from their subjects.

    Raises `OverflowError` where a class has too many ancestors, or a union too many members.
    """

    def __init__(self, content: bytes, format_: RdfFormat, base: NamedNode) -> None:
        self._objects: dict[tuple[Term, NamedNode], list[Term]] = defaultdict(list)
        self._subjects: dict[Term, None] = {}
        for quad in untrusted_quads(content, format_, base.value):
            self._objects[quad.subject, quad.predicate].append(quad.object)
            self._subjects[quad.subject] = None

    def of_type(self, types: Iterable[NamedNode]) -> Iterator[NamedNode]:
        nodes = set(types)
        for subject in self._subjects:
            if isinstance(subject, NamedNode) and nodes & set(self._get(subject, RDF.type)):
                yield subject

    def class_(self, iri: NamedNode) -> OntologyClass:
        ancestors, coming = {iri}, [iri]
        while coming:
            for parent in self._get(coming.pop(), RDFS.sub_class_of):
                if isinstance(parent, NamedNode) and parent not in ancestors and parent != OWL.Thing:
                    ancestors.add(parent)
                    coming.append(parent)
                    _bounded(ancestors)
        return OntologyClass(
            iri, self._text(iri, RDFS.label), self._text(iri, RDFS.comment), frozenset(ancestors)
        )

    def property(self, iri: NamedNode) -> OntologyProperty:
        ranges = self._get(iri, RDFS.range)
        is_datatype = OWL.DatatypeProperty in self._get(iri, RDF.type)
        datatypes = [
            range_
            for range_ in ranges
            if isinstance(range_, NamedNode) and (is_datatype or _is_datatype(range_))
        ]
        if is_datatype and not datatypes:
            datatypes = [XSD.string]
        return OntologyProperty(
            iri,
            self._text(iri, RDFS.label),
            self._text(iri, RDFS.comment),
            tuple(self._unions(self._get(iri, RDFS.domain))),
            () if datatypes else tuple(self._unions(ranges)),
            datatypes[0] if datatypes else None,
        )

    def _unions(self, expressions: Iterable[Term]) -> Iterator[frozenset[NamedNode]]:
        for expression in expressions:
            if isinstance(expression, NamedNode):
                if expression != OWL.Thing:
                    yield frozenset({expression})
            else:
                for members in self._get(expression, OWL.union_of):
                    yield frozenset(
                        named_node for named_node in self._list(members) if isinstance(named_node, NamedNode)
                    )

    def _list(self, node: Term) -> Iterator[Term]:
        seen: set[Term] = set()
        while isinstance(node, BlankNode) and node not in seen:
            seen.add(node)
            _bounded(seen)
            yield from self._get(node, RDF.first)
            node = next(iter(self._get(node, RDF.rest)), RDF.nil)

    def _get(self, subject: Term, predicate: NamedNode) -> list[Term]:
        return self._objects.get((subject, predicate), [])

    def _text(self, subject: Term, predicate: NamedNode) -> str:
        """The English or unmarked words, else any."""
        words = [each for each in self._get(subject, predicate) if isinstance(each, Literal)]
        words.sort(key=lambda each: (each.language or "en").split("-")[0] != "en")
        return " ".join(words[0].value.split()) if words else ""


def _is_datatype(node: NamedNode) -> bool:
    return node.value.startswith(PREFIXES["xsd"]) or node in (RDF.lang_string, RDFS.Literal)
