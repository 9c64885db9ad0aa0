"""Chunks and documents for a question, ranked by BM25, by the names that tie them together, or by both."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tantivy import Query

from provgraph.language.mentions import METRIC
from provgraph.language.terms import terms, titled
from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.keyword_index import Payload, any_of, best_of
from provgraph.retrieval.question import AskedTerm, WeightedQuestion, inverse_document_frequency
from provgraph.retrieval.synonyms import synonyms_of

LEAST_RANKED: Final = 50
CALLED_SCORE: Final = 6.0
SYNONYM_SCORE: Final = 3.0
"""In the scale of BM25, where a word that one chunk in a hundred has scores about 5."""
FUSION_CONSTANT: Final = 10


@dataclass(frozen=True)
class RankedPassage:
    """`terms` are the question's words in it, each with its BM25 score; `how` says what led to it."""

    payload: Payload
    score: float
    terms: tuple[tuple[str, float], ...] = ()
    how: str = ""

    @property
    def chunk(self) -> str:
        return str(self.payload["chunk"])


@dataclass(frozen=True)
class Ranking:
    """Passages by one measure, best first, and what the measure counts beside others."""

    name: str
    passages: Sequence[RankedPassage]
    weight: float = 1.0


def by_words(question: WeightedQuestion, index: CollectionIndex, limit: int) -> list[RankedPassage]:
    """The best chunks by BM25, best first."""
    chunks = index.chunks
    wanted = [query for queries in _term_queries(question, index).values() for query in queries]
    wanted += [*_of_named_documents(question, index), *_by_synonyms(question, index)] if wanted else []
    found = chunks.search(any_of(wanted), max(limit, LEAST_RANKED)) if wanted else []
    ranked = [RankedPassage(chunks.payload(address), score) for score, address in found]
    return sorted(ranked, key=lambda passage: (-passage.score, passage.chunk))


def of_chunks(scores: Mapping[str, float], index: CollectionIndex, how: str) -> list[RankedPassage]:
    """Chunks by given scores, best first; those without a text, as of imported facts, are left out."""
    best = sorted(scores, key=lambda chunk: (-scores[chunk], chunk))[:LEAST_RANKED]
    found = index.chunks.search(index.chunks.having_any("chunk", best), len(best)) if best else []
    payloads = [index.chunks.payload(address) for _, address in found]
    ranked = [
        RankedPassage(payload, scores[payload["chunk"]], how=how)
        for payload in payloads
        if "place" in payload
    ]
    return sorted(ranked, key=lambda passage: (-passage.score, passage.chunk))


def explained(
    ranked: Sequence[RankedPassage], question: WeightedQuestion, index: CollectionIndex, shown: int
) -> list[RankedPassage]:
    """The ranking, its first `shown` passages with the BM25 score of every word of the question in them.

    Passages that tell already which terms made their scores keep these.
    """
    chunks, best = index.chunks, ranked[:shown]
    here = chunks.having_any("chunk", [passage.chunk for passage in best])
    chunk_at = {
        address: str(chunks.payload(address)["chunk"]) for _, address in chunks.search(here, len(best))
    }
    parts: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for spelling, queries in _term_queries(question, index).items():
        for score, address in chunks.search(any_of([], [here, any_of(queries)]), len(best)):
            parts[chunk_at[address]].append((spelling, round(score, 4)))
    passages = [
        replace(
            passage,
            terms=passage.terms or tuple(sorted(parts[passage.chunk], key=lambda part: (-part[1], part[0]))),
        )
        for passage in best
    ]
    return [*passages, *ranked[shown:]]


def fused(rankings: Sequence[Ranking], constant: int = FUSION_CONSTANT) -> list[RankedPassage]:
    """One ranking of several by reciprocal rank: Σ weight / (k + rank), k = `constant`.

    Cormack, Clarke & Büttcher 2009, "Reciprocal rank fusion outperforms Condorcet". Each passage tells its rank in
    each of them.
    """
    scores: dict[str, float] = defaultdict(float)
    payloads: dict[str, Payload] = {}
    told: dict[str, list[str]] = defaultdict(list)
    for ranking in rankings:
        for rank, passage in enumerate(ranking.passages if ranking.weight else (), 1):
            scores[passage.chunk] += ranking.weight / (constant + rank)
            payloads[passage.chunk] = passage.payload
            told[passage.chunk].append(f"{ranking.name} {rank}")
    best = sorted(scores, key=lambda chunk: (-scores[chunk], chunk))
    return [RankedPassage(payloads[chunk], scores[chunk], how=", ".join(told[chunk])) for chunk in best]


