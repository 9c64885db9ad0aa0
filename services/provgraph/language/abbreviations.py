"""Short forms and what they stand for: "Maximum Inner Product Search (MIPS)", "MIPS (maximum inner product search)",
"which stands for" (after Schwartz and Hearst 2003, "A simple algorithm for identifying abbreviation definitions").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_BRACKETED: Final = re.compile(r"\(([^()]{2,80})\)")
_STANDS_FOR: Final = re.compile(
    r"\b(?P<short>[\w-]{2,12})[”\"']?,?\s+(?:which\s+)?"
    r"(?:stands\s+for|is\s+short\s+for|is\s+(?:an?|the)\s+(?:abbreviation|acronym)\s+(?:of|for))\s+"
    r"(?P<long>[^.;:()]{3,80})"
)
_SHORT: Final = re.compile(r"[A-Za-z][\w&/-]{1,11}s?\Z")
_MOST_WORDS: Final = 10
_FEWEST_LETTERS: Final = 3
_WORD: Final = re.compile(r"[^\W\d_]+")
_STOP: Final = re.compile(r"[.,;:!?()|]")
_BREAK: Final = re.compile(r"[\s,;:]")


@dataclass(frozen=True)
class LongForm:
    """`short` stands for `long`, which is the characters from `start` on."""

    short: str
    long: str
    start: int


def long_forms(text: str) -> Iterator[LongForm]:
    """Every short form that a text explains."""
    for match in _STANDS_FOR.finditer(text):
        yield LongForm(match["short"], match["long"].strip(), match.start("long"))
    for match in _BRACKETED.finditer(text):
        inside = re.split(r"[,;]", match[1])[0].strip()
        before = text[max(0, match.start() - 200) : match.start()].rstrip()
        if is_short_form(inside):
            at = _start_of_long(inside, before)
            if at is not None:
                offset = max(0, match.start() - 200)
                yield LongForm(inside, before[at:], offset + at)
        else:
            short = _BREAK.split(before)[-1].strip("“\"'")
            if is_short_form(short) and _start_of_long(short, inside) == 0:
                yield LongForm(short, inside, match.start(1))


def initials_of(short: str, text: str) -> str:
    """Words behind each other that begin with the letters of a short form: "support vector machines" for SVM; empty
    where a text has none, or the form has too few letters to tell."""
    letters = short.removesuffix("s").casefold()
    if len(letters) < _FEWEST_LETTERS or not letters.isalpha():
        return ""
    words = list(_WORD.finditer(text))
    for first, last in zip(words, words[len(letters) - 1 :], strict=False):
        initials = text[first.start() : last.end()]
        if [match[0][0].casefold() for match in _WORD.finditer(initials)] == [*letters] and not _STOP.search(
            initials
        ):
            return initials
    return ""


def is_short_form(word: str) -> bool:
    """Whether a word may be a short form: a few letters, at least two of them capitals."""
    return bool(_SHORT.match(word)) and sum(letter.isupper() for letter in word) > 1


def _start_of_long(short: str, before: str) -> int | None:
    """Where the words begin whose letters make the short form, each of its letters found from the right; the first
    begins a word. None where they do not."""
    letters = [each.casefold() for each in short.removesuffix("s") if each.isalnum()]
    at, words = len(before), before.casefold()
    for index in range(len(letters) - 1, -1, -1):
        at -= 1
        while at >= 0 and not (
            words[at] == letters[index] and (index or at == 0 or not words[at - 1].isalnum())
        ):
            at -= 1
        if at < 0:
            return None
    most = min(len(letters) + 5, 2 * len(letters), _MOST_WORDS)
    return at if len(before[at:].split()) <= most and len(before) - at > len(short) else None
