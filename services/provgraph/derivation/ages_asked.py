"""How old somebody was when something happened: told as an age, or counted from the birth to the day it happened.

"How old was Ada Novak when she left Graz?" asks for the day of her birth and the day on which she left. Where one of
both is only known to the year or month, the age is one of two, and both are said.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from provgraph.derivation.number_fit import is_age
from provgraph.derivation.result import Derived, Incomplete, Probable, Step, joined_steps
from provgraph.reading.syntax import ParsedSentence, Parser, Token
from provgraph.reading.value_reading import find_values
from provgraph.reading.values import Date

Ask = Callable[[str], Awaitable[Derived | Probable | Incomplete | None]]

_WHEN: Final = re.compile(
    r"how old (?P<be>was|were) (?P<who>[^?]{1,200}?) (?:when|at the time) (?P<event>[^?]{1,400})",
    re.IGNORECASE,
)
_PRONOUN: Final = re.compile(r"(?:he|she|it|they)\b", re.IGNORECASE)
_OLDEST: Final = 120


@dataclass(frozen=True)
class AskedAge:
    """The questions for the day of a birth and for the day of what happened, and the question for the age as told."""

    birth: str
    event: str
    told: str


def age_asked(text: str, parser: Parser) -> AskedAge | None:
    """The questions of a question for an age; None where it is none, or cannot be taken apart."""
    match = _WHEN.fullmatch(text.strip().rstrip("? "))
    if match is None:
        return None
    who = match["who"]
    clause = _PRONOUN.sub(who, match["event"], count=1) if _PRONOUN.match(match["event"]) else match["event"]
    parsed = parser.parse(f"{clause}.", [(0, len(clause) + 1)])
    turned = _turned(clause, parsed[0]) if parsed else ""
    birth = f"When {match['be'].lower()} {who} born?"
    return AskedAge(birth, f"When {turned}?", f"At what age {turned}?") if turned else None


def _turned(clause: str, sentence: ParsedSentence) -> str:
    """A statement in the order of a question: "Ada died" as "did Ada die", "Ada was elected" as "was Ada elected"."""
    (root, *_) = sentence.roots or (None,)
    if root is None:
        return ""
    helper = next((c for c in sentence.children[root.index] if c.relation.startswith(("aux", "cop"))), None)
    subject = next((c for c in sentence.children[root.index] if c.relation.startswith("nsubj")), None)
    verb = helper or (root if root.tag in ("VBD", "VBZ", "VBP") else None)
    if subject is None or verb is None or subject.index > verb.index:
        return ""
    return _with_helper(clause, verb, is_helper=helper is not None)


def _with_helper(clause: str, verb: Token, *, is_helper: bool) -> str:
    before, behind = clause[: verb.start].strip(), clause[verb.end :].strip()
    words = (verb.text, before, behind) if is_helper else ("did", before, verb.lemma, behind)
    return " ".join(filter(None, words))


async def age_counted(asked: AskedAge, ask: Ask) -> Derived | None:
    """The age with the steps that led to it; None where neither an age nor both days are told."""
    told = await ask(asked.told)
    if isinstance(told, Derived) and any(is_age("how old", s.passage.text, s.words) for s in told.ending):
        return told
    birth, event = await ask(asked.birth), await ask(asked.event)
    if not isinstance(birth, Derived) or not isinstance(event, Derived):
        return None
    days = [_date(birth.text), _date(event.text)]
    ages = _ages(days[0], days[1]) if days[0] is not None and days[1] is not None else ()
    if not ages:
        return None
    text = " or ".join(str(age) for age in ages)
    steps = joined_steps(birth.steps, event.steps, leads=False)
    uses = (len(birth.steps) - 1, len(steps) - 1)
    counted = Step("count", text, f"From {birth.text} to {event.text}: {text} years.", (), uses)
    return Derived(text, "number", (*steps, counted), birth.confidence * event.confidence)


def _date(text: str) -> Date | None:
    dates = [each.value for each in find_values(text) if isinstance(each.value, Date)]
    return dates[0] if len(dates) == 1 and dates[0].precision in ("day", "month", "year") else None


def _ages(birth: Date, event: Date) -> tuple[int, ...]:
    """The whole years from any day of the one date to any day of the other; none where there are more than two."""
    least, most = _years(birth.last, event.first), _years(birth.first, event.last)
    return tuple(range(least, most + 1)) if 0 <= least <= most <= least + 1 and most <= _OLDEST else ()


def _years(start: tuple[int, int, int], end: tuple[int, int, int]) -> int:
    return end[0] - start[0] - (end[1:] < start[1:])