def documents(passages: Sequence[RankedPassage]) -> Mapping[str, RankedPassage]:
    """Documents by their best passage, best first."""
    best: dict[str, RankedPassage] = {}
    for passage in passages:
        best.setdefault(str(passage.payload["document"]), passage)
    return best


def _of_named_documents(question: WeightedQuestion, index: CollectionIndex) -> list[Query]:
    """Chunks of long documents that the question calls by a word of their title or file name."""
    forms = {form for term in question.terms for form in term.forms}
    return [index.chunks.having("called", form, CALLED_SCORE) for form in sorted(forms)]


def _by_synonyms(question: WeightedQuestion, index: CollectionIndex) -> list[Query]:
    """Chunks that have another name of a line item or a statement that the question names."""
    return [best_of([_said(index, name) for name in names]) for names in synonyms_of(question.sequence)]


def _said(index: CollectionIndex, name: Sequence[str]) -> Query:
    """Chunks in which the words of a name follow one another."""
    if len(name) == 1:
        return index.chunks.having("words", name[0], SYNONYM_SCORE)
    return index.chunks.phrase("words", name, SYNONYM_SCORE)


def _term_queries(question: WeightedQuestion, index: CollectionIndex) -> dict[str, list[Query]]:
    return {
        term.spelling: [index.chunks.ranking("words", form) for form in sorted(term.forms)]
        for term in question.terms
    }


CANDIDATES: Final = 200


@dataclass(frozen=True)
class CountedText:
    """How often each term of the question stands in a chunk (its title included), and how many terms it has."""

    counts: Mapping[AskedTerm, int]
    length: int
    has_quantity: bool


Measure = Callable[[AskedTerm, CountedText, float], float]
"""What a term makes in a chunk, given the mean length of the candidates."""


def by_texts(
    question: WeightedQuestion, index: CollectionIndex, text: Callable[[Payload], str], measure: Measure
) -> list[tuple[RankedPassage, CountedText]]:
    """The question's candidates with their own scores and the terms that make them, in no order."""
    candidates = by_words(question, index, CANDIDATES)
    counted = [_counted(question, titled(c.payload["title"], text(c.payload))) for c in candidates]
    mean = sum(counted_text.length for counted_text in counted) / (len(counted) or 1)
    texts = []
    for candidate, counted_text in zip(candidates, counted, strict=True):
        made = {term.spelling: measure(term, counted_text, mean) for term in counted_text.counts}
        parts = sorted(
            ((word, round(score, 4)) for word, score in made.items()), key=lambda part: (-part[1], part[0])
        )
        texts.append((replace(candidate, score=sum(made.values()), terms=tuple(parts)), counted_text))
    return texts


def bm25(index: CollectionIndex, k1: float, b: float) -> Measure:
    """BM25 (Robertson & Zaragoza 2009) with the collection's document frequencies."""
    chunks = index.chunks

    def measure(term: AskedTerm, counted: CountedText, mean: float) -> float:
        frequency = max(chunks.frequency("words", form) for form in term.forms)
        count = counted.counts[term]
        longer = 1 - b + b * counted.length / mean
        return inverse_document_frequency(frequency, len(chunks)) * count * (k1 + 1) / (count + k1 * longer)

    return measure


def term_frequency(weight: float) -> Measure:
    return lambda term, counted, _: weight * counted.counts[term]


def in_order(passages: Sequence[RankedPassage]) -> list[RankedPassage]:
    return sorted(passages, key=lambda passage: (-passage.score, passage.chunk))


def boosted(passage: RankedPassage, counted: CountedText, boost: float) -> RankedPassage:
    """The factual boost: so much more where the chunk holds numbers with units, told among its terms."""
    if not boost or not counted.has_quantity:
        return passage
    return replace(
        passage, score=passage.score + boost, terms=(*passage.terms, ("numbers with units", boost))
    )


def _counted(question: WeightedQuestion, text: str) -> CountedText:
    counts = Counter(terms(text))
    held = {term: sum(counts[form] for form in term.forms) for term in question.terms}
    return CountedText(
        {term: count for term, count in held.items() if count},
        counts.total(),
        METRIC.search(text) is not None,
    )
