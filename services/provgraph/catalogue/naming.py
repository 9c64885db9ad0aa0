"""Readable labels of terms, and the facts that a person means by labels, IRIs and values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from provgraph.errors import InvalidInput
from provgraph.ports.quad_store import QuadPattern, QuadStore, match_in_turns
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import entity_iri, local_name
from provgraph.rdf.json_terms import term_from_text
from provgraph.rdf.terms import Literal, NamedNode, Quad, Term, Triple
from provgraph.rdf.vocabulary import RDF, RDFS


def is_statement(fact: Triple) -> bool:
    """False for labels and types, which name things; true for facts that say something of them."""
    return fact.predicate not in (RDF.type, RDFS.label)


def quotes_a_name(quad: Quad) -> bool:
    """Whether it reifies a label or type, as quotations of older versions do, or not, under the same name."""
    return quad.predicate == RDF.reifies and isinstance(quad.object, Triple) and not is_statement(quad.object)


async def labels(store: QuadStore, graph: NamedNode, terms: Iterable[Term]) -> dict[Term, str]:
    """A label for every term: its `rdfs:label` (of several the first in code point order), or a stand-in."""
    asked = list(dict.fromkeys(terms))
    nodes = [term for term in asked if isinstance(term, NamedNode)]
    found = await match_in_turns(store, (QuadPattern(node, RDFS.label, None, graph) for node in nodes))
    named = {
        node: min((quad.object.value for quad in quads if isinstance(quad.object, Literal)), default="")
        for node, quads in zip(nodes, found, strict=True)
    }
    return {
        term: (named.get(term, "") if isinstance(term, NamedNode) else "") or stand_in(term) for term in asked
    }


async def type_labels(
    store: QuadStore, graph: NamedNode, terms: Iterable[Term]
) -> dict[Term, tuple[str, ...]]:
    """What kind of thing each entity is, in labels and their order; nothing for one that has no type."""
    nodes = [term for term in dict.fromkeys(terms) if isinstance(term, NamedNode)]
    found = await store.match([QuadPattern(node, RDF.type, None, graph) for node in nodes])
    types = {node: [quad.object for quad in quads] for node, quads in zip(nodes, found, strict=True)}
    named = await labels(store, graph, (kind for kinds in types.values() for kind in kinds))
    return {node: tuple(sorted(named[kind] for kind in kinds)) for node, kinds in types.items() if kinds}


def stand_in(term: Term) -> str:
    """What a term without a label is shown as."""
    match term:
        case NamedNode():
            return local_name(term.value)
        case Triple():
            return f"({stand_in(term.subject)}, {stand_in(term.predicate)}, {stand_in(term.object)})"
        case _:
            return term.value


def fact_terms(fact: Triple) -> tuple[Term, Term, Term]:
    return fact.subject, fact.predicate, fact.object


@dataclass(frozen=True)
class NamedFact:
    """The three parts as they were written."""

    subject: str
    relation: str
    object: str

    def __str__(self) -> str:
        return f"({self.subject}, {self.relation}, {self.object})"

    def is_called(self, subject: str, relation: str, thing: str) -> bool:
        """Whether these labels are the name, case and spaces apart."""
        parts = zip((self.subject, self.relation, self.object), (subject, relation, thing), strict=True)
        return all(_plain(own) == _plain(label) for own, label in parts)

    def as_terms(self) -> Triple | None:
        """The triple, where every part is written as an RDF term; None where one is a label."""
        subject, relation, thing = (_as_term(part) for part in (self.subject, self.relation, self.object))
        if isinstance(subject, NamedNode) and isinstance(relation, NamedNode) and thing is not None:
            return Triple(subject, relation, thing)
        return None


def read_name(text: str) -> NamedFact | None:
    """An edge as a person writes it: `SUBJECT | RELATION | OBJECT`, or as it is shown, `(SUBJECT, RELATION, OBJECT)`.

    None for text that is neither. Between bars any part may hold commas.
    """
    parts = text.split("|")
    if len(parts) != 3 and text.startswith("(") and text.endswith(")"):
        parts = text[1:-1].split(", ")
    stripped = [part.strip() for part in parts]
    return NamedFact(*stripped) if len(stripped) == 3 and all(stripped) else None


async def named_facts(store: QuadStore, graphs: CollectionGraphs, name: NamedFact) -> list[Triple]:
    """The facts of a collection that answer to the name, case apart; several where labels are shared."""
    subjects = await called(store, graphs.knowledge, name.subject)
    found = await store.match([QuadPattern(node, None, None, graphs.knowledge) for node in subjects])
    facts = list(dict.fromkeys(quad.triple for quads in found for quad in quads))
    shown = await labels(store, graphs.knowledge, [term for fact in facts for term in fact_terms(fact)])
    return [
        fact
        for fact in facts
        if _is_called(fact.predicate, name.relation, shown) and _is_called(fact.object, name.object, shown)
    ]


async def facts_around(store: QuadStore, graphs: CollectionGraphs, name: str) -> list[Triple]:
    """Statements that have a node of this name at an end."""
    nodes = await called(store, graphs.knowledge, name)
    found = await store.match(patterns_around(nodes, graphs.knowledge))
    facts = dict.fromkeys(quad.triple for quads in found for quad in quads)
    return sorted((fact for fact in facts if is_statement(fact)), key=str)


def patterns_around(nodes: Iterable[NamedNode], graph: NamedNode) -> list[QuadPattern]:
    """Two patterns for each node: what it is the subject of, and what it is the object of."""
    return [
        pattern
        for node in nodes
        for pattern in (QuadPattern(node, graph=graph), QuadPattern(object=node, graph=graph))
    ]


async def called(store: QuadStore, graph: NamedNode, text: str) -> list[NamedNode]:
    """The nodes that are called so: by IRI, by label, or by the name that a label makes."""
    term = _as_term(text)
    nodes = {term} if isinstance(term, NamedNode) else set()
    if text.strip():
        nodes.add(entity_iri(text))
    (named,) = await store.match([QuadPattern(None, RDFS.label, Literal(text.strip()), graph)])
    nodes |= {quad.subject for quad in named if isinstance(quad.subject, NamedNode)}
    return sorted(nodes, key=lambda node: node.value)


def _is_called(term: Term, text: str, shown: dict[Term, str]) -> bool:
    wanted = _plain(text)
    if wanted == _plain(shown[term]) or _as_term(text) == term:
        return True
    if isinstance(term, NamedNode):
        return bool(wanted) and entity_iri(text) == term
    return isinstance(term, Literal) and wanted == _plain(term.value)


def _as_term(text: str) -> Term | None:
    if not text.startswith(('"', "<")) and (":" not in text or any(map(str.isspace, text))):
        return None
    try:
        return term_from_text(text)
    except InvalidInput:
        return None


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
