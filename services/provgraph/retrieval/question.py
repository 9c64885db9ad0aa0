"""A question → its terms, each with its weight, and the spellings in the collection that may mean it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from rapidfuzz.distance import OSA

from provgraph.language.terms import content_terms, fold, is_unspaced, terms
from provgraph.ports.retriever import QuestionTerm
from provgraph.retrieval.collection_index import CollectionIndex

_FISCAL_YEAR: Final = re.compile(r"fy((?:19|20)?\d\d)")
MOST_TERMS: Final = 48
CUT_ENDINGS: Final = ("", "e", "s", "d", "y", "ed", "er", "es", "ing", "ion", "ers", "ies", "ered", "ations")


@dataclass(frozen=True, eq=False)
class AskedTerm:
    """A content word of the question: `spelling` as it asks, `forms` the index terms that meet it.

    A word that the collection does not use has, as forms, the words that it may be a typing error for.
    """

    spelling: str
    weight: float
    known: bool
    forms: frozenset[str]


@dataclass(frozen=True)
class WeightedQuestion:
    """`sequence` holds all terms of the question in order, corrected where they are unknown."""

    text: str
    terms: tuple[AskedTerm, ...]
    sequence: tuple[str, ...]

    @cached_property
    def weight(self) -> float:
        return sum(term.weight for term in self.terms)

    def met_by(self, words: Iterable[str]) -> list[AskedTerm]:
        """The terms that these index terms meet, each once, in the order of the question."""
        forms = self._by_form
        met = {forms[form] for form in forms.keys() & words}
        return [term for term in self.terms if term in met] if len(met) > 1 else list(met)

    def share(self, met: Iterable[AskedTerm]) -> float:
        """The share of the question's weight that these terms have, in 0…1."""
        return sum(term.weight for term in met) / self.weight if self.terms else 0.0

    @cached_property
    def _by_form(self) -> dict[str, AskedTerm]:
        return {form: term for term in reversed(self.terms) for form in term.forms}

    def told(self) -> tuple[QuestionTerm, ...]:
        return tuple(QuestionTerm(term.spelling, round(term.weight, 4), term.known) for term in self.terms)


def inverse_document_frequency(frequency: int, count: int) -> float:
    """ln(1 + (N − n + ½) / (n + ½)): Robertson & Zaragoza 2009, equation 3.3, kept above zero."""
    return math.log(1 + (max(count - frequency, 0) + 0.5) / (frequency + 0.5))


def analysed(text: str, index: CollectionIndex) -> WeightedQuestion:
    """The question's content words, weighed by inverse document frequency over chunks.

    An unknown word weighs as the rarest one does, unless it is a typing error for a known one: then as that.
    """
    chunks, spellings = index.chunks, content_terms(text)
    count = len(chunks)
    frequencies = {term: chunks.frequency("words", term) for term in spellings}
    asked_terms: list[AskedTerm] = []
    corrections: dict[str, str] = {}
    for term, spelling in spellings.items():
        if frequencies[term] == 0 and is_unspaced(term) and _is_seam(term, frequencies):
            continue
        forms = {term, *_year(term)}
        if frequencies[term] == 0 and (corrected := _corrected(spelling, index)):
            forms.add(corrected)
            corrections[term] = corrected
        frequency = max(chunks.frequency("words", form) for form in forms)
        weight = inverse_document_frequency(max(frequency, 1), count)
        asked_terms.append(AskedTerm(spelling, weight, frequencies[term] > 0, frozenset(forms)))
    sequence = tuple(corrections.get(term, term) for term in terms(text))
    heaviest = sorted(asked_terms, key=lambda term: -term.weight)[:MOST_TERMS]
    return WeightedQuestion(
        text, tuple(term for term in asked_terms if term in heaviest), sequence[: 4 * MOST_TERMS]
    )


def _year(term: str) -> set[str]:
    """The year that a fiscal year is called by, which is how tables print it: FY2022 and FY22 are 2022."""
    match = _FISCAL_YEAR.fullmatch(term)
    return {f"20{match[1]}" if len(match[1]) == 2 else match[1]} if match else set()


def _is_seam(pair: str, frequencies: dict[str, int]) -> bool:
    """Whether an unknown pair of characters only joins the ends of two known ones."""
    before = any(n and other[-1] == pair[0] for other, n in frequencies.items() if other != pair)
    after = any(n and other[0] == pair[-1] for other, n in frequencies.items() if other != pair)
    return before and after


def _corrected(spelling: str, index: CollectionIndex) -> str:
    """The term of the collection's word nearest to an unknown one: one edit from 4 letters, two from 8.

    Neighbours that were swapped count as one edit (optimal string alignment). The first two letters count as right;
    endings that stemming cut are put back before words are compared.
    """
    word = fold(spelling)
    most = 2 if len(word) >= 8 else 1 if len(word) >= 4 else 0
    if not most or not word.isascii() or not word.isalpha():
        return ""
    nearest, found = most + 1, ""
    for term in index.chunks.vocabulary("words", word[:2]):
        for ending in _endings(term, word, most):
            if (edits := OSA.distance(word, term + ending, score_cutoff=most)) < nearest:
                nearest, found = edits, term
    return found


def _endings(term: str, word: str, most: int) -> Iterator[str]:
    """What stemming may have cut from a word that came to be `term`, where the lengths agree with `word`."""
    if len(set(term[:-1]) - set(word)) <= most:
        yield from (end for end in CUT_ENDINGS if abs(len(term) + len(end) - len(word)) <= most)
