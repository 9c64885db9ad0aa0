"""Facts that cannot both be true: the same subject, an attribute with one value at most, and another value.

Contradictions are found when somebody looks, from what the graph says now; none is ever stored, and none resolved.
What makes two values exclude each other: docs/tech-specs/contradictions.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.catalogue.functional import (
    AttributeKind,
    attributes,
    excludes,
    kind_of,
    relation_words,
    same_name,
)
from provgraph.catalogue.naming import is_statement, labels
from provgraph.catalogue.sources import Source, SourceReader
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import local_name
from provgraph.rdf.terms import Literal, NamedNode, Quad, Term, Triple
from provgraph.rdf.vocabulary import OWL, RDF

AROUND: Final = 500
"""So many facts of a value are looked at for the other value's name."""


@dataclass(frozen=True)
class Contradiction:
    """Another fact with another value of `attribute`, and every sentence that says it."""

    fact: Triple
    attribute: str
    sources: tuple[Source, ...]


async def declared_functional(
    store: QuadStore, graphs: CollectionGraphs, relations: Iterable[NamedNode]
) -> set[NamedNode]:
    """Those of the relations that the collection's own knowledge calls an `owl:FunctionalProperty`."""
    asked = list(dict.fromkeys(relations))
    quads = [Quad(each, RDF.type, OWL.FunctionalProperty, graphs.knowledge) for each in asked]
    known = await store.contains(quads)
    return {relation for relation, is_known in zip(asked, known, strict=True) if is_known}


async def contradictable(store: QuadStore, graphs: CollectionGraphs, facts: Sequence[Triple]) -> list[Triple]:
    """The facts that tell an attribute with one value at most; no other can be contradicted."""
    declared = await declared_functional(store, graphs, (fact.predicate for fact in facts))
    return [
        fact
        for fact in facts
        if fact.predicate in declared
        or ((kind := kind_of(fact.object)) is not None and attributes(fact.predicate, kind))
    ]


@dataclass(frozen=True)
class Contradictions:
    """Looks for contradictions in the facts of one collection, by bound patterns only."""

    store: QuadStore
    graphs: CollectionGraphs
    reader: SourceReader

    async def of(
        self, sources: Mapping[Triple, tuple[Source, ...]]
    ) -> dict[Triple, tuple[Contradiction, ...]]:
        """The contradictions of each fact, given with its own sources; in the order of the attribute and the value."""
        statements = [fact for fact in sources if is_statement(fact)]
        declared = await declared_functional(self.store, self.graphs, (fact.predicate for fact in statements))
        rivals = {fact: await self._rivals(fact, declared=fact.predicate in declared) for fact in statements}
        others = list(dict.fromkeys(other for found in rivals.values() for other in found))
        said = await self.reader.sources(others)
        return {
            fact: tuple(
                Contradiction(other, attribute, said[other])
                for other, attribute in sorted(
                    rivals.get(fact, {}).items(), key=lambda item: (item[1], str(item[0]))
                )
                if said[other] and not _same_sentence(own, said[other])
            )
            for fact, own in sources.items()
        }

    async def _rivals(self, fact: Triple, *, declared: bool) -> dict[Triple, str]:
        """Facts of the subject with an excluded value, each with the attribute that both tell."""
        kind = kind_of(fact.object)
        if kind is None or not isinstance(fact.subject, NamedNode):
            return {}
        told = attributes(fact.predicate, kind)
        if not told and not declared:
            return {}
        pattern = QuadPattern(fact.subject, None if told else fact.predicate, None, self.graphs.knowledge)
        (quads,) = await self.store.match([pattern])
        shared = {
            quad.triple: name
            for quad in quads
            if quad.object != fact.object and kind_of(quad.object) is kind
            if (name := _shared(fact.predicate, quad, kind, declared=declared))
        }
        return {
            other: name for other, name in shared.items() if await self._excluded(fact.object, other.object)
        }

    async def _excluded(self, one: Term, other: Term) -> bool:
        if isinstance(one, Literal) and isinstance(other, Literal):
            return excludes(one, other)
        if isinstance(one, NamedNode) and isinstance(other, NamedNode):
            return not await self._are_tied(one, other)
        return False

    async def _are_tied(self, one: NamedNode, other: NamedNode) -> bool:
        """Whether two things may be one, or one a part of the other: by name, or by a fact that has both."""
        named = await labels(self.store, self.graphs.knowledge, [one, other])
        if same_name([named[one]], [named[other]]):
            return True
        return await self._leads_to(one, named[other], other) or await self._leads_to(other, named[one], one)

    async def _leads_to(self, node: NamedNode, name: str, other: NamedNode) -> bool:
        """Whether a fact around `node` has the other, or a thing that is named for it ("capital of Poland")."""
        graph = self.graphs.knowledge
        quads = await self.store.match(
            [QuadPattern(node, None, other, graph), QuadPattern(other, None, node, graph)]
        )
        if any(quads):
            return True
        around = await self.store.match(
            [QuadPattern(node, None, None, graph), QuadPattern(None, None, node, graph)], limit=AROUND
        )
        ends = {quad.object for quad in around[0]} | {quad.subject for quad in around[1]}
        wanted = set(relation_words(name).split())
        near = (
            set(relation_words(local_name(end.value)).split()) for end in ends if isinstance(end, NamedNode)
        )
        return any(wanted and wanted < words for words in near)


def _shared(relation: NamedNode, other: Quad, kind: AttributeKind, *, declared: bool) -> str:
    """The attribute that two facts both tell, or nothing."""
    if declared and other.predicate == relation:
        return local_name(relation.value)
    told = {attribute.name for attribute in attributes(relation, kind)}
    return next((each.name for each in attributes(other.predicate, kind) if each.name in told), "")


def _same_sentence(own: Sequence[Source], others: Sequence[Source]) -> bool:
    """One sentence that says both values means both: "born in Warsaw, Poland", "in 1867 or 1868"."""
    spans = {(source.page, source.start) for source in own}
    return any((source.page, source.start) in spans for source in others)
