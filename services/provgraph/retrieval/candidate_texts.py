"""Scores that are counted in the texts of one question's own candidates: those chunks that the index ranks best.

What the standing index cannot be asked for is counted here: BM25 with other constants than the engine's, plain term
frequency, and whether a text holds numbers with units.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from provgraph.language.terms import terms
from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.keyword_index import Payload
from provgraph.retrieval.passages import RankedPassage, by_words
from provgraph.retrieval.question import Question, Term, inverse_document_frequency

CANDIDATES: Final = 200

_UNIT: Final = (
    r"%|percent|per cent|°[CF]?|[kmcnµ]?m|km/h|mph|miles?|(?:centi|milli|kilo)?met(?:er|re)s?|feet|ft|inch(?:es)?"
    r"|acres?|hectares?|[kmµ]?g|tons?|tonnes?|pounds?|lbs?|kilograms?|grams?|lit(?:er|re)s?|ml|gallons?|[kMG]?Hz|[kMGT]?W"
    r"|[kM]Wh|volts?|[KMGT]B|years?|months?|weeks?|days?|hours?|minutes?|seconds?|dollars?|euros?|million|billion|people"
)
_QUANTITY: Final = re.compile(rf"[$€£¥]\s?\d|\d[\d.,]*\s?(?:{_UNIT})(?!\w)")


@dataclass(frozen=True)
class CountedText:
    """How often each term of the question stands in a chunk (its title included), and how many terms it has."""

    counts: Mapping[Term, int]
    length: int
    has_quantity: bool


Measure = Callable[[Term, CountedText, float], float]
"""What a term makes in a chunk, given the mean length of the candidates."""


def by_texts(
    question: Question, index: CollectionIndex, text: Callable[[Payload], str], measure: Measure
) -> list[tuple[RankedPassage, CountedText]]:
    """The question's candidates with their own scores and the terms that make them, in no order."""
    candidates = by_words(question, index, CANDIDATES)
    counted = [_counted(question, f"{c.payload['title']}\n{text(c.payload)}") for c in candidates]
    mean = sum(each.length for each in counted) / (len(counted) or 1)
    found = []
    for candidate, each in zip(candidates, counted, strict=True):
        made = {term.spelling: measure(term, each, mean) for term in each.counts}
        parts = sorted(
            ((word, round(score, 4)) for word, score in made.items()), key=lambda part: (-part[1], part[0])
        )
        found.append((replace(candidate, score=sum(made.values()), terms=tuple(parts)), each))
    return found


def bm25(index: CollectionIndex, k1: float, b: float) -> Measure:
    """BM25 (Robertson & Zaragoza 2009) with the collection's document frequencies."""
    chunks = index.chunks

    def measure(term: Term, counted: CountedText, mean: float) -> float:
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


def _counted(question: Question, text: str) -> CountedText:
    counts = Counter(terms(text))
    held = {term: sum(counts[form] for form in term.forms) for term in question.terms}
    return CountedText(
        {term: count for term, count in held.items() if count},
        counts.total(),
        _QUANTITY.search(text) is not None,
    )
