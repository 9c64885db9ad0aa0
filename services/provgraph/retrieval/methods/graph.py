"""`graph`: passages by words and names together; edges by words, by those passages, and around the seeds."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from provgraph.retrieval.bridges import Bridges
from provgraph.retrieval.edges import EdgeSearch
from provgraph.retrieval.identity.recognition import joined, wordings
from provgraph.retrieval.methods.method import Asking, Found, Method, standing
from provgraph.retrieval.passages import Ranking, by_words, fused
from provgraph.retrieval.question import Question, analysed
from provgraph.retrieval.reached import ONLY_REACHED, among_reached
from provgraph.retrieval.seeds import SeedSearch
from provgraph.retrieval.topic_star import TopicStar

TRUSTED: Final = 1 / 3
"""Names count as much as words where they make this share of the question's weight, and less in proportion."""

REWORDED: Final = 0.5
"""What the question by another name counts beside the question as it was asked."""


def _rank(asking: Asking) -> Found:
    question, index, limits = asking.question, asking.index, asking.request.limits
    rankings = _rankings(question, asking)
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


def _other_wordings(asking: Asking) -> list[Question]:
    """The question by other names of the entities that it names, where these have other words."""
    named = SeedSearch(asking.question, asking.index).named(asking.request.concepts)
    others = wordings(asking.question.text, joined(named, asking.identities))
    asked = set(asking.question.sequence)
    worded = (analysed(text, asking.index) for text in others)
    return [each for each in worded if not asked.issuperset(each.sequence)]


GRAPH: Final = Method(
    "graph",
    "passages by words and by the names that tie them together; edges by words, by those passages, and around the "
    "entities of the question",
    _rank,
    ONLY_REACHED,
)
