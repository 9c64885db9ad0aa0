"""Clause numbers: what a line is numbered, and which clauses are open where a text goes on.

A contract or a standard numbers its clauses 3, 3.1, (a), (ii); what is cited is all of it, 3.1(a)(ii). Knows lines and
their numbers; knows nothing of pages, chunks or facts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final, Literal

MarkKind = Literal["section", "letter", "roman", "digit"]

LONGEST_WORDS: Final = 300
"""Characters of a clause's words that are kept while it is open."""

_NUMBERED: Final = re.compile(
    r"""[ \t]*(?P<hashes>\#{1,6}[ \t]+)?
    (?:(?P<word>article|section|clause|art\.|sec\.|§)[ \t]*)?
    (?P<number>\d{1,3}(?:\.\d{1,3}){0,5})(?P<below>(?:\((?:[A-Za-z]{1,5}|\d{1,3})\)){0,4})(?P<stop>[.):]?)
    (?=[ \t]|\Z)[ \t]*""",
    re.VERBOSE | re.IGNORECASE,
)
_ROMAN_ARTICLE: Final = re.compile(
    r"[ \t]*(?:#{1,6}[ \t]+)?(?:article|section|part)[ \t]+(?P<number>[IVXLC]{1,7})\b[.:]?(?=\s|\Z)[ \t]*",
    re.I,
)
_BELOW: Final = re.compile(
    r"[ \t]*(?:\((?P<inside>[A-Za-z]{1,5}|\d{1,3})\)|(?P<open>[a-z]|[ivx]{1,5})\))(?=[ \t]|\Z)[ \t]*"
)
_PART: Final = re.compile(r"\(([A-Za-z]{1,5}|\d{1,3})\)")
_ROMAN: Final = re.compile(r"(?:x{0,3})(?:ix|iv|v?i{0,3})\Z", re.IGNORECASE)
_JUMP: Final = 2


@dataclass(frozen=True)
class Mark:
    """The number that a line begins with: `words` is the index at which what it says begins."""

    number: str
    kind: MarkKind
    words: int


@dataclass(frozen=True)
class OpenClause:
    """A clause in which the text stands: `number` as it is cited, `words` what it says itself up to here.

    An item is one of a list, with words of its own and no heading: what follows the list is not in it.
    """

    number: str
    kind: MarkKind
    words: str = ""
    is_item: bool = False


@dataclass(frozen=True)
class Outline:
    """The clauses that are open, from the outermost in; `lead` is what introduces the items that follow, if anything:
    "The Supplier shall:".

    `is_beside` where a paragraph without a number has come after a list: what follows is in the section that has the
    list, and the next number may still go on with it.
    """

    clauses: tuple[OpenClause, ...] = ()
    lead: str = ""
    is_beside: bool = False

    @property
    def number(self) -> str:
        """How the clause is cited in which the text stands, empty where it stands in none."""
        inside = self.above if self.is_beside else self.clauses
        return inside[-1].number if inside else ""

    @property
    def above(self) -> tuple[OpenClause, ...]:
        """The sections that are open, without lists and their items."""
        return tuple(clause for clause in self.clauses if clause.kind == "section" and not clause.is_item)

    def entered(self, mark: Mark) -> Outline:
        """The outline in the clause that this mark begins."""
        if mark.kind == "section":
            above = tuple(
                clause
                for clause in self.clauses
                if clause.kind == "section" and mark.number.startswith(f"{clause.number}.")
            )
            return replace(self, clauses=_with_parts(above, mark.number), is_beside=False)
        kind = self._kind(mark)
        kept = self._above(kind)
        number = f"{kept[-1].number if kept else ''}({mark.number})"
        return replace(self, clauses=(*kept, OpenClause(number, kind)), is_beside=False)

    def saying(self, words: str) -> Outline:
        """The outline after words of the innermost clause."""
        if not self.clauses:
            return self
        last = self.clauses[-1]
        known = replace(last, words=f"{last.words} {words}".strip()[:LONGEST_WORDS])
        return replace(self, clauses=(*self.clauses[:-1], known))

    def beside(self) -> Outline:
        """The outline where a paragraph without a number follows after an empty line."""
        return replace(self, is_beside=True)

    def as_item(self) -> Outline:
        """The outline where the innermost clause is an item of a list."""
        *above, last = self.clauses
        return replace(self, clauses=(*above, replace(last, is_item=True)))

    def _kind(self, mark: Mark) -> MarkKind:
        """A letter that may be a Roman numeral is one, unless the letter before it was read last."""
        if mark.kind != "letter" or not _ROMAN.match(mark.number):
            return mark.kind
        letters = [clause for clause in self.clauses if clause.kind == "letter"]
        romans = [clause for clause in self.clauses if clause.kind == "roman"]
        if letters and not romans and _follows(letters[-1].number, mark.number):
            return "letter"
        if romans or mark.number.casefold() == "i":
            return "roman"
        return "letter"

    def _above(self, kind: MarkKind) -> tuple[OpenClause, ...]:
        for place, clause in enumerate(self.clauses):
            if clause.kind == kind:
                return self.clauses[:place]
        return self.clauses


