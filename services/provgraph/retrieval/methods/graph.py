"""`graph`: passages by words, names and sense together; edges by words, by those passages, and around the seeds."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from provgraph.retrieval.bridges import Bridges
from provgraph.retrieval.edges import EdgeSearch
from provgraph.retrieval.identity.recognition import joined, wordings
from provgraph.retrieval.methods.method import Asking, Found, Method, Parameter, standing
from provgraph.retrieval.passages import LEAST_RANKED, Ranking, by_words, fused
from provgraph.retrieval.question import Question, analysed
from provgraph.retrieval.reached import ONLY_REACHED, among_reached
from provgraph.retrieval.seeds import SeedSearch
from provgraph.retrieval.similarity import by_sense
from provgraph.retrieval.topic_star import TopicStar

TRUSTED: Final = 1 / 3
"""Names count as much as words where they make this share of the question's weight, and less in proportion."""

SENSE: Final = 2.0
"""What sense counts beside words where a question names nothing."""

LEAST_SENSE: Final = 0.075
"""The share of that which it counts where names are trusted."""

LEAST_LIKENESS: Final = 0.1
"""Less likeness than this is none: two sentences of nothing in common have it by chance."""

REWORDED: Final = 0.5
"""What the question by another name counts beside the question as it was asked."""


def _rank(asking: Asking) -> Found:
    question, index, limits = asking.question, asking.index, asking.request.limits
    rankings = [*_rankings(question, asking), *_by_sense(asking)]
    for worded in _other_wordings(asking):
        rankings += [
            replace(each, name=f"other name's {each.name}", weight=REWORDED * each.weight)
            for each in _rankings(worded, asking)
        ]
    ranked = Bridges(question, index).crossed(fused(rankings))
    search = EdgeSearch(question, index, limits, standing(ranked), asking.identities)
    readings = search.by_words()
    search.by_passages()
    seeds = SeedSearch(question, index).seeds(asking.request.concepts, readings, limits.entities)
    seeds = joined(seeds, asking.identities)
    search.expand(seeds)
    if asking.parameters["reached"]:
        ranked = among_reached(ranked, seeds, search, index)
    return Found(ranked, search.ranked(), seeds)


def _rankings(question: Question, asking: Asking) -> list[Ranking]:
    star = TopicStar(question, asking.index)
    words = Ranking("words", by_words(question, asking.index, asking.request.chunks))
    return [words, Ranking("names", star.ranked(), min(1.0, star.named / TRUSTED))]


def _by_sense(asking: Asking) -> list[Ranking]:
    """The passages by the sense of their sentences, which counts the more the less of the question is names."""
    if asking.sense is None or not asking.parameters["sense"] or not asking.question.terms:
        return []
    named = min(1.0, TopicStar(asking.question, asking.index).named / TRUSTED)
    weight = asking.parameters["sense"] * (1 - (1 - LEAST_SENSE) * named)
    likest = by_sense(asking.sense, asking.index, LEAST_RANKED)
    return [Ranking("sense", [each for each in likest if each.score >= LEAST_LIKENESS], weight)]


def _other_wordings(asking: Asking) -> list[Question]:
    """The question by other names of the entities that it names, where these have other words."""
    named = SeedSearch(asking.question, asking.index).named(asking.request.concepts)
    others = wordings(asking.question.text, joined(named, asking.identities))
    asked = set(asking.question.sequence)
    worded = (analysed(text, asking.index) for text in others)
    return [each for each in worded if not asked.issuperset(each.sequence)]


GRAPH: Final = Method(
    "graph",
    "passages by words, by the names that tie them together and by what their sentences mean; edges by words, by those "
    "passages, and around the entities of the question",
    _rank,
    ONLY_REACHED
    | {
        "sense": Parameter(
            SENSE, 0, 10, "What the sense of sentences counts beside words, where nothing is named."
        )
    },
)
