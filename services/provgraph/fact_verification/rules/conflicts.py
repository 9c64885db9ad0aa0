"""What in a sentence excludes what a claim says: another number, place, kind, name or opposite in the same place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from provgraph.fact_verification.rules.lexicon import contrasts, kinds, opposites, places
from provgraph.fact_verification.rules.reading import AUXILIARIES, Reading
from provgraph.fact_verification.rules.units import LIGHT, Unit, agreement, agreement_of, units
from provgraph.language.terms import terms


def _terms(words: str) -> frozenset[str]:
    return frozenset(term for word in words.split() for term in terms(word))


_FUNCTIONAL: Final = _terms(
    "direct write create produce found born die locate release premiere set compose publish develop design discover "
    "invent capital headquarter base marry form name kill build host paint adapt belong author founder director "
    "birthplace title call producer writer creator debut succeed precede located situated held take"
)
"""Relations with one object, or few: another object in its place speaks against the claim."""

_MADE: Final = _terms("create release publish make produce premiere debut come film shoot write")
_MONTHS: Final = _terms(
    "January February March April May June July August September October November December"
)
_PREPOSITIONS: Final = frozenset("in at from of to by on near for with into within during since until".split())
_ENDS_DEFINITION: Final = frozenset(
    "by of who that which from in at on for with whose where based created directed written starring developed".split()
)
_PREFIXES: Final = ("un", "non", "in", "im", "dis", "ir", "il")
NEAR_MISS: Final = 0.5
_SLOT: Final = 8
"""Tokens behind a relation in which its object is looked for."""


@dataclass(frozen=True)
class Conflict:
    """`claimed` of the claim against `said` of the sentence; `sort` names the rule, `strength` is in 0…1."""

    sort: str
    claimed: str
    said: str
    strength: float
    whole: bool = False
    """Whether it is the subject itself that is another."""


@dataclass(frozen=True)
class Held:
    """A claim held against a sentence: the predicate's units, how much of each the evidence says, and how much of the
    subject the sentence itself names."""

    claim: Reading
    said: Reading
    predicate: Sequence[Unit]
    agreements: Mapping[Unit, float]
    named: bool
    subject: Sequence[Unit] = ()

    def context(self, unit: Unit) -> float:
        """The share of the rest of the predicate that the evidence says; 0.6 where there is no rest."""
        others = [each for each in self.predicate if each is not unit]
        whole = sum(each.weight for each in others)
        return sum(each.weight * self.agreements[each] for each in others) / whole if whole else 0.6

    def relation(self, unit: Unit) -> Unit | None:
        """The word of the predicate before a unit."""
        before = [each for each in self.predicate if each.end <= unit.start and each.sort in ("word", "kind")]
        return before[-1] if before else None

    def defines(self, unit: Unit) -> bool:
        """Whether the claim says by this unit what its subject is: "is an American unit", "is unit"."""
        start = self.claim.predicate_start
        between = [token.text.casefold() for token in self.claim.tokens[start : unit.start]]
        return (
            bool(between)
            and between[0] in AUXILIARIES
            and between[0] not in ("has", "had", "have", "do", "does", "did")
            and not set(between) & (_PREPOSITIONS | {"that", "called", "which"})
            and all(self.claim.tokens[unit.start - i - 1].text.casefold() not in ("to",) for i in range(1))
        )

    @cached_property
    def definition(self) -> range:
        """The tokens of the sentence that say what its subject is: from "is a" up to a preposition or stop."""
        tokens = self.said.tokens
        for index, token in enumerate(tokens[:-1]):
            follows = tokens[index + 1].text.casefold()
            if token.text.casefold() in ("is", "was", "are", "were") and follows in ("a", "an", "the", "one"):
                end = index + 2
                while end < len(tokens) and not self._ends(end):
                    end += 1
                return range(index, end)
        return range(0)

    def _ends(self, index: int) -> bool:
        word = self.said.tokens[index].text.casefold()
        return word in _ENDS_DEFINITION or word in (".", ";", "(")

    @cached_property
    def heads(self) -> tuple[Unit, ...]:
        """The kinds that the sentence defines its subject by, without those that only describe another."""
        found = [unit for unit in units(self.said) if unit.start in self.definition and unit.end <= self.definition.stop]
        starts = {unit.start for unit in found}
        return tuple(unit for unit in found if unit.sort == "kind" and unit.end not in starts)


def conflicts(held: Held) -> list[Conflict]:
    """The surest first. Only what the evidence does not say anyway can be in conflict with it."""
    found: list[Conflict] = []
    for unit in held.predicate:
        if held.agreements[unit] < 0.5:
            found += _against(held, unit)
        if len(unit.phrase) == 1 and agreement(unit, held.said) < 1:
            found += [each for other in units(held.said) for each in _opposites(held, unit, other)]
    for unit in held.subject:
        if len(unit.phrase) == 1 and agreement(unit, held.said) < 1:
            opposed = [each for other in units(held.said) for each in _opposites(held, unit, other)]
            found += [replace(each, whole=True) for each in opposed if each.sort == "opposite"]
    found += [*_agents(held), *_roles(held), *_near_miss(held)]
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
        yield from _fillers(held, unit)


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
    yield Conflict("place", unit.text, other.text, 0.85 if direct and held.named else 0.85 * held.context(unit))


def _beside_the_same(held: Held, unit: Unit, other: Unit) -> bool:
    """Whether both stand right beside a word that both statements have: "Irish state", "Germany's states"."""
    beside = [each for each in held.predicate if each.start in (unit.end, unit.end + 1) or each.end == unit.start]
    far = 3 if {unit.phrase, other.phrase} <= places().belonging else 1
    near = [each for each in units(held.said) if 0 <= each.start - other.end <= far or 0 <= other.start - each.end <= 1]
    return any(agreement_of(one, also) >= 0.8 for one in beside for also in near)


def _after_preposition(reading: Reading, unit: Unit) -> bool:
    return unit.start > 0 and reading.tokens[unit.start - 1].text.casefold() in _PREPOSITIONS


def _kinds(held: Held, unit: Unit) -> Iterator[Conflict]:
    following = _next(held.claim, unit)
    if not held.named or not held.heads or not held.defines(unit) or (following and following.sort != "name"):
        return
    apart = [(kinds().exclusion(unit.phrase, head.phrase), head) for head in held.heads]
    strength, head = min(apart, key=lambda each: each[0])
    if held.claim.exclusive and not strength and not any(kinds().includes(h.phrase, unit.phrase) for h in held.heads):
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


def _fillers(held: Held, unit: Unit) -> Iterator[Conflict]:
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
    if unit.start <= start + 2 and held.claim.tokens[start].text.casefold() in AUXILIARIES:  # "The owner is Smith"
        yield from ((each, 0.7) for each in held.subject if each.sort in ("word", "kind"))


def _filler_after(held: Held, at: Unit) -> Unit | None:
    return next(
        (each for each in units(held.said) if at.end <= each.start <= at.end + _SLOT and _is_filler(held, each)), None
    )


def _is_filler(held: Held, unit: Unit) -> bool:
    if unit.sort not in ("name", "place") or unit.phrase in places().belonging:
        return False
    return not set(unit.phrase) & held.claim.terms and (unit.phrase[0], unit.phrase[0]) not in contrasts()


def _agents(held: Held) -> Iterator[Conflict]:
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
        if done and at.end < len(held.said.tokens) and held.said.tokens[at.end].text.casefold() == "by":
            if other := _filler_after(held, at):
                yield Conflict("name", names[-1].text, other.text, 0.75, whole=True)


def _roles(held: Held) -> Iterator[Conflict]:
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
