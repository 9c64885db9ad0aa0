"""`term-frequency`: passages by how often they say the question's words, Σ count · weight; edges by words."""

from __future__ import annotations

from typing import Final

from provgraph.retrieval.candidate_texts import boosted, by_texts, in_order, term_frequency
from provgraph.retrieval.edges import EdgeSearch
from provgraph.retrieval.methods.method import Asking, Found, Method, Parameter


def _rank(asking: Asking) -> Found:
    search = EdgeSearch(asking.question, asking.index, asking.request.limits)
    search.by_words()
    measure = term_frequency(asking.parameters["weight"])
    counted = by_texts(asking.question, asking.index, asking.text, measure)
    ranked = in_order([boosted(passage, text, asking.parameters["factual"]) for passage, text in counted])
    return Found(ranked, search.ranked())


TERM_FREQUENCY: Final = Method(
    "term-frequency",
    "passages by how often they say the question's words, rare and common alike; edges by words",
    _rank,
    {
        "weight": Parameter(2.0, 0.0, 10.0, "what each time counts that a word is said"),
        "factual": Parameter(0.0, 0.0, 10.0, "added where a chunk holds numbers with units; 1 is usual"),
    },
)
