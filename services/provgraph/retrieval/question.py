"""A question as the indexes see it: its terms, their weights, and what misspelt ones may have meant."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from provgraph.language.terms import content_terms
from provgraph.ports.retriever import QuestionTerm
from provgraph.retrieval.collection_index import CollectionIndex

SPELLINGS: Final = 5
CORRECTED: Final = 0.8
MOST_TERMS: Final = 64


@dataclass(frozen=True)
class Term:
    """A content word: as the question spells it, its weight, and the index terms that count as it."""

    spelling: str
    weight: float
    known: bool
    variants: frozenset[str]


@dataclass(frozen=True)
class Question:
    text: str
    terms: tuple[Term, ...]

    @cached_property
    def words(self) -> dict[str, float]:
        """Index term → how much a match counts: 1, and a little less for a corrected spelling."""
        return {variant: 1.0 if term.known else CORRECTED for term in self.terms for variant in term.variants}

    @cached_property
    def weight(self) -> float:
        return sum(term.weight for term in self.terms)

    def met_by(self, words: Iterable[str]) -> tuple[Term, ...]:
        """The terms of the question that are among index terms."""
        met = self._forms.keys() & words
        found = {term for form in met for term in self._forms[form]}
        return tuple(term for term in self.terms if term in found) if found else ()

    def told(self) -> tuple[QuestionTerm, ...]:
        return tuple(QuestionTerm(term.spelling, term.weight, term.known) for term in self.terms)

    @cached_property
    def _forms(self) -> dict[str, list[Term]]:
        forms: dict[str, list[Term]] = {}
        for term in self.terms:
            for variant in term.variants:
                forms.setdefault(variant, []).append(term)
        return forms


def analysed(text: str, index: CollectionIndex) -> Question:
    """The terms of a question with their inverse document frequencies over chunks.

    BM25's form, ln(1 + (N − n + 0.5) / (n + 0.5)) (Robertson & Zaragoza 2009, equation 3.3 made positive).
    """
    count = len(index.chunks)
    found = []
    for term, spelling in list(content_terms(text).items())[:MOST_TERMS]:
        frequency = index.chunks.document_frequency(term)
        variants = {term} if frequency else {term, *_meant(term, index)}
        weight = math.log(1 + (count - frequency + 0.5) / (frequency + 0.5))
        found.append(Term(spelling, weight, frequency > 0, frozenset(variants)))
    return Question(text, tuple(found))


def _meant(term: str, index: CollectionIndex) -> set[str]:
    """Terms of facts' labels that differ by few letters: one for words from 4 letters, two from 8."""
    distance = 2 if len(term) >= 8 else 1 if len(term) >= 4 else 0
    if not distance or not term.isalpha():
        return set()
    hits = index.facts.similar(term, distance, SPELLINGS)
    near: Mapping[str, None] = dict.fromkeys(word for hit in hits for word in hit.payload["strong"].split())
    return {word for word in near if edit_distance(term, word, distance) <= distance}


def edit_distance(one: str, other: str, most: int) -> int:
    """Optimal string alignment distance (insert, delete, substitute, swap neighbours); `most` + 1 if larger."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    rows = [list(range(len(other) + 1))]
    for i, char in enumerate(one, 1):
        above, row = rows[-1], [i]
        for j, facing in enumerate(other, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (char != facing))
            if i > 1 and j > 1 and char == other[j - 2] and one[i - 2] == facing:
                cost = min(cost, rows[-2][j - 2] + 1)
            row.append(cost)
        rows.append(row)
    return min(rows[-1][-1], most + 1)
