"""Chunks and documents for a question, ranked by BM25, by the names that tie them together, or by both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tantivy import Query

from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.keyword_index import Payload, any_of
from provgraph.retrieval.question import Question

LEAST_RANKED: Final = 50


@dataclass(frozen=True)
class RankedPassage:
    """`terms` are the question's words in it, each with the part of `score` that is its own."""

    payload: Payload
    score: float
    terms: tuple[tuple[str, float], ...] = ()

    @property
    def chunk(self) -> str:
        return str(self.payload["chunk"])


def by_words(question: Question, index: CollectionIndex, limit: int) -> list[RankedPassage]:
    """The best chunks by BM25, best first."""
    chunks = index.chunks
    wanted = [query for queries in _term_queries(question, index).values() for query in queries]
    found = chunks.search(any_of(wanted), max(limit, LEAST_RANKED)) if wanted else []
    ranked = [RankedPassage(chunks.payload(address), score) for score, address in found]
    return sorted(ranked, key=lambda passage: (-passage.score, passage.chunk))


def with_terms(
    passages: Sequence[RankedPassage], question: Question, index: CollectionIndex, share: float = 1.0
) -> list[RankedPassage]:
    """The passages, each with the BM25 score of every word of the question in it, times `share`."""
    chunks = index.chunks
    here = chunks.having_any("chunk", [passage.chunk for passage in passages])
    parts: dict[str, list[tuple[str, float]]] = {passage.chunk: [] for passage in passages}
    for spelling, queries in _term_queries(question, index).items():
        required = any_of(queries)
        for score, address in chunks.search(any_of([required], [here, required]), len(passages)):
            parts[str(chunks.payload(address)["chunk"])].append((spelling, round(share * score / 2, 4)))
    return [
        RankedPassage(
            passage.payload,
            round(passage.score, 4),
            tuple(sorted(parts[passage.chunk], key=lambda part: (-part[1], part[0]))),
        )
        for passage in passages
    ]


def documents(passages: Sequence[RankedPassage]) -> Mapping[str, RankedPassage]:
    """Documents by their best passage, best first."""
    best: dict[str, RankedPassage] = {}
    for passage in passages:
        best.setdefault(str(passage.payload["document"]), passage)
    return best


def _term_queries(question: Question, index: CollectionIndex) -> dict[str, list[Query]]:
    return {
        term.spelling: [index.chunks.ranking("words", form) for form in sorted(term.forms)]
        for term in question.terms
    }
