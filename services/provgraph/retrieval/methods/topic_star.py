"""`topic-star`: passages by the names that tie them together, alone; edges by words and by those passages."""

from __future__ import annotations

from typing import Final

from provgraph.retrieval.edges import EdgeSearch
from provgraph.retrieval.methods.method import Asking, Found, Method, standing
from provgraph.retrieval.topic_star import TopicStar


def _rank(asking: Asking) -> Found:
    ranked = TopicStar(asking.question, asking.index).ranked()
    search = EdgeSearch(asking.question, asking.index, asking.request.limits, standing(ranked))
    search.by_words()
    search.by_passages()
    return Found(ranked, search.ranked())


TOPIC_STAR: Final = Method(
    "topic-star",
    "passages by the names that tie them together, alone; edges by words and by those passages",
    _rank,
)
