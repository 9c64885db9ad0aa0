"""Whether a candidate is of the kind that a question asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from provgraph.derivation.affinity import stems
from provgraph.derivation.asking import Asking
from provgraph.derivation.candidates import AnswerCandidate
from provgraph.derivation.compositions import relative_asked
from provgraph.derivation.names import likeness, words_of
from provgraph.derivation.number_fit import TIMES, is_hour, measured_by, number_fit
from provgraph.derivation.proposals import PHRASE
from provgraph.language import wordnet
from provgraph.reading.entity_types import (
    demonyms,
    gender_of_name,
    gender_of_noun,
    places,
    type_of_name,
    type_of_noun,
)
from provgraph.reading.value_reading import DAY_NAMES, MONTH_NAMES
from provgraph.reading.values import Date, Quantity, dimension

_OF_THE_CALENDAR: Final = frozenset((*DAY_NAMES.split("|"), *MONTH_NAMES.split("|")))
_NAMES_OF: Final = {"day": re.compile(rf"(?:every )?(?:{DAY_NAMES})s?"), "month": re.compile(MONTH_NAMES)}
_DOTTED: Final = re.compile(r"(?:[01]?\d|2[0-3])[.:][0-5]\d")
_NO_NAME: Final = re.compile(r"[A-Z]\.?|[SJ]r\.?")


def part_in_question(asked: Asking, candidate: AnswerCandidate) -> float:
    """The share of a candidate's words that the question has."""
    said = {stem for word in asked.words for stem in stems(word.text)}
    own = [stems(word) for word in words_of(candidate.label)]
    return sum(not each.isdisjoint(said) for each in own) / len(own) if own else 1.0


def in_question(asked: Asking, candidate: AnswerCandidate) -> bool:
    """Whether the question names the candidate itself."""
    return part_in_question(asked, candidate) >= 1.0 or any(
        likeness(candidate.label, name) >= 0.6 for name in asked.names
    )


def kind_fit(asked: Asking, candidate: AnswerCandidate, kinds: Mapping[str, frozenset[str]]) -> float:
    """1 where a candidate is what is asked for, 0 where it cannot be."""
    value, found = candidate.value, candidate.entity_type
    if asked.kind == "Date":
        if not isinstance(value, Date):
            return _time_fit(asked, candidate)
        is_otherwise = asked.noun in _PARTS_OF_YEARS and value.precision not in _PARTS_OF_YEARS[asked.noun]
        if is_otherwise or _CLOCK_ASKED.match(asked.text):
            return 0.3
        return 1.0 if value.has_year else 0.4
    if asked.kind == "Number":
        return number_fit(asked, candidate)
    if isinstance(value, Date):
        return 0.3 if not asked.kind and not asked.noun else 0.0
    if value is not None:  # a number alone is nothing that somebody did
        measured = measured_by(value) if isinstance(value, Quantity) else ""
        may_be = not asked.noun or _may_be_number(asked.noun, measured)
        return 0.6 if may_be and not asked.kind and getattr(value, "unit", True) else 0.0
    if _is_no_name(asked, candidate.label) or is_another_person(asked, candidate):
        return 0.0
    if asked.kind == "Reason":
        return 0.6 if found == PHRASE else 0.2
    if asked.kind == "Place" and (within := _place_fit(asked, candidate)) >= 0:
        return within
    noun = _noun_fit(asked, candidate, kinds)
    return noun if noun >= 0 else _type_fit(asked, found or type_of_name(candidate.label), candidate)


def _is_no_name(asked: Asking, label: str) -> bool:
    """Whether nothing that is asked for has such a name: a letter, a month, of a city or a plane a country."""
    is_no_country = label in _countries() and (
        asked.noun in _NARROW or not _WARES.isdisjoint(wordnet.fields(asked.noun, "n", 1))
    )
    return label in _OF_THE_CALENDAR or bool(_NO_NAME.fullmatch(label)) or is_no_country


