"""`graph`: passages by words and names together; edges by words, by those passages, and around the seeds."""

from __future__ import annotations

from typing import Final

from provgraph.retrieval.edges import EdgeSearch
from provgraph.retrieval.methods.method import Asking, Found, Method, standing
from provgraph.retrieval.passages import by_words, fused
from provgraph.retrieval.seeds import SeedSearch
from provgraph.retrieval.topic_star import TopicStar


def _rank(asking: Asking) -> Found:
    question, index, limits = asking.question, asking.index, asking.request.limits
    ranked = fused([by_words(question, index, asking.request.chunks), TopicStar(question, index).ranked()])
    search = EdgeSearch(question, index, limits, standing(ranked))
    readings = search.by_words()
    search.by_passages()
    seeds = SeedSearch(question, index).seeds(asking.request.concepts, readings, limits.entities)
    search.expand(seeds)
    return Found(ranked, search.ranked(), seeds)


GRAPH: Final = Method(
    "graph",
    "passages by words and by the names that tie them together; edges by words, by those passages, and around the "
    "entities of the question",
    _rank,
)
