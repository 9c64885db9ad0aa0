"""What people read: the roles' names, and the sentence that says what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final

from provgraph.reading.values import Date, Quantity
from provgraph.verdicts.alignment import Part
from provgraph.verdicts.judgement import Element

_ROLES: Final = {
    "A": "who or what", "P": "whom or what", "C": "what it is", "R": "to whom", "predicate": "predicate",
    "modifier": "modifier", "of": "whose", "measure": "how much",
}  # fmt: skip
_LIGHT: Final = frozenset("is was are were be been has have had does do did".split())
"""Words of a claim of which nobody needs to hear that they are not said."""
_MOST_NAMED: Final = 3
"""Parts of a claim that are named; the others are not looked for."""
_PLACES: Final = frozenset("@in @at @on @near @within @inside".split())


def role_name(part: Part) -> str:
    """The role in plain words: "who or what", "when", "where" …"""
    value = part.thing.value if part.thing is not None else None
    if isinstance(value, Date):
        return "when"
    if isinstance(value, Quantity):
        return "how much"
    if part.role in _PLACES:
        return "where"
    return _ROLES.get(part.role, part.role.lstrip("@~") or "circumstance")


def missing_words(elements: Sequence[Element], narrowed: str = "") -> str:
    """Plain English for what is said and what is not; `narrowed` are words of the evidence that narrow it."""
    missing = [element for element in elements if element.relation == "not said"]
    telling = [element for element in missing if element.text.casefold() not in _LIGHT] or missing
    whole = (element for element in telling if not any(_is_part(element, other) for other in telling))
    unsaid = [_quoted(element) for element in islice(whole, _MOST_NAMED + 1)]
    said = [
        _quoted(element)
        for element in elements
        if element.relation == "entailed"
        and element.role != "predicate"
        and not any(_is_part(other, element) for other in telling)
    ]
    if not elements:
        return "The claim could not be read into statements."
    if not unsaid and narrowed:
        return f"The text says so only “{narrowed.removeprefix('only ')}”."
    if said and not unsaid:
        return "The texts speak of all its parts, but no text says them of each other."
    if said:
        rest = f"does not say {_joined(unsaid[:_MOST_NAMED])} of it"
        return f"The closest sentence speaks of {_joined(said[:_MOST_NAMED], 'and')}, but {rest}."
    rest = f"{_joined(unsaid[1:])} of {unsaid[0]}" if unsaid[1:] else _joined(unsaid)
    if any(element.evidence is not None for element in elements):
        return f"The closest sentence does not say {rest}."
    return f"No sentence found says {rest}."


def _is_part(element: Element, other: Element) -> bool:
    """Whether it stands within another, longer element, which tells it too."""
    return other.start <= element.start and element.end <= other.end and len(other.text) > len(element.text)


def _quoted(element: Element) -> str:
    return f"“{element.text}”"


def _joined(words: Sequence[str], last: str = "or") -> str:
    some = list(dict.fromkeys(words))
    return some[0] if len(some) == 1 else f"{', '.join(some[:-1])} {last} {some[-1]}" if some else "it"