def is_another_person(asked: Asking, candidate: AnswerCandidate) -> bool:
    """Whether a first name is a man's where a mother is asked for, or a woman's where a king is; or the noun before a
    name says that it is of another relative: "their son, Caspian" where that is a father."""
    wanted = asked.noun or relative_asked(asked.text)
    genders = {gender_of_noun(wanted), gender_of_name(candidate.label)} - {""}
    before = _NOUN_BEFORE.search(candidate.passage.text, candidate.sentence.start, candidate.span.start)
    told = [before[1]] if before is not None else []
    told += words_of(candidate.label)[-1:] if candidate.entity_type == PHRASE else ()
    is_other = len(genders) > 1 or any(_are_other_relatives(wanted, noun.casefold()) for noun in told)
    return asked.kind == "Person" and is_other


_WIDE: Final = frozenset("state country province region territory nation".split())
_NOUN_BEFORE: Final = re.compile(r"(?<![\w-])([\w-]+),? \Z")


@lru_cache(maxsize=4_096)
def _are_other_relatives(asked: str, told: str) -> bool:
    are_alike = asked in ("", "sibling") or _is_one(told, asked) or _is_one(asked, told)
    return not are_alike and all(wordnet.is_kind_of(noun, "relative", "n") for noun in (asked, told))


_WARES: Final = frozenset(("noun.artifact", "noun.possession", "noun.animal", "noun.plant", "noun.food"))
_NARROW: Final = frozenset("city town village".split())


_PARTS_OF_YEARS: Final = {"day": ("day",), "month": ("day", "month")}
_BY_TIME: Final = 0.6
_BYCLOCK: Final = 0.95
_LONGEST_TIME: Final = 7
_CLOCK_ASKED: Final = re.compile(
    r"^(?:at|from|until|till|by|before|after) what time\b|^what time\b(?! of)", re.IGNORECASE
)
CLOCK: Final = re.compile(
    r"\b(?:(?:half|quarter|five|ten|twenty) (?:past|to) \w+|noon|midnight|\w+ o[’']clock"
    r"|\d{1,2}(?:[:.]\d\d)? ?[ap]\.?m\b)",
    re.IGNORECASE,
)


def _time_fit(asked: Asking, candidate: AnswerCandidate) -> float:
    """A time that no calendar has: "at Easter", "shortly before midnight", "after nine minutes"."""
    is_clock, case = _CLOCK_ASKED.match(asked.text) is not None, case_of(candidate)
    if asked.noun and not is_clock:
        names = _NAMES_OF.get(asked.noun)
        return 0.95 if names is not None and names.fullmatch(candidate.label) else 0.0
    if is_clock and case in ("at", "by", "from", "until") and _DOTTED.fullmatch(candidate.label):
        return _BYCLOCK
    if is_hour(candidate.value):
        return _BYCLOCK
    if CLOCK.search(candidate.label):
        return _BY_TIME if len(candidate.label.split()) <= _LONGEST_TIME else 0.0
    if is_clock:
        return 0.0
    if isinstance(candidate.value, Quantity):
        return _BY_TIME if case in ("after", "within") and dimension(candidate.value.unit) in TIMES else 0.0
    head = candidate.sentence.tokens[candidate.head]
    is_time = "noun.time" in wordnet.fields(head.lemma.casefold(), "n", 1) or head.text in _OF_THE_CALENDAR
    is_said_so = bool(case) or head.relation.startswith("obl") or head.relation == "advmod"
    return _BY_TIME if is_time and is_said_so and len(candidate.label.split()) <= _LONGEST_TIME else 0.0


_LOCATIVE: Final = frozenset(
    "in at on behind under near inside beside above below outside beneath between opposite along into through from to "
    "off over within beyond".split()
)
_IN_PLACE: Final = 0.6


def case_of(candidate: AnswerCandidate) -> str:
    """The preposition before a candidate; empty where there is none."""
    children = candidate.sentence.children[candidate.head]
    return next((child.text.casefold() for child in children if child.relation == "case"), "")


