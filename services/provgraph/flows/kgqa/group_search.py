"""Ways from a question to edges: by likeness of nodes, by the likest type, by names spelt nearly so; and by the sense
of the sentences that pairs were read from, where that is known.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import OSA

from provgraph.flows.kgqa.graph import PairGraph, is_clause
from provgraph.flows.kgqa.question_analysis import MOST_EDITS, AnalysedQuestion, edits_of, is_below
from provgraph.language.terms import FUNCTION_WORDS, fold
from provgraph.ports.similarity import NodeSimilarity, SearchWords, SimilarNode
from provgraph.rdf.terms import NamedNode

BY_NODE, BY_TYPE, BY_NAME, BY_SENSE = "node likeness", "type likeness", "fuzzy name", "sense"
LEAST_LIKE: Final = 0.35
LEAST_TYPE: Final = 0.6
TYPE_SHARE: Final = 0.3
"""What a group is found with at most whose node only is of a type like the one that is asked for."""

LEAST_SENSE: Final = 0.1
"""Sentences that are less like the question are led to by sense to no pair."""

LIKE_NODES: Final = 12
MOST_TEXTS: Final = 16


@dataclass(frozen=True)
class Hit:
    """What led to a group: `how`, by the node of this `label`, and how near that is to the question, 0…1."""

    how: str
    label: str
    score: float


@dataclass(frozen=True)
class FoundGroups:
    """By the index of a group, what led to it, best first; `seeds` are the nodes that did, best first."""

    hits: dict[int, tuple[Hit, ...]]
    seeds: tuple[NamedNode, ...]


async def find_groups(
    question: AnalysedQuestion, graph: PairGraph, like: NodeSimilarity | None, collection: str
) -> FoundGroups:
    """The groups that share a node with the question's words; without likeness by names alone.

    Raises `ModelUnavailable` where words cannot be embedded.
    """
    entered: dict[NamedNode, list[Hit]] = {}
    for node, hit in _by_name(question, graph):
        entered.setdefault(node, []).append(hit)
    if like:
        async for node, hit in _by_similarity(question, graph, like, collection):
            entered.setdefault(node, []).append(hit)
    if question.clauses:
        entered = {node: hits for node, hits in entered.items() if _leads_to_clause(node, question, graph)}
    return _groups(entered, question, graph)


def with_senses(
    groups: FoundGroups, question: AnalysedQuestion, graph: PairGraph, senses: Mapping[int, float]
) -> FoundGroups:
    """With the groups whose sentences are like the question, by their index in `graph`."""
    hits = dict(groups.hits)
    for index, likeness in senses.items():
        group = graph.groups[index]
        if likeness < LEAST_SENSE or (question.clauses and not is_below(group.clause, question.clauses)):
            continue
        own = (
            *hits.get(index, ()),
            Hit(BY_SENSE, group.clause and f"clause {group.clause}", round(likeness, 4)),
        )
        hits[index] = tuple(sorted(own, key=lambda hit: (-hit.score, hit.label)))
    return FoundGroups(hits, groups.seeds)


async def _by_similarity(
    question: AnalysedQuestion, graph: PairGraph, like: NodeSimilarity, collection: str
) -> AsyncGenerator[tuple[NamedNode, Hit]]:
    texts = list(dict.fromkeys((question.text, *question.concepts, *(term.text for term in question.terms))))[
        :MOST_TEXTS
    ]
    kinds = [*([question.kind] if question.kind else []), *(term.text for term in question.terms)]
    sought = SearchWords(tuple(texts), tuple(kinds[:MOST_TEXTS]), LIKE_NODES)
    near = await like.likest(collection, sought)
    for entrance in (*_by_node(near.nodes, graph), *_by_type(near.types, graph)):
        yield entrance


def _groups(entered: dict[NamedNode, list[Hit]], question: AnalysedQuestion, graph: PairGraph) -> FoundGroups:
    hits: dict[int, list[Hit]] = {}
    for node, own in entered.items():
        for index in graph.of_node.get(node, ()):
            if not question.clauses or is_below(graph.groups[index].clause, question.clauses):
                hits.setdefault(index, []).extend(own)
    seeds = sorted(entered, key=lambda node: (-max(hit.score for hit in entered[node]), node.value))
    ranked = {
        index: tuple(sorted(set(own), key=lambda hit: (-hit.score, hit.label))) for index, own in hits.items()
    }
    return FoundGroups(ranked, tuple(seeds))


def _by_node(nodes: Iterable[SimilarNode], graph: PairGraph) -> Iterator[tuple[NamedNode, Hit]]:
    for near in nodes:
        if near.score >= LEAST_LIKE and near.node in graph.of_node and not _is_clause(near.node, graph):
            yield near.node, Hit(BY_NODE, near.label, round(near.score, 4))


def _by_type(types: Iterable[SimilarNode], graph: PairGraph) -> Iterator[tuple[NamedNode, Hit]]:
    """The most similar type, with all its nodes."""
    best = next(iter(types), None)
    if best is None or best.score < LEAST_TYPE:
        return
    for node in graph.of_type(best.node):
        yield node, Hit(BY_TYPE, graph.names.get(node, ""), round(TYPE_SHARE * best.score, 4))


def _by_name(question: AnalysedQuestion, graph: PairGraph) -> Iterator[tuple[NamedNode, Hit]]:
    """Nodes whose name stands in the question, with at most three letters changed; clauses by their exact number."""
    for node, name in graph.names.items():
        if _is_clause(node, graph) and is_below(name.rpartition(" ")[2], question.clauses):
            yield node, Hit(BY_NAME, name, 1.0)
    names = {node: fold(name) for node, name in graph.names.items() if not _is_clause(node, graph)}
    for run in question.names():
        sought = fold(run)
        if sought in FUNCTION_WORDS:
            continue
        allowed = edits_of(sought)
        for name, edits, node in process.extract(
            sought, names, scorer=OSA.distance, score_cutoff=allowed, limit=20
        ):
            if any(map(str.isdigit, name)) and edits:
                continue
            score = 1.0 - edits / (MOST_EDITS + 1)
            yield node, Hit(BY_NAME, graph.names[node], round(score * _length(sought), 4))


def _length(name: str) -> float:
    """A name of several words says more than one word does."""
    return min(1.0, 0.7 + 0.1 * name.count(" "))


def _is_clause(node: NamedNode, graph: PairGraph) -> bool:
    return is_clause(graph.types.get(node, frozenset()))


def _leads_to_clause(node: NamedNode, question: AnalysedQuestion, graph: PairGraph) -> bool:
    return any(
        is_below(graph.groups[index].clause, question.clauses) for index in graph.of_node.get(node, ())
    )
