"""What in a sentence excludes what a claim says: another number, place, kind, name or opposite in the same place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.fact_verification.rules.lexicon import contrasts, kinds, opposites, places
from provgraph.fact_verification.rules.reading import AUXILIARIES, Reading
from provgraph.fact_verification.rules.units import Unit, units
from provgraph.language.terms import terms

_FUNCTIONAL: Final = frozenset(
    term
    for word in "direct write create produce found born die locate release premiere set compose publish develop "
    "design discover invent capital headquarter base marry form name kill win own build host paint record air film "
    "shoot assassinate adapt belong direct author founder director capital birthplace".split()
    for term in terms(word)
)
"""Relations with one object, or few: another object in its place speaks against the claim."""

_SLOT: Final = 9
"""Tokens behind a relation in which its object is looked for."""


@dataclass(frozen=True)
class Conflict:
    """`claimed` of the claim against `said` of the sentence; `sort` names the rule, `strength` is in 0…1."""

    sort: str
    claimed: str
    said: str
    strength: float


def conflicts(
    claim: Reading, said: Reading, predicate: Sequence[Unit], agreements: Mapping[Unit, float]
) -> list[Conflict]:
    """The surest first. Only what the evidence does not say anyway can be in conflict with it."""
    missing = [unit for unit in predicate if agreements[unit] < 0.5]
    found = [
        conflict
        for unit in missing
        for conflict in _against(_Place(claim, said, predicate, agreements), unit)
    ]
    return sorted(found, key=lambda each: -each.strength)


@dataclass(frozen=True)
class _Place:
    """Where a unit of the claim stands, and the sentence that it is held against."""

    claim: Reading
    said: Reading
    predicate: Sequence[Unit]
    agreements: Mapping[Unit, float]

    def context(self, unit: Unit) -> float:
        """The share of the rest of the predicate that the evidence says; 0.6 where there is no rest."""
        others = [each for each in self.predicate if each is not unit]
        whole = sum(each.weight for each in others)
        return sum(each.weight * self.agreements[each] for each in others) / whole if whole else 0.6

    def defines(self, unit: Unit) -> bool:
        """Whether the claim says what its subject is by this unit: "is a … unit"."""
        start = self.claim.predicate_start
        between = self.claim.tokens[start : unit.start]
        return bool(between) and between[0].text.casefold() in AUXILIARIES and unit.start - start <= 6

    @property
    def definition(self) -> range:
        """The tokens of the sentence that say what something is: from its first "is a" up to a verb or stop."""
        tokens = self.said.tokens
        for index, token in enumerate(tokens[:-1]):
            follows = tokens[index + 1].text.casefold()
            if token.text.casefold() in ("is", "was", "are", "were") and follows in ("a", "an", "the", "one"):
                return range(index, min(index + 16, len(tokens)))
        return range(0)


def _against(place: _Place, unit: Unit) -> Iterator[Conflict]:
    context = place.context(unit)
    for other in units(place.said):
        if unit.sort == "number" and other.sort == "number":
            yield from _numbers(unit, other, context)
        elif unit.sort == "place" and other.sort == "place":
            yield from _places(place, unit, other, context)
        elif unit.sort == "kind" and other.sort == "kind":
            yield from _kinds(place, unit, other)
        if len(unit.phrase) == len(other.phrase) == 1:
            yield from _opposites(unit, other, context)
    if unit.sort == "name" or unit.sort == "place":
        yield from _fillers(place, unit)


def _numbers(unit: Unit, other: Unit, context: float) -> Iterator[Conflict]:
    if unit.is_year == other.is_year and unit.ordinal == other.ordinal:
        yield Conflict("number", unit.text, other.text, 0.9 * context if unit.is_year else 0.7 * context)


def _places(place: _Place, unit: Unit, other: Unit, context: float) -> Iterator[Conflict]:
    if places().apart(unit.phrase, other.phrase):
        defined = place.defines(unit) and other.start in place.definition
        yield Conflict("place", unit.text, other.text, 0.9 if defined else 0.8 * context)


def _kinds(place: _Place, unit: Unit, other: Unit) -> Iterator[Conflict]:
    if not place.defines(unit) or other.start not in place.definition:
        return
    strength = kinds().exclusion(unit.phrase, other.phrase)
    if strength:
        yield Conflict("kind", unit.text, other.text, 0.9 * strength)


def _opposites(unit: Unit, other: Unit, context: float) -> Iterator[Conflict]:
    pair = unit.phrase[0], other.phrase[0]
    if pair in opposites():
        yield Conflict("opposite", unit.text, other.text, 0.5 + 0.4 * context)
    elif pair in contrasts():
        yield Conflict("contrast", unit.text, other.text, 0.4 + 0.5 * context)


def _fillers(place: _Place, unit: Unit) -> Iterator[Conflict]:
    """Another name where a relation with one object has its object."""
    before = [each for each in place.predicate if each.end <= unit.start and each.sort in ("word", "kind")]
    if not before:
        return
    relation = before[-1]
    if not (_FUNCTIONAL & set(relation.phrase)) and not place.claim.exclusive:
        return
    for at in units(place.said):
        if at.phrase != relation.phrase:
            continue
        for other in units(place.said):
            if 0 < other.start - at.start <= _SLOT and other.sort in ("name", "place"):
                yield Conflict("name", unit.text, other.text, 0.75)
                return
