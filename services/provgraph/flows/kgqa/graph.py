"""The graph of a collection's pairs in memory: groups of edges, one for each pair, and the nodes that they meet in.

Read from the store when a question is asked, and kept for the next: a pair is named by its content, so only pairs that
are new are read, and those that are gone are dropped.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from provgraph.catalogue.naming import fact_terms, labels, stand_in
from provgraph.catalogue.pairs import PairCatalogue, StoredPair
from provgraph.language.terms import terms
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.ports.retriever import EdgeLabels
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import document_of_page, page_number
from provgraph.rdf.terms import NamedNode, Term, Triple
from provgraph.rdf.vocabulary import RDF, TG

TITLED, PART_OF, ABOUT, GIVES, MENTIONS, SAYS = (
    "is titled",
    "is part of",
    "is about",
    "gives the number",
    "mentions",
    "says that",
)
"""Relations of pairs by rules that say where something stands, by their labels."""

_STRUCTURE: Final = frozenset((TITLED, PART_OF, ABOUT, GIVES, MENTIONS))


@dataclass(frozen=True)
class PairEdge:
    triple: Triple
    labels: EdgeLabels

    @property
    def is_structure(self) -> bool:
        """Whether it only says where something stands."""
        return self.labels.relation in _STRUCTURE


@dataclass(frozen=True)
class EdgeGroup:
    """The edges that were drawn from one pair; `pairs` are its quotations, two where a page end cuts its words.

    `titles` are the headings above its clause.
    """

    pairs: tuple[StoredPair, ...]
    edges: tuple[PairEdge, ...]
    titles: tuple[str, ...] = ()

    @property
    def clause(self) -> str:
        return self.pairs[0].clause

    @property
    def document(self) -> str:
        return document_of_page(self.pairs[0].page)

    @property
    def answer(self) -> str:
        return self.pairs[0].answer

    @cached_property
    def terms(self) -> frozenset[str]:
        """Of the edges, and of the question and answer that they were drawn from."""
        pair = self.pairs[0]
        texts = (*(edge.labels.words for edge in self.edges), pair.question, pair.answer)
        return frozenset(term for words in texts for term in terms(words))

    @cached_property
    def title_terms(self) -> frozenset[str]:
        return frozenset(term for title in self.titles for term in terms(title))


@dataclass(frozen=True)
class PairGraph:
    """`of_node` and `of_type` lead from a node, and from a type, to the indexes of groups."""

    groups: tuple[EdgeGroup, ...] = ()
    names: Mapping[NamedNode, str] = field(default_factory=dict)
    types: Mapping[NamedNode, frozenset[NamedNode]] = field(default_factory=dict)
    of_node: Mapping[NamedNode, tuple[int, ...]] = field(default_factory=dict)

    def of_type(self, type_: NamedNode) -> list[NamedNode]:
        return [node for node, types in self.types.items() if type_ in types]

    @cached_property
    def frequencies(self) -> Mapping[str, int]:
        """In how many groups each term is."""
        counted: dict[str, int] = defaultdict(int)
        for group in self.groups:
            for term in group.terms | group.title_terms:
                counted[term] += 1
        return counted

    @cached_property
    def _first_of_clause(self) -> Mapping[tuple[str, str], EdgeGroup]:
        """By document and clause, the group whose words come first: those that begin with the number."""
        first: dict[tuple[str, str], EdgeGroup] = {}
        for group in self.groups:
            key = group.document, group.clause
            if key not in first or _place(group) < _place(first[key]):
                first[key] = group
        return first

    def numbering(self, group: EdgeGroup) -> list[EdgeGroup]:
        """The groups whose words number a group's clause: of 3.1(a) the item's own if these are others, and 3.1."""
        groups = []
        clause = group.clause
        while clause:
            first = self._first_of_clause.get((group.document, clause))
            if first is not None and _place(first) != _place(group):
                groups.append(first)
            clause = clause[: clause.rindex("(")] if clause.endswith(")") else ""
        return groups

    @cached_property
    def _fullest(self) -> Mapping[tuple[str, int], EdgeGroup]:
        """By page and place the group with the longest answer: of pairs of one statement that which asks for all."""
        fullest: dict[tuple[str, int], EdgeGroup] = {}
        for group in self.groups:
            place = group.pairs[0].page.value, group.pairs[0].start
            if place not in fullest or len(fullest[place].answer) < len(group.answer):
                fullest[place] = group
        return fullest

    def fullest(self, group: EdgeGroup) -> EdgeGroup:
        """The group of the same words whose pair answers with most of them."""
        return self._fullest[group.pairs[0].page.value, group.pairs[0].start]

    @cached_property
    def clauses(self) -> frozenset[str]:
        return frozenset(group.clause for group in self.groups if group.clause)


def _place(group: EdgeGroup) -> tuple[int, int]:
    """Pages of one version in their order."""
    return page_number(group.pairs[0].page), group.pairs[0].start


class PairGraphs:
    """The graphs of all collections that were asked."""

    def __init__(self, store: QuadStore) -> None:
        self._store = store
        self._known: dict[str, tuple[frozenset[NamedNode], PairGraph]] = {}
        self._turn = asyncio.Lock()

    async def current(self, graphs: CollectionGraphs) -> PairGraph:
        """The graph as the store has it now; empty where nothing was built."""
        key = graphs.source.value
        async with self._turn:
            catalogue = PairCatalogue(self._store, graphs)
            nodes = await catalogue.nodes()
            known = self._known.get(key)
            if known is None or known[0] != frozenset(nodes):
                graph = await self._read(catalogue, sorted(nodes, key=lambda node: node.value))
                self._known[key] = frozenset(nodes), graph
            return self._known[key][1]

    async def forget(self) -> None:
        """Hold nothing of any collection."""
        async with self._turn:
            self._known.clear()

    async def _read(self, catalogue: PairCatalogue, nodes: Sequence[NamedNode]) -> PairGraph:
        pairs = await catalogue.pairs(nodes)
        knowledge = catalogue.graphs.knowledge
        named = await labels(
            self._store,
            knowledge,
            (term for pair in pairs for fact in pair.facts for term in fact_terms(fact)),
        )
        things = list(dict.fromkeys(node for pair in pairs for node in _nodes(pair.facts)))
        typed = await self._store.match([QuadPattern(node, RDF.type, None, knowledge) for node in things])
        types = {
            node: frozenset(quad.object for quad in quads if isinstance(quad.object, NamedNode))
            for node, quads in zip(things, typed, strict=True)
        }
        return graph_of(pairs, named, types)


def graph_of(
    pairs: Iterable[StoredPair],
    named: Mapping[Term, str],
    types: Mapping[NamedNode, frozenset[NamedNode]],
) -> PairGraph:
    """Pairs of one subgraph with one question and answer are one group."""
    together: dict[tuple[NamedNode, str, str, str], list[StoredPair]] = defaultdict(list)
    for pair in pairs:
        together[pair.subgraph, pair.question, pair.answer, pair.clause].append(pair)
    groups = [_group(own, named) for own in together.values()]
    above = _Headings(groups)
    groups = [EdgeGroup(edge_group.pairs, edge_group.edges, above.of(edge_group)) for edge_group in groups]
    of_node: dict[NamedNode, list[int]] = defaultdict(list)
    for index, group in enumerate(groups):
        for node in dict.fromkeys(node for edge in group.edges for node in _nodes([edge.triple])):
            of_node[node].append(index)
    names = {node: named.get(node) or stand_in(node) for node in of_node}
    return PairGraph(tuple(groups), names, types, {node: tuple(indexes) for node, indexes in of_node.items()})


def _group(pairs: Sequence[StoredPair], named: Mapping[Term, str]) -> EdgeGroup:
    facts = dict.fromkeys(fact for pair in pairs for fact in pair.facts)
    edges = (
        PairEdge(fact, EdgeLabels(*(named.get(term) or stand_in(term) for term in fact_terms(fact))))
        for fact in facts
    )
    answer = set(terms(pairs[0].answer))

    def most_said(edge: PairEdge) -> tuple[bool, int, int, str]:
        """First the edge that has the pair's whole answer, in the fewest words; last what says where it stands."""
        missing = len(answer - set(terms(edge.labels.object)) - set(terms(edge.labels.subject)))
        return edge.is_structure, missing, len(edge.labels.relation), edge.labels.words

    return EdgeGroup(tuple(pairs), tuple(sorted(edges, key=most_said)))


class _Headings:
    """The titles of clauses, followed upwards by what they are part of."""

    def __init__(self, groups: Iterable[EdgeGroup]) -> None:
        self._title: dict[Term, str] = {}
        self._above: dict[Term, NamedNode] = {}
        for edge in (edge for group in groups for edge in group.edges):
            if edge.labels.relation == TITLED:
                self._title[edge.triple.subject] = edge.labels.object
            elif edge.labels.relation == PART_OF and isinstance(edge.triple.object, NamedNode):
                self._above[edge.triple.subject] = edge.triple.object

    def of(self, group: EdgeGroup) -> tuple[str, ...]:
        node: Term | None = next(
            (edge.triple.subject for edge in group.edges if edge.labels.relation == PART_OF), None
        )
        titles: list[str] = []
        seen: set[Term] = set()
        while node is not None and node not in seen:
            seen.add(node)
            if title := self._title.get(node):
                titles.append(title)
            node = self._above.get(node)
        return tuple(titles)


def _nodes(facts: Iterable[Triple]) -> Iterable[NamedNode]:
    return (term for fact in facts for term in (fact.subject, fact.object) if isinstance(term, NamedNode))


def is_clause(types: frozenset[NamedNode]) -> bool:
    return TG.Clause in types