def _is_in_place(candidate: AnswerCandidate) -> bool:
    """Whether words without the name of a place say where: "in the steel cabinet"."""
    if case_of(candidate) not in _LOCATIVE:
        return False
    noun = candidate.sentence.tokens[candidate.head].lemma.casefold()
    return candidate.entity_type == "Organization" or not _NO_PLACES.issuperset(wordnet.fields(noun, "n", 1))


_NO_PLACES: Final = frozenset(
    "noun.time noun.person noun.act noun.cognition noun.attribute noun.state noun.event noun.feeling noun.possession "
    "noun.communication noun.relation noun.quantity noun.phenomenon noun.process noun.motive".split()
)


def _place_fit(asked: Asking, candidate: AnswerCandidate) -> float:
    """By how "Portland, Oregon" is written: the first is the town, the second what it is in; -1 where that does not
    tell."""
    if not asked.noun and candidate.entity_type in (PHRASE, "Organization", "") and _is_in_place(candidate):
        return _IN_PLACE
    if asked.noun in _NARROW and _is_around(candidate):
        return 0.3
    if asked.noun not in _WIDE:
        return -1.0
    if ", " in candidate.label:
        return 0.0
    if _is_around(candidate):
        return 1.0
    text, span = candidate.passage.text, candidate.span
    return (
        0.2 if text[span.end : span.end + 2] == ", " and text[span.end + 2 : span.end + 3].isupper() else -1.0
    )


def _is_around(candidate: AnswerCandidate) -> bool:
    """Whether a place stands behind one that it is around: "Portland, Oregon"."""
    text, start = candidate.passage.text, candidate.span.start
    return text[max(start - 2, 0) : start] == ", " and candidate.label in places()


def _noun_fit(asked: Asking, candidate: AnswerCandidate, kinds: Mapping[str, frozenset[str]]) -> float:
    """By what is said of the candidate, beside the noun that is asked for; -1 where that does not tell."""
    if not asked.noun:
        return -1.0
    own = words_of(candidate.label)
    said = kinds.get(" ".join(own), frozenset()) or (
        kinds.get(own[-1], frozenset()) if len(own) == 1 else frozenset()
    )
    if likeness(candidate.label, candidate.passage.title) >= 0.8:
        said = said | kinds.get(" ".join(words_of(candidate.passage.title)), frozenset())
    if own and candidate.entity_type not in ("Person", PHRASE):
        said = said | {own[-1], own[0]}
    is_country = asked.noun == "country" and bool(country_in(candidate.label))
    if is_country or any(_is_one(noun, asked.noun) for noun in said):
        return 1.0
    if asked.noun == "country":
        return 0.3 if candidate.label in places() or candidate.entity_type != "Place" else 0.7
    if asked.kind == "Place" and len(own) > 1 and _is_another_place(own[-1], asked.noun):
        return 0.25
    if candidate.entity_type == PHRASE and _is_one(own[-1], asked.noun) and own[-1] != asked.noun:
        return 0.95
    if candidate.entity_type == PHRASE and own[-1] != asked.noun and _is_no_thing(own[-1], asked.noun):
        return 0.3
    return -1.0


@lru_cache(maxsize=16_384)
def _is_one(noun: str, asked: str) -> bool:
    """Whether what is a `noun` is what is asked for: an actress is a performer, a singer-songwriter a singer."""
    parts = {noun, *noun.split("-"), *(stem for stem in (noun.removesuffix("s"),) if len(stem) > 3)}
    return any(part == asked or wordnet.is_kind_of(part, asked, "n") for part in parts)


_THINGS: Final = frozenset(
    "noun.artifact noun.animal noun.plant noun.food noun.substance noun.body noun.person noun.object noun.group".split()
)


@lru_cache(maxsize=4_096)
def _is_no_thing(noun: str, asked: str) -> bool:
    """Whether a thing is asked for and the noun is of none: an allergy is no drug."""
    wanted, found = wordnet.fields(asked, "n", 1), wordnet.fields(noun, "n", 3)
    return bool(found) and not _THINGS.isdisjoint(wanted) and _THINGS.isdisjoint(found)


