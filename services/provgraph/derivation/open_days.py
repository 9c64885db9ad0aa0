"""Whether something is open on a day of the week, by the days that a clause tells: "from Monday to Saturday", "daily
except Mondays", "closed on Sundays".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from anyio import to_thread

from provgraph.derivation.clauses_asked import AskedClause, ReadClause, asked_clause, clauses_of, has_ends
from provgraph.derivation.evidence import Finder, ReadPassage
from provgraph.derivation.result import Derived, Step
from provgraph.reading.syntax import Parser
from provgraph.reading.value_reading import DAY_NAMES

_NAMES: Final = tuple(DAY_NAMES.casefold().split("|"))
_DAY: Final = rf"(?:{'|'.join(_NAMES)})s?"
_DAYS: Final = rf"{_DAY}(?:(?:,|,? and|,? or) (?:on )?{_DAY})*"
_RANGE: Final = re.compile(rf"({_DAY}) ?(?:to|until|till|through|–|-) ?({_DAY})")
_WHOLE_WEEK: Final = re.compile(r"\b(?:daily|every day|each day|all week|seven days a week|all days)\b")
_GROUPS: Final = {"weekday": _NAMES[:5], "working day": _NAMES[:5], "weekend": _NAMES[5:]}
_LEFT_OUT: Final = re.compile(
    r"\b(?:except(?: for)?|but not|other than|apart from|excluding|closed|shut) (?:on |all day )*"
    rf"({_DAYS}|weekends?|weekdays?)"
)
_ASKS: Final = re.compile(
    rf"\s*(?P<be>is|are) (?P<thing>(?:the|a|an|your|our) .{{1,200}}?|it|they) "
    rf"(?P<state>open|closed|shut) (?:on |at )?(?:an? )?"
    rf"(?P<days>{_DAYS}|the weekends?|weekends?|weekdays?)[\s?]*",
    re.IGNORECASE,
)
_STATES: Final = frozenset("open close closed shut".split())
_CONFIDENCE: Final = 0.88


@dataclass(frozen=True)
class WeekTold:
    """The days on which something is open and those on which it is not; what is in neither is not told."""

    open: frozenset[str]
    closed: frozenset[str]


def week_told(clause: str) -> WeekTold:
    """What the words of a clause tell of each day of the week."""
    text = clause.casefold()
    left_out = frozenset(day for match in _LEFT_OUT.finditer(text) for day in days_of(match[1]))
    rest = _LEFT_OUT.sub(" ", text)
    told = frozenset(_NAMES) if _WHOLE_WEEK.search(rest) else frozenset(days_of(rest))
    is_open = told - left_out
    return WeekTold(is_open, left_out | (frozenset(_NAMES) - is_open if is_open else frozenset()))


def days_of(text: str) -> Iterator[str]:
    """The days of the week that some words name, ranges and groups with all of theirs."""
    for match in _RANGE.finditer(text):
        first, last = (_NAMES.index(day.rstrip("s")) for day in match.groups())
        yield from (_NAMES[at % 7] for at in range(first, last + 1 + (7 if last < first else 0)))
    yield from (day.rstrip("s") for day in re.findall(_DAY, text))
    yield from (day for group, days in _GROUPS.items() if group in text for day in days)


async def open_told(text: str, parser: Parser, finder: Finder) -> Derived | None:
    """Whether something is open or closed on certain days, where the clauses that tell its days agree; else None."""
    match = _ASKS.fullmatch(text)
    if match is None:
        return None
    asked = asked_clause(f"When {match['be']} {match['thing']} {match['state']}?", parser)
    passages = await finder.passages(text)
    if asked is None or not asked.ends:
        return None
    days = frozenset(days_of(match["days"].casefold()))
    return await to_thread.run_sync(_told, asked, days, match["state"].casefold(), passages)


def _told(
    asked: AskedClause, days: frozenset[str], state: str, passages: Sequence[ReadPassage]
) -> Derived | None:
    wanted = {token.lemma.casefold() for tokens in asked.ends.values() for token in tokens}
    told = list[tuple[str, ReadClause]]()
    for read in clauses_of(passages, wanted):
        if read.predicate.split()[0] in _STATES and read.clause.polarity and has_ends(asked, read):
            week = week_told(read.text(read.clause.head.start, read.sentence.end))
            answer = "yes" if days <= week.open else "no" if days <= week.closed else ""
            told += [(answer, read)] if answer else []
    if len({answer for answer, _ in told}) != 1:
        return None
    answer, read = told[0]
    answer = answer if state == "open" else {"yes": "no", "no": "yes"}[answer]
    support = read.support(read.sentence.start, read.sentence.end)
    step = Step("judge", answer, f"Its days are told: {support.sentence.text}", (support,))
    return Derived(answer, "yes-no", (step,), _CONFIDENCE)
