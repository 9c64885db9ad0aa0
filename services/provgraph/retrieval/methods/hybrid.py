"""`hybrid`: passages by likeness and by words, weighed together; edges by words and by those passages."""

from __future__ import annotations

from typing import Final

from provgraph.retrieval.edges import EdgeSearch
from provgraph.retrieval.methods.method import Asking, Found, Method, Parameter, standing
from provgraph.retrieval.methods.vector import depth
from provgraph.retrieval.passages import by_words
from provgraph.retrieval.similarity import by_vectors, combined


def _rank(asking: Asking) -> Found:
    question, index, most = asking.question, asking.index, depth(asking)
    likest = by_vectors(asking.by_likeness, index, most)
    ranked = combined(likest, by_words(question, index, most)[:most], asking.parameters["alpha"])
    search = EdgeSearch(question, index, asking.request.limits, standing(ranked))
    search.by_words()
    search.by_passages()
    return Found(ranked, search.ranked())


HYBRID: Final = Method(
    "hybrid",
    "passages by alpha · vectors + (1 − alpha) · words; edges by words and by those passages",
    _rank,
    parameters={"alpha": Parameter(0.5, 0, 1, "The weight of vectors; the rest is the weight of words.")},
    reads_vectors=True,
)