NO_OUTLINE: Final = Outline()


def mark_of(line: str, outline: Outline, after_blank: bool) -> Mark | None:
    """The clause number at the start of a line, or None: a year, a decimal or a page's number is none."""
    if match := _BELOW.match(line):
        name = match["inside"] or match["open"]
        kind = _kind_of(name)
        return Mark(name, kind, match.end()) if kind else None
    if match := _ROMAN_ARTICLE.match(line):
        return Mark(match["number"], "section", match.end())
    match = _NUMBERED.match(line)
    if match is None:
        return None
    rest = line[match.end() :].strip()
    named = match["word"] or match["hashes"]
    if not named and not (
        _plausible(match, outline) and _begins(match, rest, after_blank and _goes_on(match, outline))
    ):
        return None
    return Mark(match["number"] + match["below"], "section", match.end())


def _kind_of(name: str) -> MarkKind | None:
    if name.isdigit():
        return "digit"
    if len(name) == 1:
        return "letter"
    return "roman" if _ROMAN.match(name) else None


def _plausible(match: re.Match[str], outline: Outline) -> bool:
    """Sections are counted up; an annex may begin again."""
    first = int(match["number"].partition(".")[0])
    opened = next((clause.number for clause in outline.clauses if clause.kind == "section"), "")
    top = re.match(r"\d+", opened)
    return first > 0 and (not top or first <= int(top[0]) + _JUMP)


def _goes_on(match: re.Match[str], outline: Outline) -> bool:
    """Whether a number of several parts is in the section that is open; any other must show itself by a capital."""
    return "." not in match["number"] or any(
        clause.number == match["number"].partition(".")[0] for clause in outline.clauses
    )


def _begins(match: re.Match[str], rest: str, after_blank: bool) -> bool:
    """Whether what follows the number reads as a clause."""
    dotted, stop = "." in match["number"], match["stop"]
    if not rest:
        return dotted and after_blank
    opens = rest[0].isupper() or rest[0] in "\"“‘'("
    if dotted or match["below"]:
        return opens or after_blank
    return bool(stop) and (opens or after_blank)


def _with_parts(above: tuple[OpenClause, ...], number: str) -> tuple[OpenClause, ...]:
    """3.1(a) written in one opens 3.1 and (a)."""
    section, _, _ = number.partition("(")
    opened = [*above, OpenClause(section, "section")]
    for part in _PART.findall(number):
        opened.append(OpenClause(f"{opened[-1].number}({part})", _kind_of(part) or "letter"))
    return tuple(opened)


def _follows(number: str, mark: str) -> bool:
    parts = _PART.findall(number)
    return bool(parts) and len(parts[-1]) == 1 and ord(parts[-1].casefold()) + 1 == ord(mark.casefold()[0])
