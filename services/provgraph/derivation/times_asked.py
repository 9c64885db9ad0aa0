"""The year that a question asks about: what is said of another year is no answer."""

from __future__ import annotations

import re
from typing import Final

from provgraph.derivation.evidence import Support
from provgraph.derivation.result import Derived
from provgraph.reading.propositions import Span

_YEAR: Final = r"(?P<year>(?:1[5-9]|20)\d\d)(?![\d–-])"
_AT: Final = re.compile(
    r"\b(?:[Ii]n|[Dd]uring|[Ff]or|of|[Ss]ince|[Tt]hroughout|fiscal|FY|census|season|year)\s?(?:the )?"
    r"(?:fiscal )?(?:year )?(?:ended )?(?:early |late |mid-?|(?:[A-Z][a-z]+ )(?:\d{1,2}, )?)?" + _YEAR
)
_YEARS: Final = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_PART: Final = re.compile(
    r".+?(?:;|, (?:and )?(?=in (?:1[5-9]|20)\d\d\b)|, and (?=in )|"
    r",? (?:while|whereas|but|compared (?:with|to)|against|versus) | after (?=an? )|$)",
    re.S,
)
"""A part of a sentence that may speak of another time."""
_RELATIVE: Final = re.compile(
    r"\b(?:(?:last|previous|prior|preceding|next|following) (?:year|month|week|quarter|season)|"
    r"the (?:year|month) before)\b",
    re.IGNORECASE,
)
_NOW: Final = re.compile(r"\b(?:now|nowadays|currently|today|at present|present|current)\b", re.IGNORECASE)
_OVER: Final = re.compile(
    r"\b(?:first|former|formerly|once|previous|previously|until|was succeeded|succeeded (?:him|her) as|stepped down|"
    r"resigned|retired)\b",
    re.IGNORECASE,
)
"""What tells that a sentence speaks of a time that is over."""
_RANGE: Final = re.compile(
    r"\b(?P<first>(?:1[5-9]|20)\d\d)\s?(?:–|-|to|until|and)\s?(?P<last>(?:1[5-9]|20)\d\d|\d\d)\b"
)
_DECADE: Final = re.compile(r"\b(?P<decade>(?:1[5-9]|20)\d0)s\b")


def years_asked(question: str) -> list[str]:
    """The years that a question is about ("in 2011"); one that stands in a name is none."""
    return [
        match["year"]
        for match in re.finditer(
            r"\b(?:[Ii]n|[Dd]uring|[Ff]or|throughout|FY|[Ff]iscal|[Ee]nd of|[Aa]s (?:of|at))\s?(?:the )?"
            rf"(?:end of )?(?:fiscal )?(?:year )?(?:[A-Z][a-z]+ \d{{1,2}}, )?{_YEAR}",
            question,
        )
    ]


def years_told(question: str) -> list[str]:
    """The years that a question is about, and those that tell which of several it asks about: "the flood of 1999"."""
    return list(dict.fromkeys((*years_asked(question), *re.findall(rf"\b[a-z]+ of {_YEAR}", question))))


def may_be_of(year: str, text: str) -> bool:
    """Whether a text may speak of a year: it has it, a time that holds it, or no time at all."""
    if re.search(rf"\b{year}\b", text) or not _AT.search(text):
        return True
    spans = [(int(m["first"]), _last(m)) for m in _RANGE.finditer(text)]
    spans += [(int(m["decade"]), int(m["decade"]) + 9) for m in _DECADE.finditer(text)]
    return any(first <= int(year) <= last for first, last in spans)


def parts_of(text: str) -> list[str]:
    """The parts of a sentence that may each speak of another time."""
    return [match.group() for match in _PART.finditer(text)]


def times_told(text: str) -> frozenset[str]:
    """The years of a text, and words like "last year" and "the year before"."""
    relative = (match.group().casefold() for match in _RELATIVE.finditer(text))
    return frozenset((*_YEARS.findall(text), *relative))


def _last(match: re.Match[str]) -> int:
    return int(match["last"] if len(match["last"]) == 4 else match["first"][:2] + match["last"])


