"""From when to when something was so: "from 1915 to 1936" is not said by "in 1936", but by both its ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from provgraph.reading.values import Date, contains, excludes
from provgraph.verdicts.outcomes import NOT_SAID, Outcome, best
from provgraph.verdicts.things import Statement, Thing

_BEGINS: Final = ("@from", "@since")
_ENDS: Final = ("@until", "@till", "@to")


def is_span(thing: Thing) -> bool:
    """Whether it tells a beginning and an end: "between 1990 and 1995" may be a day between them."""
    value = thing.value
    return (
        isinstance(value, Date)
        and value.precision == "range"
        and not value.text.lower().startswith("between")
    )


def met_span(claimed: Thing, said: Statement, others: Sequence[Thing]) -> Outcome:
    """What the dates of a statement mean for a span of the claim; `others` are those in its place."""
    spans = [each for each in others if _is_range(each)]
    if spans:
        return best(_compared(claimed, each) for each in spans)
    value = claimed.value
    begun, ended = _dates(said, _BEGINS), _dates(said, _ENDS)
    if not isinstance(value, Date) or not begun or not ended:
        return NOT_SAID
    same = begun[0][0].first[0] == value.first[0] and ended[0][0].last[0] == value.last[0]
    span = ended[0][1].span
    return Outcome(
        "entailed" if same else "contradicted", span, "the same span" if same else "another span", 0.9
    )


def met_within(claimed: Thing, said: Statement, lasts: bool) -> Outcome | None:
    """What a date of the claim means beside "from 1890 to 1902": within it, entailed of what lasts, open of an event;
    None where the statement has no span, or the date is not between its ends."""
    begun, ended, value = _dates(said, _BEGINS), _dates(said, _ENDS), claimed.value
    if not isinstance(value, Date) or not begun or not ended:
        return None
    if not begun[0][0].first < value.first or not value.last < ended[0][0].last:
        return None
    return Outcome("entailed", begun[0][1].span, "within that time", 0.93) if lasts else NOT_SAID


def _compared(claimed: Thing, other: Thing) -> Outcome:
    assert claimed.value is not None
    assert other.value is not None
    if contains(claimed.value, other.value):
        return Outcome("entailed", other.span, "the same value or within it")
    return (
        Outcome("contradicted", other.span, "another value")
        if excludes(claimed.value, other.value)
        else NOT_SAID
    )


def _is_range(thing: Thing) -> bool:
    return isinstance(thing.value, Date) and thing.value.precision == "range"


def _dates(said: Statement, roles: Sequence[str]) -> list[tuple[Date, Thing]]:
    """The dates in those roles, or within what stands there: "until her retirement in 1936"."""
    things = [t for role, some in said.slots.items() if role.lstrip("~") in roles for t in some]
    things += [each for thing in things for _, each in thing.restrictions]
    return [(t.value, t) for t in things if isinstance(t.value, Date)]
