"""`bm25` and `term-frequency`: passages and edges by the question's words alone."""

from __future__ import annotations

from typing import Final

from provgraph.retrieval.edges import EdgeSearch
from provgraph.retrieval.keyword_index import K1, B
from provgraph.retrieval.methods.method import Method, MethodParameter, SearchContext, SearchResult
from provgraph.retrieval.passages import (
    RankedPassage,
    bm25,
    boosted,
    by_texts,
    by_words,
    in_order,
    term_frequency,
)


def _rank_by_bm25(asking: SearchContext) -> SearchResult:
    search = EdgeSearch(asking.question, asking.index, asking.request.limits)
    search.by_words()
    return SearchResult(_passages(asking), search.ranked())


def _passages(asking: SearchContext) -> list[RankedPassage]:
    """By the engine, whose constants are fixed; with others, or with the boost, counted over its best candidates."""
    question, index = asking.question, asking.index
    k1, b, boost = (asking.parameters[name] for name in ("k1", "b", "factual"))
    if (k1, b, boost) == (K1, B, 0):
        return by_words(question, index, asking.request.chunks)
    counted = by_texts(question, index, asking.text, bm25(index, k1, b))
    return in_order([boosted(passage, text, boost) for passage, text in counted])


BM25: Final = Method(
    "bm25",
    "passages and edges by words alone",
    _rank_by_bm25,
    {
        "k1": MethodParameter(
            K1, 0.0, 10.0, "how much a word's repetition counts; 1.5 is usual with small sets"
        ),
        "b": MethodParameter(B, 0.0, 1.0, "how much a chunk's length counts"),
        "factual": MethodParameter(
            0.0, 0.0, 10.0, "added where a chunk holds numbers with units; 1 is usual"
        ),
    },
)


def _rank_by_frequency(asking: SearchContext) -> SearchResult:
    search = EdgeSearch(asking.question, asking.index, asking.request.limits)
    search.by_words()
    measure = term_frequency(asking.parameters["weight"])
    counted = by_texts(asking.question, asking.index, asking.text, measure)
    ranked = in_order([boosted(passage, text, asking.parameters["factual"]) for passage, text in counted])
    return SearchResult(ranked, search.ranked())


TERM_FREQUENCY: Final = Method(
    "term-frequency",
    "passages by how often they say the question's words, rare and common alike; edges by words",
    _rank_by_frequency,
    {
        "weight": MethodParameter(2.0, 0.0, 10.0, "what each time counts that a word is said"),
        "factual": MethodParameter(
            0.0, 0.0, 10.0, "added where a chunk holds numbers with units; 1 is usual"
        ),
    },
)
