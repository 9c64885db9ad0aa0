"""The year that a question asks about: what is said of another year is no answer."""

from __future__ import annotations

import re
from typing import Final

from provgraph.derivation.evidence import Support
from provgraph.derivation.result import Derived

_YEAR: Final = r"(?P<year>(?:1[5-9]|20)\d\d)(?![\d–-])"
_AT: Final = re.compile(
    r"\b(?:[Ii]n|[Dd]uring|[Ff]or|of|[Ss]ince|[Tt]hroughout|fiscal|FY|census|season|year)\s?(?:the )?"
    r"(?:fiscal )?(?:year )?(?:ended )?(?:early |late |mid-?|(?:[A-Z][a-z]+ )(?:\d{1,2}, )?)?" + _YEAR
)
_RANGE: Final = re.compile(
    r"\b(?P<first>(?:1[5-9]|20)\d\d)\s?(?:–|-|to|until|and)\s?(?P<last>(?:1[5-9]|20)\d\d|\d\d)\b"
)
_DECADE: Final = re.compile(r"\b(?P<decade>(?:1[5-9]|20)\d0)s\b")


def years_asked(question: str) -> list[str]:
    """The years that a question is about ("in 2011"); one that stands in a name is none."""
    return [
        match["year"]
        for match in re.finditer(
            rf"\b(?:[Ii]n|[Dd]uring|[Ff]or|throughout|FY|[Ff]iscal)\s?(?:the )?(?:fiscal )?(?:year )?{_YEAR}",
            question,
        )
    ]


def may_be_of(year: str, text: str) -> bool:
    """Whether a text may speak of a year: it has it, a time that holds it, or no time at all."""
    if re.search(rf"\b{year}\b", text) or not _AT.search(text):
        return True
    spans = [(int(m["first"]), _last(m)) for m in _RANGE.finditer(text)]
    spans += [(int(m["decade"]), int(m["decade"]) + 9) for m in _DECADE.finditer(text)]
    return any(first <= int(year) <= last for first, last in spans)


def _last(match: re.Match[str]) -> int:
    return int(match["last"] if len(match["last"]) == 4 else match["first"][:2] + match["last"])


def is_of_years_asked(found: Derived, question: str) -> bool:
    """Whether what a derivation came to may be of each year that is asked about: the sentence that it ends with has no
    other alone, or the one before it, the title or an earlier step has the year."""
    ending = [support for step in found.steps[-1:] for support in step.supports]
    is_number = found.kind in ("number", "count")  # which may be another every year
    before = () if is_number else found.steps[:-1]
    earlier = " ".join(support.sentence.text for step in before for support in step.supports)
    return all(
        year in earlier or not ending or any(_may_end(year, each) for each in ending)
        for year in years_asked(question)
    )


def _may_end(year: str, support: Support) -> bool:
    passage = support.passage
    before = passage.text[: support.sentence.start].rstrip()
    sentence_before = before[max(before.rfind(end, 0, len(before) - 1) for end in ".\n") + 1 :]
    return year in passage.title or year in sentence_before or may_be_of(year, support.sentence.text)
