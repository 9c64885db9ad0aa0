"""Statements → the questions that they answer, by rules: the words of the statement, turned round.

A statement answers who, what, when, for how long, how much, in which case and with what exception, as far as it says
so. What only repeats its clause is no pair.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from provgraph.extraction.pairs.statements import PairStatement
from provgraph.language.concepts import concepts
from provgraph.provenance.source import Pair
from provgraph.reading.value_reading import MONTH_NAMES

_AUXILIARY: Final = frozenset(
    "shall must may can could will would should might is are was were has have had does do did cannot".split()
)
_BINDING: Final = frozenset("shall must may can will should cannot".split())
_MOST: Final = 1_000
_UNIT: Final = r"(?:seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?)"
_MONTHS: Final = rf"(?:{MONTH_NAMES})"
_TIME: Final = re.compile(
    rf"\b(?:(?:within|no later than|not later than|at (?:least|most)|every|for|after|before|by|until|on)\s++"
    rf"(?:(?!\b(?:if|unless|except|and|or|to|of)\b)[^,;]){{0,40}}?\b(?:{_UNIT}"
    rf"|{_MONTHS}(?: \d{{1,4}}){{1,2}})(?!\w)['’]?"
    rf"(?: (?:notice|working)\b)?"
    rf"(?: (?:of|after|before|from|following|prior to)\s++[^,;]{{0,300}}?(?=,|;| if\b| unless\b| except\b| and\b|\Z))?"
    rf"|(?:once|twice|\w+ times) (?:a|an|per|each|every) {_UNIT}|(?:twice |once )?(?:daily|weekly|monthly|yearly)\b)",
    re.I,
)
_AMOUNT: Final = re.compile(
    r"\b(?:(?:EUR|USD|GBP|CHF|JPY|[$€£¥])\s?\d[\d.,]{0,20}\d|\d[\d.,]{0,20}\s?(?:%"
    r"|per ?cent\b|percent\b|(?:euros?|dollars?|pounds?)\b))"
    r"|[$€£¥]\s?\d[\d.,]*",
    re.I,
)
_CASE: Final = re.compile(
    r"(?:,|(?<![\s,]))\s*\b(?P<mark>if|unless|except(?:ing)?(?: (?:for|where|when|that|to"
    r"|as))?|provided that|when|other than|save (?:for|where|that)"
    r"|subject to|only if|where|in the event (?:of|that)|in case of|while)\b\s*",
    re.I,
)
_LEANS: Final = re.compile(
    r"(?P<on>(?:[a-z]+ )?[a-z]+ (?:for|to|of|from|by|with|in|on|until|against|under|at))\s+(?P<rest>.+)", re.S
)
"""What belongs to "be": "responsible for", "entitled to"."""
_TOLD_WHEN: Final = re.compile(
    r"(?P<when>(?:Before|After|When|If|During|Where|In|At|On|Upon|Once|Every"
    r"|While|For|Until)\b[^,]{3,160}), (?!\w+ (?:is|are|has)\b)\w"
)
_PLACED: Final = re.compile(r"(?P<on>by|from|to|on|in|with|under|as|at|against)\s+(?P<rest>.+)", re.S)
"""What a verb is followed by: "measured by"."""
_DENIED: Final = re.compile(r"\b(?:not|never|neither|nor)\b", re.I)
_MANNER: Final = re.compile(r"\w+ly", re.I)
_ENDS_OPEN: Final = re.compile(r" (unless|except|if|within|after|before|by|until|for|while|where)\Z", re.I)
"""What ends a relation and belongs to what follows it."""
_DANGLING: Final = re.compile(
    r"(?<!\s)(?:\s*\b(?:of|at|up to|by|for|to|no more than|not more than|not less than|at least|at most|than|over)\b)"
    r"{1,9}\s*\Z",
    re.I,
)
_PASSIVE: Final = re.compile(
    r"\bbe\b(?! (?:responsible|liable|accountable|obliged|entitled|required|allowed)\b)", re.I
)
_EXCEPTIONS: Final = ("unless", "except", "other than", "save", "excepting")


@dataclass(frozen=True)
class _Parts:
    """The object of a statement: `core`, and the cases in which it holds or does not, each with its mark."""

    core: str
    cases: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, words: str) -> _Parts:
        marks = list(_CASE.finditer(words))
        if not marks:
            return cls(words.strip(" ,"), ())
        ends = [*(mark.start() for mark in marks[1:]), len(words)]
        cases = tuple(
            (mark["mark"].casefold(), words[mark.end() : end].strip(" ,.;"))
            for mark, end in zip(marks, ends, strict=True)
        )
        return cls(words[: marks[0].start()].strip(" ,"), tuple(case for case in cases if case[1]))


def statement_pairs(statement: PairStatement, clause: str) -> Iterator[Pair]:
    """What a statement can be asked; the first question asks for its object, or for its subject where it has none."""
    asking = _Asking.of(statement)
    parts = _Parts.of(asking.object)
    if statement.relation.rpartition(" ")[2] in ("means", "mean"):
        yield _pair(f"What does {statement.subject.label} mean?", statement.object, clause)
        return
    time, amount = _TIME.search(parts.core), _AMOUNT.search(parts.core)
    if _MANNER.fullmatch(parts.core):
        yield _pair(f"How {asking.turned('')}?", asking.object, clause)
    elif parts.core and not (time and time[0] == parts.core):
        yield asking.for_object(parts, clause)
    if asking.is_active and parts.core:
        yield _pair(f"Who {asking.relation} {parts.core}?", statement.subject.label, clause)
    if time:
        rest = _without(parts.core, time)
        yield _pair(f"{_time_word(time[0])} {asking.turned(rest)}?", time[0].strip(), clause)
    if amount:
        before = _DANGLING.sub("", parts.core[: amount.start()].strip(" ,"))
        yield _pair(f"How much {asking.turned(before)}?", amount[0].strip(), clause)
    for mark, case in parts.cases:
        if mark.startswith(_EXCEPTIONS):
            yield _pair(f"With what exception {asking.turned(parts.core)}?", f"{mark} {case}", clause)
        else:
            yield _pair(f"In which case {asking.turned(parts.core)}?", f"{mark} {case}", clause)


@dataclass(frozen=True)
class _Asking:
    """A statement as a question needs it: who, the verb with what belongs to it, and the rest."""

    subject: str
    relation: str
    object: str
    base: str

    @classmethod
    def of(cls, said: PairStatement) -> _Asking:
        relation, object_ = said.relation, said.object
        if ends := _ENDS_OPEN.search(relation):
            relation, object_ = relation[: ends.start()], f"{ends[1]} {object_}"
        if object_.startswith("not "):
            relation, object_ = f"{relation} not", object_[4:]
        leans = _LEANS.match(object_)
        if leans and re.search(r"\b(?:be|is|are|was|were)\b(?: not)?\Z", relation):
            relation, object_ = f"{relation} {leans['on']}", leans["rest"]
        elif place := _PLACED.match(object_):
            relation, object_ = f"{relation} {place['on']}", place["rest"]
        return cls(said.subject.label, relation, object_, said.base)

    @property
    def is_active(self) -> bool:
        """Whether the subject is bound, or free, to do something: who it is can be asked."""
        first = self.relation.partition(" ")[0].casefold()
        return first in _BINDING and not _PASSIVE.search(self.relation) and not _DENIED.search(self.relation)

    def turned(self, rest: str) -> str:
        """ "shall the Supplier deliver the Goods", "does the Tenant owe a fee"."""
        first, _, verb = self.relation.partition(" ")
        if first.casefold() in _AUXILIARY:
            return " ".join(f"{first.casefold()} {self.subject} {verb} {rest}".split())
        helper = "does" if self.base and self.base != first else "do"
        verbs = f"{self.base} {verb}" if self.base else self.relation
        return " ".join(f"{helper} {self.subject} {verbs} {rest}".split())

    def for_object(self, parts: _Parts, clause: str) -> Pair:
        """ "What shall the Supplier deliver?", with all conditions in the answer."""
        first = self.relation.partition(" ")[0]
        if first.casefold() in _AUXILIARY or self.base:
            return _pair(f"What {self.turned('')}?", self.object, clause)
        return _pair(f"What {self.relation} {parts.core}?", self.subject, clause)


def _without(words: str, match: re.Match[str]) -> str:
    return " ".join(f"{words[: match.start()]} {words[match.end() :]}".split()).strip(" ,")


def _time_word(words: str) -> str:
    first = words.split(maxsplit=1)[0].casefold()
    return {"for": "For how long", "every": "How often", "once": "How often", "twice": "How often"}.get(
        first, "When"
    )


def imperative_pair(words: str, clause: str) -> Pair | None:
    """What is told to be done, where a sentence begins with when or where: "Before each flight, do …"; None for
    another sentence."""
    match = _TOLD_WHEN.match(words)
    if match is None:
        return None
    when = match["when"]
    return _pair(f"What is to be done {when[0].lower()}{when[1:]}?", words, clause)


def sentence_pair(about: str, clause: str, words: str) -> Pair:
    """Of a sentence in which no statement was read, what it says of the first thing that it names."""
    topic = next(iter(concepts(words)), about)
    place = f" in clause {clause}" if clause else ""
    return _pair(f"What is said of {topic}{place}?", words, clause)


def lead_pair(words: str, clause: str) -> Pair:
    """What introduces the items of a clause: "3.1 The Supplier shall:"."""
    return _pair(f"What does clause {clause} introduce?", words, clause)


def heading_pair(clause: str, words: str) -> Pair:
    return _pair(f"What is clause {clause} about?", words, clause)


def _pair(question: str, answer: str, clause: str) -> Pair:
    return Pair(question[:_MOST], answer[:_MOST], clause)
