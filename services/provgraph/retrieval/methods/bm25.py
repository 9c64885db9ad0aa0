"""`bm25`: passages and edges by the question's words alone."""

from __future__ import annotations

from typing import Final

from provgraph.retrieval.candidate_texts import bm25, boosted, by_texts, in_order
from provgraph.retrieval.edges import EdgeSearch
from provgraph.retrieval.keyword_index import K1, B
from provgraph.retrieval.methods.method import Asking, Found, Method, Parameter
from provgraph.retrieval.passages import RankedPassage, by_words


def _rank(asking: Asking) -> Found:
    search = EdgeSearch(asking.question, asking.index, asking.request.limits)
    search.by_words()
    return Found(_passages(asking), search.ranked())


def _passages(asking: Asking) -> list[RankedPassage]:
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
    _rank,
    {
        "k1": Parameter(K1, 0.0, 10.0, "how much a word's repetition counts; 1.5 is usual with small sets"),
        "b": Parameter(B, 0.0, 1.0, "how much a chunk's length counts"),
        "factual": Parameter(0.0, 0.0, 10.0, "added where a chunk holds numbers with units; 1 is usual"),
    },
)
