"""`vector` and `hybrid`: passages by similarity to the question, alone or weighed together with words."""

from __future__ import annotations

from typing import Final

from provgraph.retrieval.edges import EdgeSearch
from provgraph.retrieval.methods.method import Method, MethodParameter, SearchContext, SearchResult, standing
from provgraph.retrieval.passages import by_words
from provgraph.retrieval.similarity import by_vectors, combined, with_similarity

DEPTH: Final = 3
"""How many times as many passages as are wanted are taken from each ranking that is combined."""

LEAST_WANTED: Final = 10
"""Passages lead to edges, so that some are ranked also where none is to be shown."""


def _rank_by_vector(asking: SearchContext) -> SearchResult:
    vectors, index, limits = asking.by_likeness, asking.index, asking.request.limits
    ranked = by_vectors(vectors, index, depth(asking))
    search = EdgeSearch(asking.question, index, limits, standing(ranked))
    search.by_passages()
    seeds = with_similarity((), vectors, index, limits.entities)
    search.expand(seeds)
    return SearchResult(ranked, search.ranked(), seeds)


def depth(asking: SearchContext) -> int:
    return DEPTH * max(asking.request.chunks, LEAST_WANTED)


VECTOR: Final = Method(
    "vector",
    "passages by vectors alone; edges of those passages, and around entities whose names are like the question's",
    _rank_by_vector,
    reads_vectors=True,
)


def _rank_hybrid(asking: SearchContext) -> SearchResult:
    question, index, most = asking.question, asking.index, depth(asking)
    likest = by_vectors(asking.by_likeness, index, most)
    ranked = combined(likest, by_words(question, index, most)[:most], asking.parameters["alpha"])
    search = EdgeSearch(question, index, asking.request.limits, standing(ranked))
    search.by_words()
    search.by_passages()
    return SearchResult(ranked, search.ranked())


HYBRID: Final = Method(
    "hybrid",
    "passages by alpha · vectors + (1 − alpha) · words; edges by words and by those passages",
    _rank_hybrid,
    parameters={
        "alpha": MethodParameter(0.5, 0, 1, "The weight of vectors; the rest is the weight of words.")
    },
    reads_vectors=True,
)
