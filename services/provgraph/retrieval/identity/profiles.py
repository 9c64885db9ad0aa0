"""What is told of an entity, and whether two of them, or what two documents tell of one, exclude each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from provgraph.catalogue.functional import excludes
from provgraph.rdf.terms import Literal

_EXCLUSIVE: Final = frozenset(
    frozenset(pair.split())
    for pair in (
        "Person Organization",
        "Person Place",
        "Person Work",
        "Person Event",
        "Place Work",
        "Place Event",
    )
)
"""A country is a place and an organization, a festival is an event and an organization, a newspaper a work and one."""


@dataclass(frozen=True)
class Value:
    """A value of an attribute that has one at most, as one document tells it."""

    attribute: str
    value: Literal
    document: str


@dataclass
class Profile:
    """An entity with its names, and the types and values that each document tells of it."""

    iri: str
    labels: set[str] = field(default_factory=set)
    types: set[tuple[str, str]] = field(default_factory=set)
    values: set[Value] = field(default_factory=set)

    @property
    def kinds(self) -> frozenset[str]:
        return frozenset(kind for kind, _ in self.types)


def own_contradiction(profile: Profile) -> str:
    """Why an entity may be two: what different documents tell of it that excludes each other, or nothing."""
    for one, other in combinations(sorted(profile.types), 2):
        if one[1] != other[1] and frozenset((one[0], other[0])) in _EXCLUSIVE:
            return f"one document calls it a {one[0].lower()}, another a {other[0].lower()}"
    ordered = sorted(profile.values, key=_value_order)
    for first, second in combinations(ordered, 2):
        if first.document != second.document and _exclude(first, second):
            return _two_values(first, second)
    return ""


def contradiction(one: Profile, other: Profile) -> str:
    """Why two entities cannot be one, or nothing; the order of the two does not matter."""
    mine, theirs = one.kinds, other.kinds
    if not mine & theirs:
        for pair in sorted((a, b) for a in mine for b in theirs):
            if frozenset(pair) in _EXCLUSIVE:
                kinds = sorted(pair)
                return f"one is a {kinds[0].lower()}, the other a {kinds[1].lower()}"
    for first in sorted(one.values, key=_value_order):
        for second in sorted(other.values, key=_value_order):
            if _exclude(first, second):
                return _two_values(*sorted((first, second), key=_value_order))
    return ""


def _exclude(one: Value, other: Value) -> bool:
    return one.attribute == other.attribute and excludes(one.value, other.value)


def _two_values(one: Value, other: Value) -> str:
    return f"two values of {one.attribute}: {one.value.value} and {other.value.value}"


def _value_order(value: Value) -> tuple[str, str, str]:
    return value.attribute, value.value.value, value.document
