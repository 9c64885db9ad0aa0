"""What in a sentence excludes what a claim says: another number, place, kind, name or opposite in the same place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from provgraph.flows.fact_verification.rules.held import PREPOSITIONS, Conflict, Held
from provgraph.flows.fact_verification.rules.lexicon import contrasts, kinds, opposites, phrase, places
from provgraph.flows.fact_verification.rules.names import agents, fillers, roles
from provgraph.flows.fact_verification.rules.reading import Reading
from provgraph.flows.fact_verification.rules.units import LIGHT, Unit, agreement, agreement_of, units

_MADE: Final = frozenset(phrase("create release publish make produce premiere debut come film shoot write"))
_MONTHS: Final = phrase(
    "January February March April May June July August September October November December"
)
_PREFIXES: Final = ("un", "non", "in", "im", "dis", "ir", "il")
NEAR_MISS: Final = 0.5


def conflicts(held: Held) -> list[Conflict]:
    """The surest first. Only what the evidence does not say anyway can be in conflict with it."""
    found: list[Conflict] = []
    for unit in held.predicate:
        if held.agreements[unit] < 0.5 or (unit.is_year and held.dated_otherwise):
            found += _against(held, unit)
        if len(unit.phrase) == 1 and agreement(unit, held.said) < 1:
            found += [each for other in units(held.said) for each in _opposites(held, unit, other)]
    for unit in held.subject:
        if len(unit.phrase) == 1 and agreement(unit, held.said) < 1:
            opposed = [each for other in units(held.said) for each in _opposites(held, unit, other)]
            found += [replace(each, whole=True) for each in opposed if each.sort == "opposite"]
    found += [*agents(held), *roles(held), *_near_miss(held)]
    return sorted(found, key=lambda each: -each.strength)


def _against(held: Held, unit: Unit) -> Iterator[Conflict]:
    for other in units(held.said):
        if unit.sort == "number" and other.sort == "number":
            yield from _numbers(held, unit, other)
        elif unit.sort == "place" and other.sort == "place":
            yield from _places(held, unit, other)
    if unit.sort == "kind":
        yield from _kinds(held, unit)
    if unit.sort in ("name", "place"):
        yield from fillers(held, unit)


def _numbers(held: Held, unit: Unit, other: Unit) -> Iterator[Conflict]:
    if unit.is_year != other.is_year or unit.ordinal != other.ordinal:
        return
    if unit.is_year:
        relation = held.relation(unit)
        if other.start in held.definition and relation and set(relation.phrase) & _MADE:
            yield Conflict("number", unit.text, other.text, 0.85)
        elif not _in_brackets(held.said, other) or _dates_the_same(held, other):
            context = held.context(unit)
            yield Conflict("number", unit.text, other.text, 0.9 * context if context >= 0.5 else 0.0)
        return
    if _same_month_before(held, unit, other):
        yield Conflict("number", unit.text, other.text, 0.85)
    counted, also = _next(held.claim, unit), _next(held.said, other)
    if counted and also and agreement_of(counted, also) >= 0.8:
        yield Conflict("number", f"{unit.text} {counted.text}", f"{other.text} {also.text}", 0.8)


def _same_month_before(held: Held, unit: Unit, other: Unit) -> bool:
    """Whether both are days of the same month: "March 29", "March 28"."""
    if not unit.start or not other.start:
        return False
    one, also = held.claim.tokens[unit.start - 1], held.said.tokens[other.start - 1]
    return one.term == also.term and one.term in _MONTHS


def _next(reading: Reading, unit: Unit) -> Unit | None:
    return next((each for each in units(reading) if each.start == unit.end), None)


def _dates_the_same(held: Held, year: Unit) -> bool:
    """Whether a year in brackets stands behind a name that the claim has too."""
    before = [each for each in units(held.said) if each.end == year.start - 1]
    return any(unit.sort in ("name", "place") and unit.phrase[0] in held.claim.terms for unit in before)


def _in_brackets(reading: Reading, unit: Unit) -> bool:
    """Whether it stands alone in brackets, as the year of a work that is named."""
    around = reading.tokens[unit.start - 1 : unit.end + 1] if unit.start else ()
    return len(around) == 3 and around[0].text == "(" and around[2].text == ")"


def _places(held: Held, unit: Unit, other: Unit) -> Iterator[Conflict]:
    if not places().apart(unit.phrase, other.phrase):
        return
    adjective = unit.phrase in places().belonging
    if held.defines(unit):
        if other.start in held.definition and adjective and held.named:
            yield Conflict("place", unit.text, other.text, 0.9)
        return
    if _beside_the_same(held, unit, other) and held.context(unit) >= 0.5:
        yield Conflict("place", unit.text, other.text, 0.8)
        return
    if not (_after_preposition(held.claim, unit) and _after_preposition(held.said, other)):
        return
    direct = held.claim.predicate_start + 2 == unit.start  # "is in Iraq"
    yield Conflict(
        "place", unit.text, other.text, 0.85 if direct and held.named else 0.85 * held.context(unit)
    )


def _beside_the_same(held: Held, unit: Unit, other: Unit) -> bool:
    """Whether both stand right beside a word that both statements have: "Irish state", "Germany's states"."""
    beside = [
        each for each in held.predicate if each.start in (unit.end, unit.end + 1) or each.end == unit.start
    ]
    far = 3 if {unit.phrase, other.phrase} <= places().belonging else 1
    near = [
        each
        for each in units(held.said)
        if 0 <= each.start - other.end <= far or 0 <= other.start - each.end <= 1
    ]
    return any(agreement_of(one, also) >= 0.8 for one in beside for also in near)


def _after_preposition(reading: Reading, unit: Unit) -> bool:
    return unit.start > 0 and reading.tokens[unit.start - 1].text.casefold() in PREPOSITIONS


def _kinds(held: Held, unit: Unit) -> Iterator[Conflict]:
    following = _next(held.claim, unit)
    if not held.named or not held.heads or not held.defines(unit) or (following and following.sort != "name"):
        return
    apart = [(kinds().exclusion(unit.phrase, head.phrase), head) for head in held.heads]
    strength, head = min(apart, key=lambda each: each[0])
    if (
        held.claim.exclusive
        and not strength
        and not any(kinds().includes(h.phrase, unit.phrase) for h in held.heads)
    ):
        strength = 1.0
    if strength:
        yield Conflict("kind", unit.text, head.text, 0.9 * strength)


def _opposites(held: Held, unit: Unit, other: Unit) -> Iterator[Conflict]:
    if len(other.phrase) > 1 or not (held.named or unit in held.subject):
        return
    one, another = unit.phrase[0], other.phrase[0]
    context = held.context(unit)
    if (one, another) in opposites() or _denies(unit.text.casefold(), other.text.casefold()):
        yield Conflict("opposite", unit.text, other.text, 0.5 + 0.4 * context)
    elif (one, another) in contrasts():
        yield Conflict("contrast", unit.text, other.text, 0.3 + 0.6 * context)


def _denies(one: str, another: str) -> bool:
    """Whether one word is the other with a prefix that denies: "uncontrolled", "controlled"."""
    short, long = sorted((one, another), key=len)
    return len(short) > 3 and any(long == prefix + short for prefix in _PREFIXES)


def _near_miss(held: Held) -> Iterator[Conflict]:
    """All of the claim but one name, number or kind in one sentence, and another of that sort in it."""
    missing = [unit for unit in held.predicate if held.agreements[unit] < 0.3 and unit.weight > LIGHT]
    sorts = {unit.sort for unit in missing}
    if not held.named or len(sorts) != 1 or sorts <= {"word"}:
        return
    rest = [unit for unit in held.predicate if unit not in missing and unit.weight > LIGHT]
    if not rest or any(agreement(unit, held.said) < 0.75 for unit in rest):
        return
    own = {term for unit in (*held.predicate, *held.subject) for term in unit.phrase}
    if sorts == {"name"} and len(rest) < 2:
        return
    others = [unit for unit in units(held.said) if unit.sort in sorts and not set(unit.phrase) & own]
    if others:
        yield Conflict("near", missing[0].text, others[0].text, NEAR_MISS)
