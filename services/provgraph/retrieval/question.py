"""A question as the indexes see it: its terms, their weights, and what misspelt ones may have meant."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from provgraph.language.terms import content_terms, fold
from provgraph.ports.retriever import QuestionTerm
from provgraph.retrieval.collection_index import CollectionIndex

SPELLINGS: Final = 5
CORRECTED: Final = 0.9
MOST_TERMS: Final = 64
CUT_ENDINGS: Final = ("", "e", "s", "d", "y", "ed", "er", "es", "ing", "ion", "ers", "ies", "ered", "ations")


@dataclass(frozen=True, eq=False)
class Term:
    """A content word: as the question spells it, its weight, and the index terms that count as it.

    Compared by identity: a question has each of its terms once, and looks them up for every fact.
    """

    spelling: str
    weight: float
    known: bool
    variants: frozenset[str]

    @property
    def worth(self) -> float:
        """What meeting it counts: 1, and a little less where its spelling was corrected."""
        return 1.0 if self.known else CORRECTED


@dataclass(frozen=True)
class Question:
    text: str
    terms: tuple[Term, ...]

    @cached_property
    def words(self) -> dict[str, float]:
        """Index term → how much a match counts: 1, and a little less for a corrected spelling."""
        return {variant: term.worth for term in self.terms for variant in term.variants}

    @cached_property
    def weight(self) -> float:
        return sum(term.weight for term in self.terms)

    def met_by(self, words: Iterable[str]) -> tuple[Term, ...]:
        """The terms of the question that are among index terms."""
        met = self._forms.keys() & words
        return tuple(dict.fromkeys(term for form in met for term in self._forms[form])) if met else ()

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
        meant = () if frequency else _meant(spelling, index)
        seen = max((index.chunks.document_frequency(other) for other in meant), default=frequency)
        seen = min(seen, count)  # entries that were replaced count until their segment is merged
        weight = math.log(1 + (count - seen + 0.5) / (seen + 0.5))
        found.append(Term(spelling, weight, frequency > 0, frozenset({term, *meant})))
    return Question(text, tuple(found))


def _meant(spelling: str, index: CollectionIndex) -> tuple[str, ...]:
    """Index terms that a word of the collection nearest to an unknown one is cut to: the commonest few.

    One letter may be wrong in words from 4 letters, two from 8; the first two letters count as right.
    """
    word = fold(spelling)
    most = 2 if len(word) >= 8 else 1 if len(word) >= 4 else 0
    if not most or not word.isascii() or not word.isalpha():
        return ()
    near: dict[int, list[str]] = {}
    for term, _ in index.chunks.vocabulary(word[:2]):
        distance = min(
            (edit_distance(word, term + end, most) for end in _endings(term, word, most)), default=9
        )
        near.setdefault(distance, []).append(term)
    nearest = next((near[distance] for distance in range(most + 1) if distance in near), [])
    return tuple(nearest[:SPELLINGS])


def _endings(term: str, word: str, most: int) -> Iterator[str]:
    """What stemming may have cut from a word that came to be `term`, where the lengths agree with `word`."""
    if len(set(term[:-1]) - set(word)) <= most:
        yield from (end for end in CUT_ENDINGS if abs(len(term) + len(end) - len(word)) <= most)


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
