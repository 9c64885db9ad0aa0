"""When, how long and how often something is, as a clause tells it: "at 11 a.m. and 2 p.m.", "from Tuesday to Sunday",
"within six weeks of the end of the lease", "once a year".

Dates that a calendar has are found without this; it tells what is so by rule, and all of it where several times are
told together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from anyio import to_thread

from provgraph.derivation.clauses_asked import (
    AskedClause,
    ReadClause,
    asked_clause,
    clauses_of,
    clauses_saying,
    is_same_noun,
)
from provgraph.derivation.evidence import Finder, ReadPassage
from provgraph.derivation.result import AnswerKind, Derived, Step
from provgraph.language import wordnet
from provgraph.reading.syntax import ParsedSentence, Parser, Token
from provgraph.reading.value_reading import DAY_NAMES, MONTH_NAMES, find_values
from provgraph.reading.values import Date, Quantity, dimension

_YEAR: Final = re.compile(r"\b(?:1\d|20)\d\d\b")
_DAY: Final = rf"(?:{DAY_NAMES}|weekday|weekend|working day)s?"
_DAYS: Final = re.compile(rf"\b{_DAY}\b")
_CLOCK: Final = re.compile(
    r"\b(?:\d{1,2}(?:[.:]\d\d)? ?[ap]\.?m\b\.?|\d{1,2}[.:]\d\d\b|noon|midnight|dawn|dusk|"
    r"sunset|sunrise|\w+ o['’]clock)",
    re.IGNORECASE,
)
_HOURS: Final = re.compile(
    rf"\b(?:(?:from|between|at) )?{_CLOCK.pattern}(?: (?:to|until|till|and) {_CLOCK.pattern})? on "
    rf"(?P<days>{_DAY}(?:(?:,|,? and|,? or) {_DAY})*)",
    re.IGNORECASE,
)
_WEEK: Final = {"monday", "tuesday", "wednesday", "thursday", "friday"}
_MONTH: Final = re.compile(rf"\b(?:{MONTH_NAMES}|spring|summer|autumn|winter|Christmas|Easter|year round)\b")
_NUMBER: Final = (
    r"(?:\d+|an?|half an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|"
    r"fifty|sixty|ninety)"
)
_UNIT: Final = r"(?:minute|hour|day|week|fortnight|month|year|season|quarter|term)s?"
_OFTEN: Final = re.compile(
    rf"\b(?:(?:at least |at most )?(?:once|twice|{_NUMBER} times) (?:an?|every|each|per) (?:{_NUMBER} )?"
    rf"(?:calendar )?{_UNIT}|every (?:other |second |third |{_NUMBER} )?(?:{_UNIT}|{_DAY})|each (?:{_UNIT}|{_DAY})"
    rf"|daily|weekly|fortnightly|monthly|quarterly|yearly|annually)\b",
    re.IGNORECASE,
)
_LASTS: Final = re.compile(
    rf"\b(?:last(?:s|ed)?|takes?|took|runs?(?: for)?|ran for|goes? on for|is|are|was|were) "
    rf"(?P<length>(?:about |around |up to |at least |at most )?{_NUMBER}(?:[- ](?:and a half|\w+))? {_UNIT}"
    rf"(?: and (?:a half|{_NUMBER} {_UNIT}))?)\b"
)
_OF_LENGTH: Final = frozenset("last take run go be continue".split())
_BARE: Final = frozenset("in on at".split())
_CASES: Final = frozenset(
    "in on at from to until till between within after before by during since through throughout for".split()
)
_WHEN: Final = re.compile(
    r"(?:(?:on|at|in|from|until|till|since|by) )?"
    r"(?:when|(?:what|which) (?P<unit>days?|weekdays?|times?|hours?|months?))\b",
    re.IGNORECASE,
)
_HOW_LONG: Final = re.compile(r"(?:for )?how long\b", re.IGNORECASE)
_HOW_OFTEN: Final = re.compile(r"how often\b|how many times (?:a|per)\b", re.IGNORECASE)
_CONFIDENCE: Final = 0.88


Told = tuple[ReadClause, int, str]
"""A clause, where the words of a time begin in its passage, and these words."""
Tell = Callable[[AskedClause, Sequence[ReadPassage]], Iterator[Told]]


async def time_told(text: str, parser: Parser, finder: Finder) -> Derived | None:
    """When, how long or how often what is asked is, where clauses that say it tell one time; else None."""
    opening = text.lstrip()
    tell = next((tell for pattern, tell in _TELLING if pattern.match(opening)), None)
    if tell is None:
        return None
    passages = await finder.passages(text)
    return await to_thread.run_sync(_told, text, parser, passages, tell)


def _told(text: str, parser: Parser, passages: Sequence[ReadPassage], tell: Tell) -> Derived | None:
    asked = asked_clause(text, parser)
    told = list(tell(asked, passages)) if asked is not None and asked.ends else []
    years = set(_YEAR.findall(text))
    told = [
        each
        for each in told
        if years <= set(_YEAR.findall(each[0].text(each[0].sentence.start, each[0].sentence.end)))
    ]
    if not told or len({words.casefold() for _, _, words in told}) != 1:
        return None
    read, start, words = told[0]
    kind = _kind(words)
    support = read.support(start, start + len(words))
    step = Step("look up", words, f"The clause of “{support.sentence.text}” tells it.", (support,))
    return Derived(words, kind, (step,), _CONFIDENCE)


def _when(asked: AskedClause, passages: Sequence[ReadPassage]) -> Iterator[Told]:
    match = _WHEN.match(asked.text.lstrip())
    unit = (match["unit"] or "").casefold() if match else ""
    days = {day.casefold().rstrip("s") for day in _DAYS.findall(asked.text)}
    for read in clauses_saying(asked, passages):
        is_past = _is_past(read), asked.clause.tense == "past"
        if not read.clause.polarity or (any(is_past) and not _is_same_event(asked, read, is_past)):
            continue
        if days:
            yield from _of_days(days, read)
            continue
        phrases = [phrase for phrase in _time_phrases(read) if _is_of_unit(phrase, unit, read)]
        if phrases:
            start, end = _joined(phrases, read)
            yield read, start, read.text(start, end)


def _of_days(days: set[str], read: ReadClause) -> Iterator[Told]:
    """The hours of the days that are asked about, and of no others: "from 9 am to noon on Saturdays"."""
    for match in _HOURS.finditer(read.passage.text, read.sentence.start, read.sentence.end):
        told = {day.casefold().rstrip("s") for day in _DAYS.findall(match["days"])}
        told |= _WEEK if "weekday" in told else set()
        if days <= told:
            yield read, match.start(), match.group()


def _is_same_event(asked: AskedClause, read: ReadClause, is_past: tuple[bool, bool]) -> bool:
    """Whether a clause tells in the question's own word what was, as something that was so."""
    said = read.predicate == asked.predicate and read.clause.modality == "asserted"
    return all(is_past) and said and read.clause.complement is None


