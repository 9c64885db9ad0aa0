"""Relations that have one value at most, and values that cannot both be it.

A *attribute* is what a functional relation tells of its subject: a date of birth, a mother. Several relations tell one
attribute ("was born on", "has date of birth"), and one relation tells several, by the kind of its value ("was born in"
a year, or a place). Which there are, and why no more: docs/tech-specs/contradictions.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Final

from provgraph.rdf.iris import local_name
from provgraph.rdf.terms import Literal, NamedNode, Term
from provgraph.rdf.vocabulary import TG, XSD


class AttributeKind(StrEnum):
    """What kind of value a term is; values of two kinds are never compared."""

    DATE = "date"
    THING = "thing"
    NUMBER = "number"
    QUANTITY = "quantity"
    TEXT = "text"


@dataclass(frozen=True)
class Attribute:
    """What has one value of a kind at most, and the relations, in words, that tell it."""

    name: str
    kind: AttributeKind
    relations: frozenset[str]


def _attribute(name: str, kind: AttributeKind, relations: str) -> Attribute:
    return Attribute(name, kind, frozenset(relation.strip() for relation in relations.split("·")))


ATTRIBUTES: Final = (
    _attribute(
        "date of birth",
        AttributeKind.DATE,
        "born · born on · born on date · born in · date of birth · birth date · birthdate",
    ),
    _attribute(
        "place of birth",
        AttributeKind.THING,
        "born in · born in place · born at · birthplace · birth place · place of birth · birth city",
    ),
    _attribute(
        "date of death",
        AttributeKind.DATE,
        "died · died on · died on date · died in · date of death · death date",
    ),
    _attribute(
        "place of death",
        AttributeKind.THING,
        "died in · died in place · died at · place of death · death place · deathplace",
    ),
    _attribute(
        "date of founding",
        AttributeKind.DATE,
        "founded in · founded on · founded on date · established in · established on · founding date · date of founding · inception",
    ),
    _attribute("mother", AttributeKind.THING, "mother"),
    _attribute("father", AttributeKind.THING, "father"),
)

_AUXILIARIES: Final = frozenset("a an the is are was were be been has had have".split())
_WORD: Final = re.compile(r"[^\W\d_]+|\d+")
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_DATES: Final = (XSD.date, XSD.date_time, XSD.g_year, XSD.g_year_month)
_NUMBERS: Final = (XSD.integer, XSD.decimal)


def attributes(relation: NamedNode, kind: AttributeKind) -> list[Attribute]:
    """The attributes that a relation tells with a value of this kind, by the words of its name."""
    words = relation_words(local_name(relation.value))
    return [each for each in ATTRIBUTES if each.kind is kind and words in each.relations]


def relation_words(name: str) -> str:
    """A relation's name as plain words: `birthDate`, "has birth date" and `birth_date` are one."""
    words = [word.casefold() for word in _WORD.findall(_HUMP.sub(" ", name))]
    return " ".join(word for word in words if word not in _AUXILIARIES)


def kind_of(value: Term) -> AttributeKind | None:
    """The kind of a value; None for what is none, such as a triple term."""
    if isinstance(value, NamedNode):
        return AttributeKind.THING
    if not isinstance(value, Literal):
        return None
    if value.datatype in _DATES:
        return AttributeKind.DATE
    if value.datatype in _NUMBERS:
        return AttributeKind.NUMBER
    return AttributeKind.QUANTITY if value.datatype == TG.quantity else AttributeKind.TEXT


def excludes(one: Literal, other: Literal) -> bool:
    """Whether two literals of one kind cannot both be true; what cannot be compared excludes nothing."""
    match kind_of(one):
        case AttributeKind.DATE:
            return not _one_begins_the_other(_moment(one), _moment(other))
        case AttributeKind.NUMBER:
            return _differ(one.value, other.value)
        case AttributeKind.QUANTITY:
            (amount, _, unit), (other_amount, _, other_unit) = (v.value.partition(" ") for v in (one, other))
            return unit == other_unit and _differ(amount, other_amount)
        case _:
            return one.language == other.language and _plain(one.value) != _plain(other.value)


def same_name(one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether one of two names only says more than the other ("Warsaw" and "Warsaw, Poland")."""
    words = [
        {word.casefold() for label in labels for word in _WORD.findall(label)} for labels in (one, other)
    ]
    return words[0] <= words[1] or words[1] <= words[0]


def _moment(date: Literal) -> str:
    """A date as digits, as precise as it is: "1867", "1867-11", "1867-11-07"."""
    return date.value.partition("T")[0].removesuffix("Z")


def _one_begins_the_other(one: str, other: str) -> bool:
    """A coarser date that holds a finer one does not contradict it: 1867 and 7 November 1867."""
    return f"{one}-".startswith(f"{other}-") or f"{other}-".startswith(f"{one}-")


def _differ(one: str, other: str) -> bool:
    try:
        return Decimal(one) != Decimal(other)
    except InvalidOperation:
        return False


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
