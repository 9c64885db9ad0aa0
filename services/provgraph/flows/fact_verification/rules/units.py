"""The parts of a statement that are compared one by one: names, places, kinds, numbers, and plain words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from rapidfuzz.distance import Levenshtein

from provgraph.flows.fact_verification.rules.lexicon import Phrase, alike, kinds, places
from provgraph.flows.fact_verification.rules.reading import Reading, Token
from provgraph.language.terms import terms

Sort = Literal["place", "kind", "number", "name", "word"]

WEIGHTS: Final[dict[Sort, float]] = {"place": 1.3, "kind": 1.0, "number": 1.3, "name": 1.3, "word": 0.8}
"""What each sort counts in the coverage of a claim."""

LIGHT: Final = 0.25
"""What a word counts that says little by itself."""

_LIGHT_TERMS: Final = frozenset(
    term
    for word in "get got use make made have go went take took give gave item element reason way various include part "
    "thing something someone point time life work worked person also still often regular different certain actual "
    "several own called titled known named total well year".split()
    for term in terms(word)
)
_LONGEST_PHRASE: Final = 3
_LANDS: Final = frozenset(tuple(terms(word)) for word in ("country", "nation", "place", "region"))
_NICKNAME: Final = 3
_DERIVED: Final = 5
_LIKE_NAMES: Final = 0.84


@dataclass(frozen=True)
class Unit:
    """`phrase` is what it is compared by, `start` and `end` its tokens (end exclusive)."""

    sort: Sort
    phrase: Phrase
    text: str
    start: int
    end: int
    number: str = ""
    ordinal: bool = False

    @property
    def weight(self) -> float:
        return LIGHT if self.phrase[0] in _LIGHT_TERMS else WEIGHTS[self.sort]

    @property
    def is_year(self) -> bool:
        return self.sort == "number" and len(self.number) == 4 and self.number[0] in "12" and not self.ordinal


@lru_cache(maxsize=20_000)
def units(reading: Reading) -> tuple[Unit, ...]:
    """The units of the content of a statement, longest phrases of places and kinds first, in their order."""
    marks = {*reading.negated, *reading.exclusive}
    content = {token.index for token in reading.content}
    found: list[Unit] = []
    at = 0
    while at < len(reading.tokens):
        unit = _phrase_at(reading.tokens, at, marks) or (
            _single(reading.tokens[at]) if at in content else None
        )
        if unit:
            found.append(unit)
        at = unit.end if unit else at + 1
    return tuple(found)


def _phrase_at(tokens: Sequence[Token], at: int, marks: set[int]) -> Unit | None:
    for size in range(min(_LONGEST_PHRASE, len(tokens) - at), 0, -1):
        some = tokens[at : at + size]
        if any(token.is_stop or token.index in marks for token in some) or some[0].is_function:
            continue
        phrase = tuple(token.term for token in some)
        text = " ".join(token.text for token in some)
        if phrase in places().chains and some[0].is_name:
            return Unit("place", phrase, text, at, at + size)
        if phrase in kinds().places and not (at and some[0].is_name and size == 1):
            return Unit("kind", phrase, text, at, at + size)
    return None


def _single(token: Token) -> Unit:
    sort: Sort = "number" if token.number else "name" if token.is_name else "word"
    return Unit(sort, (token.term,), token.text, token.index, token.index + 1, token.number, token.ordinal)


def name_runs(found: Sequence[Unit]) -> list[tuple[Unit, ...]]:
    """The names of several words, each as the units of its words."""
    runs: list[list[Unit]] = []
    for unit in found:
        if unit.sort == "name" and runs and runs[-1][-1].end == unit.start:
            runs[-1].append(unit)
        elif unit.sort == "name":
            runs.append([unit])
    return [tuple(run) for run in runs if len(run) > 1]


def by_last_name(run: Sequence[Unit], said: Reading) -> bool:
    """Whether a statement names somebody by the last word of a name, and by no other first name."""
    own = {unit.phrase[0] for unit in run}
    for unit in units(said):
        if unit.phrase != run[-1].phrase or unit.sort != "name":
            continue
        before = said.tokens[unit.start - 1] if unit.start else None
        if before is None or not before.is_name or before.is_function or before.number or _fits(before, own):
            return True
    return False


def borne_by_others(run: Sequence[Unit], said: Reading) -> bool:
    """Whether a statement has the last word of a name in names of others only: "Irène Joliot-Curie", not Marie."""
    first = {unit.phrase[0] for unit in run[:-1]}
    bearers = [names for names in name_runs(units(said)) if run[-1].phrase in {each.phrase for each in names}]
    known = any(_fits(said.tokens[each.start], first) for names in bearers for each in names)
    return bool(bearers) and not known and not by_last_name(run, said)


def _fits(token: Token, own: set[str]) -> bool:
    """Whether a first name is one of these, or short for one: Tim, Timothy."""
    return any(
        len(term) >= _NICKNAME and (token.term.startswith(term) or term.startswith(token.term))
        for term in own
    )


def agreement(unit: Unit, said: Reading) -> float:
    """How much of a unit a statement says: 1 for the same, less for what implies it or is like it, 0 for nothing."""
    return max((_likeness(unit, other) for other in units(said)), default=0.0)


def agreement_of(unit: Unit, other: Unit) -> float:
    """How much of a unit another unit says."""
    return _likeness(unit, other)


@lru_cache(maxsize=200_000)
def _likeness(unit: Unit, other: Unit) -> float:
    if unit.sort == "number" or other.sort == "number":
        return 1.0 if unit.number == other.number and unit.ordinal == other.ordinal else 0.0
    if unit.phrase == other.phrase:
        return 1.0
    if places().includes(unit.phrase, other.phrase):
        of_it = unit.phrase in places().belonging and other.phrase not in places().belonging
        return 0.4 if of_it else 0.95
    if kinds().includes(unit.phrase, other.phrase):
        return 0.9
    if unit.sort == "place" and other.sort == "place":
        return 0.0
    if unit.phrase in _LANDS and other.sort == "place":
        return 0.9
    return _like_words(unit, other)


def _like_words(unit: Unit, other: Unit) -> float:
    if len(unit.phrase) > 1 or len(other.phrase) > 1:
        shared = set(unit.phrase) & set(other.phrase)
        return 0.6 * len(shared) / len(unit.phrase) if unit.sort != "place" else 0.0
    one, another = unit.phrase[0], other.phrase[0]
    if another in alike().get(one, ()):
        return 0.85
    if unit.sort == "name" and other.sort == "name":
        near = Levenshtein.normalized_similarity(one, another)
        return near if len(one) >= _DERIVED and near >= _LIKE_NAMES else 0.0
    return 0.8 if _derived(one, another) else 0.0


def _derived(one: str, another: str) -> bool:
    """Whether two terms begin alike, as `direct` and `director` do."""
    short, long = sorted((one, another), key=len)
    return len(short) >= _DERIVED - 1 and long.startswith(short) and len(long) - len(short) <= 3
