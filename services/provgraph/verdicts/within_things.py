"""What stands inside a phrase: what narrows it, with which prepositions, and whether it is a date."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from provgraph.reading.syntax import Token
from provgraph.reading.values import Date
from provgraph.verdicts.things import Thing

_CASES: Final = tuple(
    frozenset(group.split())
    for group in (
        "in at on within inside near during from of by out across throughout",
        "to into onto toward towards for", "from out off of",
        "of for in by on", "with alongside and", "about on regarding of", "by through via using with of",
    )
)  # fmt: skip


def compatible(one: str, other: str) -> bool:
    """Whether two prepositions may lead to the same part."""
    one, other = one.lstrip("+"), other.lstrip("+")
    return one == other or not one or not other or any(one in group and other in group for group in _CASES)


def nested(thing: Thing, depth: int = 0) -> Iterator[tuple[str, Thing]]:
    """What narrows a thing, and what narrows that: "in three acts by Coward"."""
    for case, each in (*thing.inner, *thing.restrictions):
        yield case, each
        if depth < 2:
            yield from nested(each, depth + 1)


def narrowing_words(thing: Thing) -> Iterator[Token]:
    yield from thing.modifiers
    for _, each in thing.restrictions:
        yield each.token
        yield from each.modifiers


def is_whole(claimed: Thing, thing: Thing) -> bool:
    """Whether the two are the same words, with all that narrows the claim's among them."""
    same = claimed.words.casefold() == thing.words.casefold() and claimed.kind != "pronoun"
    return (
        same
        and bool(claimed.restrictions)
        and all(each.span.end <= claimed.span.end for _, each in nested(claimed))
    )


def is_date(thing: Thing) -> bool:
    return isinstance(thing.value, Date)
