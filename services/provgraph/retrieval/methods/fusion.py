"""`fusion`: passages by names, words and likeness, fused by rank; edges as `graph` has them, from those passages."""

from __future__ import annotations

from typing import Final

from provgraph.retrieval.bridges import Bridges
from provgraph.retrieval.edges import EdgeSearch
from provgraph.retrieval.methods.graph import TRUSTED
from provgraph.retrieval.methods.method import Asking, Found, Method, Parameter, standing
from provgraph.retrieval.methods.vector import depth
from provgraph.retrieval.passages import RankedPassage, Ranking, by_words, fused
from provgraph.retrieval.reached import ONLY_REACHED, among_reached
from provgraph.retrieval.seeds import SeedSearch
from provgraph.retrieval.similarity import by_vectors, with_likeness
from provgraph.retrieval.topic_star import TopicStar

CONSTANT: Final = 5
"""Of reciprocal ranks: three rankings agree on fewer first places than two, and these are worth more."""


def _rank(asking: Asking) -> Found:
    question, index, limits = asking.question, asking.index, asking.request.limits
    ranked = Bridges(question, index).crossed(_passages(asking))
    search = EdgeSearch(question, index, limits, standing(ranked))
    readings = search.by_words()
    search.by_passages()
    named = SeedSearch(question, index).seeds(asking.request.concepts, readings, limits.entities)
    seeds = with_likeness(named, asking.by_likeness, index, limits.entities)
    search.expand(seeds)
    if asking.parameters["reached"]:
        ranked = among_reached(ranked, seeds, search, index)
    return Found(ranked, search.ranked(), seeds)


def _passages(asking: Asking) -> list[RankedPassage]:
    question, index, limit = asking.question, asking.index, asking.request.chunks
    star = TopicStar(question, index)
    return fused(
        [
            Ranking("names", star.ranked(), min(1.0, star.named / TRUSTED)),
            Ranking("words", by_words(question, index, limit), asking.parameters["words"]),
            Ranking("vectors", by_vectors(asking.by_likeness, index, depth(asking))),
        ],
        CONSTANT,
    )


FUSION: Final = Method(
    "fusion",
    "passages by names, words and vectors, fused by rank; edges by words, by those passages, and around the entities "
    "of the question",
    _rank,
    parameters=ONLY_REACHED
    | {"words": Parameter(0.5, 0, 1, "The weight of the ranking by words; that of vectors is 1.")},
    reads_vectors=True,
)
