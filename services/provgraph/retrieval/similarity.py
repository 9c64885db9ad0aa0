"""Passages and seeds by what vectors say, as the ways of ranking use them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from provgraph.language.terms import terms
from provgraph.ports.retriever import Seed
from provgraph.rdf.iris import local_name
from provgraph.rdf.terms import NamedNode
from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.keyword_index import Payload, any_of
from provgraph.retrieval.passages import RankedPassage
from provgraph.retrieval.seeds import TYPE_SHARE
from provgraph.retrieval.sense.question_sense import QuestionSense
from provgraph.retrieval.vectors.question_vectors import QuestionVectors

LIKENESS, TYPE_LIKENESS = "likeness", "type likeness"
LEAST_LIKENESS: Final = 0.6
SEED_SHARE: Final = 0.8
"""What an entity can score at most whose label is only like a name in the question: less than one that is that name."""

LABELS_PER_NAME: Final = 5
LIKE_TYPES: Final = 3
_AT_ONCE: Final = 500


def by_vectors(vectors: QuestionVectors, index: CollectionIndex, limit: int) -> list[RankedPassage]:
    """The chunks most like the question, best first; the score is the inner product."""
    scores = vectors.chunks(limit)
    passages = [RankedPassage(payload, scores[payload["chunk"]]) for payload in _payloads(scores, index)]
    return sorted(passages, key=lambda passage: (-passage.score, passage.chunk))


def by_sense(sense: QuestionSense, index: CollectionIndex, limit: int) -> list[RankedPassage]:
    """The chunks with the sentences most like the question, best first; the score is the best likeness."""
    scores = sense.chunks(limit)
    passages = [RankedPassage(payload, scores[payload["chunk"]]) for payload in _payloads(scores, index)]
    return sorted(passages, key=lambda passage: (-passage.score, passage.chunk))


def combined(
    likest: Sequence[RankedPassage], by_words: Sequence[RankedPassage], alpha: float
) -> list[RankedPassage]:
    """α · likeness + (1 − α) · BM25 / its maximum; what stands in one ranking only has nothing from the other."""
    most = max((passage.score for passage in by_words), default=1.0)
    scores: dict[str, float] = {}
    payloads = {}
    for ranking, weight in ((likest, alpha), (by_words, (1 - alpha) / most)):
        for passage in ranking:
            payloads[passage.chunk] = passage.payload
            scores[passage.chunk] = scores.get(passage.chunk, 0.0) + weight * passage.score
    best = sorted(scores, key=lambda chunk: (-scores[chunk], chunk))
    return [RankedPassage(payloads[chunk], scores[chunk]) for chunk in best]


def with_similarity(
    seeds: Sequence[Seed], vectors: QuestionVectors, index: CollectionIndex, limit: int
) -> list[Seed]:
    """The seeds, entities whose label is like a name in the question, and those of a type like the one asked for.

    The best `limit` of all.
    """
    best = {seed.entity.value: seed for seed in seeds}
    for near in vectors.entities(LABELS_PER_NAME):
        score = round(SEED_SHARE * near.score, 4)
        known = best.get(near.item.iri)
        is_better = near.score >= LEAST_LIKENESS and (known is None or score > known.score)
        if is_better and index.readings.frequency("node", near.item.iri):
            best[near.item.iri] = Seed(NamedNode(near.item.iri), near.item.label, score, LIKENESS)
    for seed in _of_like_types(vectors, index, limit):
        known = best.get(seed.entity.value)
        if known is None or seed.score > known.score:
            best[seed.entity.value] = seed
    ranked = sorted(best.values(), key=lambda seed: (-seed.score, seed.label, seed.entity.value))
    return ranked[:limit]


def _of_like_types(vectors: QuestionVectors, index: CollectionIndex, limit: int) -> Iterable[Seed]:
    entities = index.entities
    for type_, likeness in vectors.types(LIKE_TYPES).items():
        words = terms(local_name(type_)) if likeness >= LEAST_LIKENESS else ()
        query = any_of([], [entities.having("type", word) for word in words])
        for _, address in entities.search(query, limit) if words else ():
            payload = entities.payload(address)
            if index.readings.frequency("node", payload["entity"]):
                score = round(TYPE_SHARE * likeness, 4)
                yield Seed(NamedNode(payload["entity"]), payload["label"], score, TYPE_LIKENESS)


def _payloads(chunks: Mapping[str, float], index: CollectionIndex) -> Iterable[Payload]:
    iris = list(chunks)
    for at in range(0, len(iris), _AT_ONCE):
        query = index.chunks.having_any("chunk", iris[at : at + _AT_ONCE])
        for _, address in index.chunks.search(query, _AT_ONCE):
            yield index.chunks.payload(address)