def _is_past(read: ReadClause) -> bool:
    """Whether a clause tells what was; "and closed in January" behind "is open" tells what is."""
    head, sentence = read.clause.head, read.sentence
    above = sentence.tokens[head.head] if head.relation == "conj" else head
    is_state = above is not head and any(c.relation == "cop" for c in sentence.children[above.index])
    return read.clause.tense == "past" and not (is_state and len(read.clause.words) == 1)


def _time_phrases(read: ReadClause) -> list[tuple[int, int]]:
    """Where the words of each time of a clause stand, with its preposition."""
    sentence = read.sentence
    spans: list[tuple[int, int]] = []
    for role, tokens in read.clause.roles.items():
        case = role[1:]
        if not role.startswith("@") or (case and case not in _CASES):
            continue
        for token in tokens:
            first, _ = sentence.edges(token)
            below = [
                c for c in sentence.children[token.index] if c.relation == "nmod" and c.index > token.index
            ]
            if below and not _is_time(read.text(sentence.tokens[first].start, token.end), token):
                first, _ = sentence.edges(below[0])  # of "to visitors on Fridays" the Fridays
            last = max(_last(sentence, each) for each in (token, *_coordinated(sentence, token, tokens)))
            span = sentence.tokens[first].start, sentence.tokens[last].end
            if token.relation != "conj" and _is_time(read.text(*span), token):
                spans.append(span)
    return sorted(spans)


