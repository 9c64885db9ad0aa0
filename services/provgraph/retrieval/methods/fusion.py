"""`fusion`: passages by names, words and likeness, fused by rank; edges as `graph` has them, from those passages."""

from __future__ import annotations

from typing import Final

from provgraph.retrieval.edges import EdgeSearch
from provgraph.retrieval.likeness import by_vectors, with_likeness
from provgraph.retrieval.methods.method import Asking, Found, Method, standing
from provgraph.retrieval.methods.vector import DEPTH
from provgraph.retrieval.passages import fused
from provgraph.retrieval.seeds import SeedSearch
from provgraph.retrieval.topic_star import TopicStar


def _rank(asking: Asking) -> Found:
    question, index, limits = asking.question, asking.index, asking.request.limits
    likest = by_vectors(asking.by_likeness, index, DEPTH * asking.request.chunks)
    ranked = fused([TopicStar(question, index).ranked(), likest])
    search = EdgeSearch(question, index, limits, standing(ranked))
    readings = search.by_words()
    search.by_passages()
    named = SeedSearch(question, index).seeds(asking.request.concepts, readings, limits.entities)
    seeds = with_likeness(named, asking.by_likeness, index, limits.entities)
    search.expand(seeds)
    return Found(ranked, search.ranked(), seeds)


FUSION: Final = Method(
    "fusion",
    "passages by names and by vectors, fused by rank; edges by words, by those passages, and around the entities of "
    "the question",
    _rank,
    reads_vectors=True,
)