@lru_cache(maxsize=4_096)
def _is_another_place(last: str, asked: str) -> bool:
    """Whether a name that ends so says that it is of another kind: a park is no city."""
    places_of = {"noun.location", "noun.object", "noun.artifact"}
    known = type_of_noun(last) == "Place" or not places_of.isdisjoint(wordnet.fields(last, "n", 1))
    return known and not _is_one(last, asked) and not _is_one(asked, last)


@lru_cache(maxsize=1)
def _countries() -> frozenset[str]:
    return frozenset((*demonyms().values(), "U.S.", "UK"))


def country_in(name: str) -> str:
    """The country that a name of a place ends with: of "the Arta Region of Djibouti"; empty where none does."""
    tail = re.split(r"\bof\b(?: the)?|,", name)[-1].strip()
    return tail if tail in _countries() else ""


_OF_NUMBERS: Final = frozenset("noun.quantity noun.attribute noun.possession noun.relation".split())
_OF_NUMBERS_TOO: Final = frozenset("limit maximum minimum threshold dose level".split())


@lru_cache(maxsize=4_096)
def _may_be_number(noun: str, measured: str) -> bool:
    """Whether what a noun is for may be told by a number that measures this: a limit, an income, a ratio; no fine is
    told by a length."""
    fields = wordnet.fields(noun, "n", 1)
    is_sum = "noun.possession" in fields and bool(measured)
    return noun in _OF_NUMBERS_TOO or (not is_sum and not _OF_NUMBERS.isdisjoint(fields))


_NAMED_KINDS: Final = frozenset(("Organization", "Place", "Person"))
_NATURAL: Final = frozenset("noun.plant noun.food noun.substance noun.body noun.feeling noun.state".split())


@lru_cache(maxsize=4_096)
def _is_no_named_kind(noun: str) -> bool:
    """Whether what a noun is for is no person, place or organization: an illness, a material, a limb."""
    fields = wordnet.fields(noun, "n", 2) if noun else ()
    return bool(fields) and _NATURAL.issuperset(fields)


_ACTING: Final = 0.55
_BEINGS: Final = frozenset(("noun.person", "noun.group"))


def _is_of_beings(candidate: AnswerCandidate) -> bool:
    """Whether a phrase is of somebody who can do something: "the landlord", "the city council"."""
    head = candidate.sentence.tokens[candidate.head]
    return not _BEINGS.isdisjoint(wordnet.fields(head.lemma.casefold(), "n", 1)) and head.pos == "NOUN"


def _is_name(candidate: AnswerCandidate) -> bool:
    """Whether a phrase begins with a capital within its sentence: "the Orme family foundation"."""
    return candidate.label[:1].isupper() and candidate.span.start > candidate.sentence.start


def _type_fit(asked: Asking, found: str, candidate: AnswerCandidate) -> float:
    if not asked.kind:
        return 0.3 if found in _NAMED_KINDS and _is_no_named_kind(asked.noun) else 0.6
    if found == asked.kind:
        return 0.95 if not asked.noun else 0.85
    if found == PHRASE:
        is_who = asked.kind == "Person" and (_is_name(candidate) or not asked.noun)
        return _ACTING if is_who and (_is_name(candidate) or _is_of_beings(candidate)) else 0.3
    if asked.kind == "Person" and (found in ("", "Concept") and gender_of_name(candidate.label)):
        return 0.9
    if asked.kind == "Person" and not asked.noun and found == "Organization":
        return 0.92 if "verb.possession" in wordnet.fields(asked.governor, "v", 1) else 0.6
    if found in ("", "Concept"):
        return 0.6
    if {found, asked.kind} <= {"Organization", "Group", "Person"} or {found, asked.kind} <= {
        "Organization",
        "Place",
        "Work",
    }:
        return 0.4
    return 0.0
