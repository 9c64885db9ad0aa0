"""How a candidate is said in answer: of a date the year, of a number its range, of a relative whose that is."""

from __future__ import annotations

import re
from typing import Final

from provgraph.derivation.asking import Asking
from provgraph.derivation.candidates import AnswerCandidate
from provgraph.derivation.evidence import ReadPassage
from provgraph.derivation.kind_fit import CLOCK
from provgraph.derivation.names import likeness, words_of
from provgraph.derivation.number_fit import is_hour
from provgraph.derivation.proposals import PHRASE
from provgraph.reading.value_reading import read_value
from provgraph.reading.values import Date, Quantity


def answer_label(asked: Asking, candidate: AnswerCandidate) -> str:
    """The candidate as one would say it: of a date the year where that is asked for, of a name the form that its
    document goes by."""
    value = candidate.value
    by_year = isinstance(value, Date) and asked.noun == "year" and value.has_year
    if by_year and isinstance(value, Date) and value.first[0] == value.last[0]:
        return str(value.first[0])
    if value is None and candidate.entity_type in ("Person", "") and " " in candidate.label:
        title = candidate.passage.title.partition(" (")[0]
        if " " in title and likeness(candidate.label, title) >= 0.85 and len(title) < len(candidate.label):
            return title
    if value is None and candidate.entity_type == "Person":
        return in_full(_NAME_AND_MORE.sub(r"\g<name>", candidate.label), candidate.passage)
    return _with_its_range(candidate) if isinstance(value, Quantity) else _with_its_owner(candidate)


def in_full(last_name: str, *passages: ReadPassage) -> str:
    """A last name alone with the first name that the passages or their titles have for it, where that is one
    person's."""
    if len(words_of(last_name)) != 1:
        return last_name
    titles = [passage.title.partition(" (")[0] for passage in passages]
    mentions = (mention for passage in passages for mention in passage.reading.mentions)
    people = (mention.name for mention in mentions if mention.entity_type == "Person")
    full = {
        name
        for name in (*titles, *people)
        if _FULL <= len(words_of(name)) <= _LONGEST_NAME and words_of(name)[-1:] == words_of(last_name)
    }
    title = next((title for title in titles if title in full), "")
    return title or (next(iter(full)) if len(full) == 1 else last_name)


_FULL: Final = 2
_LONGEST_NAME: Final = 3
"""How many words the full name of a person has."""


def _with_its_owner(candidate: AnswerCandidate) -> str:
    """Of a relative or the like whose that is: "her daughter"."""
    before = candidate.passage.text[candidate.sentence.start : candidate.span.start]
    match = _OWNER.search(before) if candidate.entity_type == PHRASE else None
    return f"{match['owner'].lower()} {candidate.label}" if match else candidate.label


_OWNER: Final = re.compile(r"\b(?P<owner>his|her|their)\s+$", re.IGNORECASE)
_NAME_AND_MORE: Final = re.compile(
    r"^(?P<name>[A-Z][\w’'-]+(?: [A-Z][\w.’'-]*)+) (?!of\b|and\b|the\b|d[aeiou]s?\b|v[ao]n\b|l[ae]\b)[a-z]{4,} [A-Z].*$"
)
"""A name with what its sentence goes on with, where all of it was read as one: "Ada Novak succeeded Ben Marr"."""


def with_its_name(asked: Asking, candidate: AnswerCandidate, label: str) -> str:
    """Of somebody whom a phrase tells of, the name behind it; of "memoirs, Smoke and Iron" the title; of a day and a
    time the time, where that is asked for."""
    if _TIME_ASKED.search(asked.text) and (clock := _ON_A_DAY.fullmatch(label)):
        return clock["time"]
    if asked.noun and label.casefold().startswith((f"{asked.noun}, ", f"{asked.noun}s, ")):
        return label.partition(", ")[2]
    is_who = asked.kind == "Person" and candidate.entity_type == PHRASE
    name = _NAMED.match(candidate.passage.text, candidate.span.end) if is_who else None
    return name["name"] if name else label


_TIME_ASKED: Final = re.compile(r"\b(?:what|which) time\b", re.IGNORECASE)
_ON_A_DAY: Final = re.compile(r"(?P<time>\d{1,2}[:.]\d\d(?: ?[ap]\.?m\.?)?),? (?:on|of) .*", re.IGNORECASE)
_NAMED: Final = re.compile(r", (?P<name>[A-Z][\w’'-]+(?: [A-Z][\w’'-]+){1,3})(?=[,.;)])")
"""The name of a phrase behind it: "the safety officer, Ada Novak,"."""
_UP_TO: Final = re.compile(r" ?(?:to|–) ?[£$€]\d[\d,.]*\b(?: (?:million|billion))?")
"""The upper end of a range of sums: "£80 to £120"."""
_RANGE: Final = re.compile(r"(?<![\w.,])(?P<first>\d[\d,.]*|[a-z]+) ?(?:to|–|-) ?$")


def _with_its_range(candidate: AnswerCandidate) -> str:
    """A number with the one that it is the upper end of: "150 to 200"."""
    before = candidate.passage.text[candidate.sentence.start : candidate.span.start]
    if (hours := _HOURS.search(before)) and CLOCK.search(candidate.label):
        return f"{before[hours.start('first') :]}{_HALF_OF_DAY.sub('', candidate.label)}"
    if is_hour(candidate.value):
        return _HALF_OF_DAY.sub("", candidate.label)
    text = candidate.passage.text
    if fraction := _FRACTION.match(text, candidate.span.end):
        return f"{candidate.label}{fraction.group()}"
    if possessed := _POSSESSED.match(text, candidate.span.end):
        return f"{candidate.label}{possessed.group()}"
    if upper := _UP_TO.match(text, candidate.span.end):
        return f"{candidate.label}{upper.group()}"
    match = _RANGE.search(before)
    if (
        match is None
        or _FROM.search(before[: match.start()])
        or not isinstance(read_value(match["first"]), Quantity)
    ):
        return candidate.label
    return f"{before[match.start() :]}{candidate.label}"


_HOURS: Final = re.compile(
    r"\b(?P<first>\d{1,2}(?:[:.]\d\d)? ?(?:[ap]\.?m\.?)? ?(?:to|and|until|till|–|-) ?)$", re.IGNORECASE
)
_HALF_OF_DAY: Final = re.compile(r"(?<=[ap]m)\.$")
_POSSESSED: Final = re.compile(
    r"['’] (?:rent|notice|pay|wages|salary|interest|leave|work|supply|imprisonment)\b"
)
"""What a time measures by itself: "two months' rent"."""
_FRACTION: Final = re.compile(r" and (?:a|one|two|three) (?:half|halves|thirds?|quarters?)\b")
_FROM: Final = re.compile(r"\bfrom $", re.IGNORECASE)
