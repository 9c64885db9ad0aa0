"""The local graph of a question: what is named together in the sentences that were retrieved for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from provgraph.language.mentions import MentionType

MOST_NODES: Final = 50
MOST_EDGES: Final = 100
MOST_IN_A_SENTENCE: Final = 20
"""Names of one sentence that are paired: a list of a hundred names ties none of them to another."""

Named = tuple[MentionType, str]
"""What is mentioned: its type, and its words."""


@dataclass(frozen=True)
class Node:
    """What is mentioned, and in how many sentences."""

    type: MentionType
    name: str
    count: int


@dataclass(frozen=True)
class Edge:
    """Two nodes, by their names, and in how many sentences both are mentioned."""

    source: str
    target: str
    count: int


@dataclass(frozen=True)
class CooccurrenceGraph:
    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()


def local_graph(sentences: Iterable[Sequence[Named]]) -> CooccurrenceGraph:
    """Nodes and edges, the most frequent first, of sentences that are given by what each of them mentions.

    Names that differ in case and white space only are one node, named as it is met first. The most frequent are kept:
    fifty nodes and a hundred edges between them.
    """
    names: dict[str, Named] = {}
    counts: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for sentence in sentences:
        own = {_key(name): (kind, " ".join(name.split())) for kind, name in reversed(sentence)}
        for key, named in own.items():
            names.setdefault(key, named)
        counts.update(own.keys())
        pairs.update(combinations(sorted(own)[:MOST_IN_A_SENTENCE], 2))
    best = sorted(counts, key=lambda key: (-counts[key], key))[:MOST_NODES]
    nodes = tuple(Node(names[key][0], names[key][1], counts[key]) for key in best)
    kept = set(best)
    tied = sorted((pair for pair in pairs if kept >= set(pair)), key=lambda pair: (-pairs[pair], pair))
    edges = tuple(Edge(names[one][1], names[other][1], pairs[one, other]) for one, other in tied[:MOST_EDGES])
    return CooccurrenceGraph(nodes, edges)


def _key(name: str) -> str:
    return " ".join(name.casefold().split())