def is_of_years_asked(found: Derived, question: str) -> bool:
    """Whether what a derivation came to may be of each year that is asked about: the sentence that it ends with has no
    other alone, or the one before it, the title or an earlier step has the year."""
    ending = found.ending
    is_number = found.kind in ("number", "count")  # which may be another every year
    before = () if is_number else found.steps[:-1]
    earlier = " ".join(support.sentence.text for step in before for support in step.supports)
    if ending and any(
        all(_is_beside_another(year, each) for each in ending) for year in years_told(question)
    ):
        return False
    return all(
        year in earlier or not ending or any(_may_end(year, support) for support in ending)
        for year in years_asked(question)
    )


def _may_end(year: str, support: Support) -> bool:
    passage = support.passage
    if is_beside_another(year, passage.text, support.sentence, support.words.start):
        return False
    placed = _AT.match(support.sentence.text.lstrip())
    if placed and placed["year"] != year and not may_be_of(year, support.sentence.text):
        return False
    before = passage.text[: support.sentence.start].rstrip()
    sentence_before = before[max(before.rfind(end, 0, len(before) - 1) for end in ".\n") + 1 :]
    return year in passage.title or year in sentence_before or may_be_of(year, support.sentence.text)


def _is_beside_another(year: str, support: Support) -> bool:
    return is_beside_another(year, support.passage.text, support.sentence, support.words.start)


def is_beside_another(year: str, text: str, sentence: Span, place: int) -> bool:
    """Whether a place of a text stands in a part of its sentence that has another year, and the year in a part of its
    own: "In 2019 it had 88,400 visitors; in 2020 it had 31,000."."""
    parts = [(sentence.start + m.start(), sentence.start + m.end()) for m in _PART.finditer(sentence.text)]
    own = next((text[a:b] for a, b in parts if a <= place < b), "")
    other = set(_YEARS.findall(own)) - {year}
    return year not in own and bool(other) and any(year in text[a:b] for a, b in parts)


def is_of_time_asked(found: Derived, question: str) -> bool:
    """Whether what a derivation came to may be of now, or of last year, where the question asks for that."""
    ending = found.ending
    relative = _RELATIVE.search(question)
    if relative:
        return not ending or any(_RELATIVE.search(_part_of(support)) for support in ending)
    if _NOW.search(question):
        return not ending or any(not _OVER.search(support.sentence.text) for support in ending)
    is_over = _HOLDS.match(question) and all(_UNTIL.search(_part_of(support)) for support in ending)
    return not (ending and is_over)


_HOLDS: Final = re.compile(
    r"\s*who (?:owns|runs|leads|heads|manages|chairs|directs|has|is the)\b", re.IGNORECASE
)
_UNTIL: Final = re.compile(r"\buntil (?:\w+ )?(?:1\d|20)\d\d\b", re.IGNORECASE)
_EARLIER: Final = re.compile(r"\b(?:before|until|originally|at first|formerly|previously)\b", re.IGNORECASE)
_GOAL: Final = re.compile(r"\bfrom\b.*\bto(?: (?:the|a|an))? *$", re.IGNORECASE | re.DOTALL)


def is_before_a_change(found: Derived, question: str) -> bool:
    """Whether what a derivation came to is not what something was changed to, where it is asked what was before: of
    "moved from Malvern to Bristol" not Bristol."""
    ending = found.ending
    if not _EARLIER.search(question):
        return True
    return not ending or any(
        not _GOAL.search(support.passage.text[support.sentence.start : support.words.start])
        for support in ending
    )


def _part_of(support: Support) -> str:
    """The part of its sentence, between commas, in which the words of a support stand."""
    at = support.words.start - support.sentence.start
    text = support.sentence.text
    start = max(text.rfind(mark, 0, max(at, 0)) for mark in (", ", "; ")) + 1
    ends = [end for mark in (", ", "; ") if (end := text.find(mark, at)) >= 0]
    return text[start : min(ends, default=len(text))]
