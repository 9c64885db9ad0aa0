"""Whether a value can be what a relation asks for: its unit, its kind, the gender of the one it names."""

from __future__ import annotations

from typing import Final

from provgraph.reading.entity_types import demonyms, gender_of_name
from provgraph.reading.propositions import Argument
from provgraph.reading.relations import vocabulary
from provgraph.reading.values import Date, Quantity, dimension

_LENGTHS: Final = frozenset({"length"})
_TIMES: Final = frozenset({"time", "months"})
_DIMENSIONS: Final[dict[str, frozenset[str]]] = {
    "area": frozenset({"area"}), "height": _LENGTHS, "width": _LENGTHS, "depth": _LENGTHS,
    "length": _LENGTHS | _TIMES, "weight": frozenset({"mass"}), "duration": _TIMES, "age": _TIMES | {""},
    "population": frozenset({""}), "employees": frozenset({""}),
}  # fmt: skip
_COUNTED: Final[dict[str, frozenset[str]]] = {
    "population": frozenset("people person inhabitant inhabitants resident residents citizens".split()),
    "employees": frozenset("people person employee employees worker workers staff".split()),
    "age": frozenset("year years".split()),
}
_FEWEST_PEOPLE: Final = 20
_MONEY: Final = frozenset({"cost", "revenue", "profit"})
_MALE: Final = frozenset("father brother son husband".split())
_FEMALE: Final = frozenset("mother sister daughter wife".split())
_OF_PEOPLES: Final = frozenset(
    "nationality ethnicity origin language official-language religion is instance-of has-property".split()
)
KINSHIP: Final = frozenset(
    "father mother parent child son daughter sibling brother sister spouse wife husband grandparent grandchild "
    "uncle-or-aunt nephew-or-niece cousin relative".split()
)


def fits(relation: str, argument: Argument) -> bool:
    """False where the value cannot be meant; True also where nothing tells."""
    if argument.value is None and relation not in _OF_PEOPLES and argument.label in demonyms():
        return False
    if isinstance(argument.value, Quantity):
        return _quantity_fits(relation, argument.value)
    if relation in KINSHIP:
        return _person_fits(relation, argument)
    known = vocabulary()
    if relation in known and known[relation].range == frozenset({"Date"}):
        return isinstance(argument.value, Date) and argument.value.has_year
    return True


def _quantity_fits(relation: str, value: Quantity) -> bool:
    if relation in KINSHIP:
        return False
    if relation in _MONEY:
        return (len(value.unit) == 3 and value.unit.isupper()) or bool(value.noun and not value.unit)
    if relation not in _DIMENSIONS:
        return True
    if value.unit == "%":
        return False
    if dimension(value.unit) not in _DIMENSIONS[relation]:
        return False
    if relation == "population" and value.amount < _FEWEST_PEOPLE:
        return False
    return value.unit != "" or not value.noun or value.noun.casefold() in _COUNTED.get(relation, ())


def _person_fits(relation: str, argument: Argument) -> bool:
    """Somebody with a name: of the gender that the word tells, where a first name tells it."""
    if argument.value is not None or argument.entity_type not in ("", "Person"):
        return False
    if not argument.label[:1].isupper():
        return False
    return is_of_gender(relation, gender_of_name(argument.label)) is not False


def is_of_gender(relation: str, gender: str) -> bool | None:
    """Whether somebody is the man or woman whom a relation is to; None where the gender of either is not known."""
    wanted = "male" if relation in _MALE else "female" if relation in _FEMALE else ""
    return gender == wanted if gender and wanted else None


def counts(counted: str, argument: Argument, relation: str = "") -> bool:
    """Whether a number counts what "how many" asks for, as far as its noun tells; all that a relation may count are
    the same to it: 300 people are 300 employees where they are employed."""
    if not isinstance(argument.value, Quantity) or not counted:
        return True
    if argument.value.unit == "%":
        return counted.startswith("percent")
    if not argument.value.noun:
        return True
    noun = argument.value.noun.casefold()
    stem = counted[: max(len(counted) - 2, 3)]
    alike = (_PEOPLE, _COUNTED.get(relation, frozenset()))
    return any(word.startswith(stem) for word in noun.split()) or any(
        counted in nouns and noun in nouns for nouns in alike
    )


_PEOPLE: Final = frozenset("people person inhabitant inhabitants resident residents citizen citizens".split())
