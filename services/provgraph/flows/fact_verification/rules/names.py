"""Another name in the place of the claim's: as object of a relation that has one, as its doer, or the two exchanged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from provgraph.flows.fact_verification.rules.held import Conflict, Held
from provgraph.flows.fact_verification.rules.lexicon import contrasts, phrase, places
from provgraph.flows.fact_verification.rules.reading import AUXILIARIES, Reading
from provgraph.flows.fact_verification.rules.units import Unit, agreement_of, units

_FUNCTIONAL: Final = frozenset(
    phrase(
        "direct write create produce found born die locate release premiere set compose publish develop design "
        "discover invent capital headquarter base marry form name kill build host paint adapt belong author founder "
        "director birthplace title call producer writer creator debut succeed precede located situated held take"
    )
)
"""Relations with one object, or few: another object in its place speaks against the claim."""

_SLOT: Final = 8
"""Tokens behind a relation in which its object is looked for."""


def fillers(held: Held, unit: Unit) -> Iterator[Conflict]:
    """Another name where a relation with one object has its object."""
    if len(set(unit.phrase) & held.said.terms) == len(unit.phrase):
        return
    for relation, strength in _relations(held, unit):
        for at in units(held.said):
            if agreement_of(relation, at) >= 0.8 and (other := _filler_after(held, at)):
                yield Conflict("name", unit.text, other.text, strength if held.named else strength * 0.8)


def _relations(held: Held, unit: Unit) -> Iterator[tuple[Unit, float]]:
    """The words of the claim of which a name is the object, where they have one object, and how surely only one."""
    before = [each for each in held.predicate if each.end <= unit.start and each.sort in ("word", "kind")]
    for relation in before[-3:]:
        if _FUNCTIONAL & set(relation.phrase) or held.claim.exclusive:
            yield relation, 0.75
        elif relation.sort == "kind" and relation.end == unit.start:  # "the album Kryptonite"
            yield relation, 0.6
    start = held.claim.predicate_start
    if (
        unit.start <= start + 2 and held.claim.tokens[start].text.casefold() in AUXILIARIES
    ):  # "The owner is Smith"
        yield from ((each, 0.7) for each in held.subject if each.sort in ("word", "kind"))


def _filler_after(held: Held, at: Unit) -> Unit | None:
    return next(
        (
            each
            for each in units(held.said)
            if at.end <= each.start <= at.end + _SLOT and _is_filler(held, each)
        ),
        None,
    )


def _is_filler(held: Held, unit: Unit) -> bool:
    if unit.sort not in ("name", "place") or unit.phrase in places().belonging:
        return False
    return not set(unit.phrase) & held.claim.terms and (unit.phrase[0], unit.phrase[0]) not in contrasts()


def agents(held: Held) -> Iterator[Conflict]:
    """Another name behind "by" where the claim's subject, of which nothing is said, is to have done it."""
    names = [unit for unit in held.subject if unit.sort == "name"]
    objects = [unit for unit in held.predicate if unit.sort in ("name", "place")]
    if not names or not objects or any(held.agreements[unit] >= 0.5 for unit in names):
        return
    if any(held.agreements[unit] < 0.5 for unit in objects) or not _active(held.claim):
        return
    relations = [unit for unit in held.predicate if _FUNCTIONAL & set(unit.phrase)]
    for at in units(held.said):
        done = any(agreement_of(relation, at) >= 0.8 for relation in relations)
        other = _filler_after(held, at) if done and _followed_by(held.said, at) else None
        if other:
            yield Conflict("name", names[-1].text, other.text, 0.75, whole=True)


def roles(held: Held) -> Iterator[Conflict]:
    """Subject and object of the same verb the other way round: "Kent beat Surrey", "Surrey beat Kent"."""
    verb = next((unit for unit in held.predicate if unit.sort == "word"), None)
    subject = {unit.phrase for unit in held.subject if unit.sort in ("name", "place")}
    objects = {
        unit.phrase
        for unit in held.predicate
        if verb and unit.sort in ("name", "place") and 0 <= unit.start - verb.end <= 2
    }
    if verb is None or not subject or not objects:
        return
    said = units(held.said)
    at = next((unit for unit in said if agreement_of(verb, unit) >= 0.8), None)
    if at is None or _active(held.claim, verb) != _active(held.said, at):
        return
    before = {unit.phrase for unit in said if at.start - 4 <= unit.start < at.start}
    after = {unit.phrase for unit in said if at.end <= unit.start <= at.end + 4}
    if objects & before and subject & after and not subject & before and not objects & after:
        yield Conflict("roles", held.claim.text, held.said.text, 0.8)


def _active(reading: Reading, verb: Unit | None = None) -> bool:
    """Whether a verb is active: no "by" right behind it, no form of "be" before it."""
    if verb is None:
        return "by" not in [token.text.casefold() for token in reading.tokens]
    before = reading.tokens[verb.start - 1].text.casefold() if verb.start else ""
    after = reading.tokens[verb.end].text.casefold() if verb.end < len(reading.tokens) else ""
    return after != "by" and before not in ("is", "was", "are", "were", "been", "be", "being")


def _followed_by(reading: Reading, verb: Unit) -> bool:
    return verb.end < len(reading.tokens) and reading.tokens[verb.end].text.casefold() == "by"
