"""`bm25`: passages and edges by the question's words alone."""

from __future__ import annotations

from typing import Final

from provgraph.retrieval.edges import EdgeSearch
from provgraph.retrieval.methods.method import Asking, Found, Method
from provgraph.retrieval.passages import by_words


def _rank(asking: Asking) -> Found:
    search = EdgeSearch(asking.question, asking.index, asking.request.limits)
    search.by_words()
    return Found(by_words(asking.question, asking.index, asking.request.chunks), search.ranked())


BM25: Final = Method("bm25", "passages and edges by words alone", _rank)
