"""`topic-star`, `graph` and `fusion`: passages by the names that tie them together, alone, with words, and
fused with words and similarity."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from provgraph.retrieval.bridges import Bridges
from provgraph.retrieval.edges import EdgeSearch
from provgraph.retrieval.identity.recognition import joined, wordings
from provgraph.retrieval.methods.method import Method, MethodParameter, SearchContext, SearchResult, standing
from provgraph.retrieval.methods.vectors import depth
from provgraph.retrieval.narrowing import ONLY_REACHED, among_reached
from provgraph.retrieval.passages import LEAST_RANKED, RankedPassage, Ranking, by_words, fused
from provgraph.retrieval.question import WeightedQuestion, analysed
from provgraph.retrieval.seeds import SeedSearch
from provgraph.retrieval.similarity import by_sense, by_vectors, with_similarity
from provgraph.retrieval.topic_star import TopicStar


def _rank_by_topic_star(asking: SearchContext) -> SearchResult:
    ranked = TopicStar(asking.question, asking.index).ranked()
    search = EdgeSearch(asking.question, asking.index, asking.request.limits, standing(ranked))
    search.by_words()
    search.by_passages()
    return SearchResult(ranked, search.ranked())


TOPIC_STAR: Final = Method(
    "topic-star",
    "passages by the names that tie them together, alone; edges by words and by those passages",
    _rank_by_topic_star,
)


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


def _rank_by_graph(asking: SearchContext) -> SearchResult:
    question, index, limits = asking.question, asking.index, asking.request.limits
    star = TopicStar(question, index)
    rankings = [*_rankings(question, star, asking), *_by_sense(star, asking)]
    for worded in _other_wordings(asking):
        rankings += [
            replace(ranking, name=f"other name's {ranking.name}", weight=REWORDED * ranking.weight)
            for ranking in _rankings(worded, TopicStar(worded, index), asking)
        ]
    ranked = Bridges(question, index).crossed(fused(rankings))
    if not limits.subgraph and not asking.parameters["reached"]:
        return SearchResult(ranked, ())
    search = EdgeSearch(question, index, limits, standing(ranked), asking.identities)
    readings = search.by_words()
    search.by_passages()
    seeds = SeedSearch(question, index).seeds(asking.request.concepts, readings, limits.entities)
    seeds = joined(seeds, asking.identities)
    search.expand(seeds)
    if asking.parameters["reached"]:
        ranked = among_reached(ranked, seeds, search, index)
    return SearchResult(ranked, search.ranked(), seeds)


def _rankings(question: WeightedQuestion, star: TopicStar, asking: SearchContext) -> list[Ranking]:
    words = Ranking("words", by_words(question, asking.index, asking.request.chunks))
    return [words, Ranking("names", star.ranked(), min(1.0, star.named / TRUSTED))]


def _by_sense(star: TopicStar, asking: SearchContext) -> list[Ranking]:
    """The passages by the sense of their sentences, which counts the more the less of the question is names."""
    if asking.sense is None or not asking.parameters["sense"] or not asking.question.terms:
        return []
    named = min(1.0, star.named / TRUSTED)
    weight = asking.parameters["sense"] * (1 - (1 - LEAST_SENSE) * named)
    likest = by_sense(asking.sense, asking.index, LEAST_RANKED)
    return [Ranking("sense", [passage for passage in likest if passage.score >= LEAST_LIKENESS], weight)]


def _other_wordings(asking: SearchContext) -> list[WeightedQuestion]:
    """The question by other names of the entities that it names, where these have other words."""
    named = SeedSearch(asking.question, asking.index).named(asking.request.concepts)
    others = wordings(asking.question.text, joined(named, asking.identities))
    asked = set(asking.question.sequence)
    worded = (analysed(text, asking.index) for text in others)
    return [question for question in worded if not asked.issuperset(question.sequence)]


GRAPH: Final = Method(
    "graph",
    "passages by words, by the names that tie them together and by what their sentences mean; edges by words, by those "
    "passages, and around the entities of the question",
    _rank_by_graph,
    ONLY_REACHED
    | {
        "sense": MethodParameter(
            SENSE, 0, 10, "What the sense of sentences counts beside words, where nothing is named."
        )
    },
)


CONSTANT: Final = 5
"""Of reciprocal ranks: three rankings agree on fewer first places than two, and these are worth more."""


def _rank_by_fusion(asking: SearchContext) -> SearchResult:
    question, index, limits = asking.question, asking.index, asking.request.limits
    ranked = Bridges(question, index).crossed(_passages(asking))
    search = EdgeSearch(question, index, limits, standing(ranked))
    readings = search.by_words()
    search.by_passages()
    named = SeedSearch(question, index).seeds(asking.request.concepts, readings, limits.entities)
    seeds = with_similarity(named, asking.by_likeness, index, limits.entities)
    search.expand(seeds)
    if asking.parameters["reached"]:
        ranked = among_reached(ranked, seeds, search, index)
    return SearchResult(ranked, search.ranked(), seeds)


def _passages(asking: SearchContext) -> list[RankedPassage]:
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
    _rank_by_fusion,
    parameters=ONLY_REACHED
    | {"words": MethodParameter(0.5, 0, 1, "The weight of the ranking by words; that of vectors is 1.")},
    reads_vectors=True,
)
