"""`graph`: passages by words and names together; edges by words, by those passages, and around the seeds."""

from __future__ import annotations

from typing import Final

from provgraph.retrieval.bridges import Bridges
from provgraph.retrieval.edges import EdgeSearch
from provgraph.retrieval.methods.method import Asking, Found, Method, standing
from provgraph.retrieval.passages import Ranking, by_words, fused
from provgraph.retrieval.reached import ONLY_REACHED, among_reached
from provgraph.retrieval.seeds import SeedSearch
from provgraph.retrieval.topic_star import TopicStar

TRUSTED: Final = 1 / 3
"""Names count as much as words where they make this share of the question's weight, and less in proportion."""


def _rank(asking: Asking) -> Found:
    question, index, limits = asking.question, asking.index, asking.request.limits
    star = TopicStar(question, index)
    words = Ranking("words", by_words(question, index, asking.request.chunks))
    names = Ranking("names", star.ranked(), min(1.0, star.named / TRUSTED))
    ranked = Bridges(question, index).crossed(fused([words, names]))
    search = EdgeSearch(question, index, limits, standing(ranked))
    readings = search.by_words()
    search.by_passages()
    seeds = SeedSearch(question, index).seeds(asking.request.concepts, readings, limits.entities)
    search.expand(seeds)
    if asking.parameters["reached"]:
        ranked = among_reached(ranked, seeds, search, index)
    return Found(ranked, search.ranked(), seeds)


GRAPH: Final = Method(
    "graph",
    "passages by words and by the names that tie them together; edges by words, by those passages, and around the "
    "entities of the question",
    _rank,
    ONLY_REACHED,
)
