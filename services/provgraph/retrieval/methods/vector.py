"""`vector`: passages by likeness to the question; edges of those passages, and around entities of like names."""

from __future__ import annotations

from typing import Final

from provgraph.retrieval.edges import EdgeSearch
from provgraph.retrieval.methods.method import Asking, Found, Method, standing
from provgraph.retrieval.similarity import by_vectors, with_likeness

DEPTH: Final = 3
"""How many times as many passages as are wanted are taken from each ranking that is combined."""

LEAST_WANTED: Final = 10
"""Passages lead to edges, so that some are ranked also where none is to be shown."""


def _rank(asking: Asking) -> Found:
    vectors, index, limits = asking.by_likeness, asking.index, asking.request.limits
    ranked = by_vectors(vectors, index, depth(asking))
    search = EdgeSearch(asking.question, index, limits, standing(ranked))
    search.by_passages()
    seeds = with_likeness((), vectors, index, limits.entities)
    search.expand(seeds)
    return Found(ranked, search.ranked(), seeds)


def depth(asking: Asking) -> int:
    return DEPTH * max(asking.request.chunks, LEAST_WANTED)


VECTOR: Final = Method(
    "vector",
    "passages by vectors alone; edges of those passages, and around entities whose names are like the question's",
    _rank,
    reads_vectors=True,
)