def _coordinated(sentence: ParsedSentence, token: Token, tokens: Sequence[Token]) -> list[Token]:
    return [each for each in tokens if each.relation == "conj" and token in sentence.above(each)]


def _last(sentence: ParsedSentence, token: Token) -> int:
    """Where the words of one time end, without what it is coordinated with."""
    own = (c for c in sentence.children[token.index] if c.relation not in ("conj", "cc", "punct"))
    return max((token.index, *(sentence.edges(child)[1] for child in own)))


def _is_time(words: str, head: Token) -> bool:
    if _DAYS.search(words) or _CLOCK.search(words) or _MONTH.search(words):
        return True
    values = [each.value for each in find_values(words)]
    is_dated = any(isinstance(value, Date) for value in values)
    is_long = any(isinstance(v, Quantity) and dimension(v.unit) in ("time", "months") for v in values)
    return (
        is_dated
        or (is_long and words.casefold().startswith(("within", "after", "before", "by")))
        or ("noun.time" in wordnet.fields(head.lemma.casefold(), "n", 1))
    )


_OF_UNIT: Final = {"day": _DAYS, "weekday": _DAYS, "time": _CLOCK, "hour": _CLOCK, "month": _MONTH}


def _is_of_unit(span: tuple[int, int], unit: str, read: ReadClause) -> bool:
    pattern = _OF_UNIT.get(unit.rstrip("s"))
    return pattern is None or bool(pattern.search(read.text(*span)))


def _joined(phrases: Sequence[tuple[int, int]], read: ReadClause) -> tuple[int, int]:
    """From the first time on as far as times follow each other, without a bare preposition before it."""
    start, end = phrases[0]
    for other, last in phrases[1:]:
        if read.text(end, other).strip(" ,") in ("", "and"):
            end = max(end, last)
    first, _, rest = read.text(start, end).partition(" ")
    return (start + len(first) + 1 if first.casefold() in _BARE and rest else start), end


def _how_often(asked: AskedClause, passages: Sequence[ReadPassage]) -> Iterator[Told]:
    for read in clauses_saying(asked, passages):
        first, last = read.sentence.edges(read.clause.head)
        start, end = read.sentence.tokens[first].start, read.sentence.tokens[last].end
        matches = list(_OFTEN.finditer(read.passage.text, start, end))
        if len(matches) == 1:
            yield read, matches[0].start(), matches[0].group()


def _how_long(asked: AskedClause, passages: Sequence[ReadPassage]) -> Iterator[Told]:
    """What lasts or takes a time; the verb is read by its word, as "last" is often taken for an adjective."""
    if asked.predicate not in _OF_LENGTH and asked.predicate != "long":
        return
    nouns = [token for tokens in asked.ends.values() for token in tokens]
    seen: set[int] = set()
    for read in clauses_of(passages, {t.lemma.casefold() for t in nouns}):
        subjects = read.clause.roles.get("A", []) + read.clause.roles.get("P", [])
        is_of = any(is_same_noun(one, asked.phrases, other, read) for one in nouns for other in subjects)
        match = _LASTS.search(read.passage.text, read.sentence.start, read.sentence.end)
        if is_of and match and match.start("length") not in seen:
            seen.add(match.start("length"))
            yield read, match.start("length"), match["length"]


def _kind(words: str) -> AnswerKind:
    values = find_values(words)
    if len(values) == 1 and values[0].end - values[0].start >= len(words) - 1:
        return "date" if isinstance(values[0].value, Date) else "number"
    return "span"


_TELLING: Final = ((_WHEN, _when), (_HOW_OFTEN, _how_often), (_HOW_LONG, _how_long))
