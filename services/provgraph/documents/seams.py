"""Sentences that a page end cuts: where the words that end them stand on the next page.

Running heads, running feet and page numbers are no part of a sentence, so they are found first: lines at a
page's edge that are a page number, or that a page nearby repeats with other numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from provgraph.documents.document import Page
from provgraph.language.sentences import sentence_spans

_LONGEST = 600
_LINE = re.compile(r"\S[^\n]*")
_PAGE_NUMBER = re.compile(
    r"[\W_]*(?:p(?:age|g?\.)\s*)?(?:\d{1,4}|[ivxlc]{1,6})(?:\s*(?:/|of)\s*\d{1,4})?[\W_]*", re.IGNORECASE
)
_FINISHED = re.compile(r"""[.!?…。！？؟:;|]["'”’»)\]]*(?:\[?\d{1,3}\]?)?\Z""")
_WORD_END = re.compile(r"[\w,)\]”’\"']\Z")
_EDGE_LINES = 3


@dataclass(frozen=True, slots=True)
class Body:
    """The part of a page between its running head and its running foot: `text[start:end]`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Seam:
    """A sentence cut by a page end: it breaks off at `end`, goes on in `[start, stop)` of the next page."""

    end: int
    start: int
    stop: int


def body(text: str, neighbours: Iterable[str]) -> Body:
    """The page's text without head and foot, judged by the pages near it."""
    neighbours = list(neighbours)
    heads = {_shape(line) for near in neighbours for _, _, line in _first_lines(near)}
    feet = {_shape(line) for near in neighbours for _, _, line in _last_lines(near)}
    start, end = 0, len(text.rstrip())
    for _, line_end, line in _first_lines(text):
        if not (_PAGE_NUMBER.fullmatch(line) or _shape(line) in heads):
            break
        start = line_end
    for line_start, _, line in _last_lines(text):
        if line_start <= start or not (_PAGE_NUMBER.fullmatch(line) or _shape(line) in feet):
            break
        end = line_start
    start += len(text[start:end]) - len(text[start:end].lstrip())
    return Body(start, start + len(text[start:end].rstrip()))


def seam(page: tuple[Page, Body], following: tuple[Page, Body]) -> Seam | None:
    """The sentence that goes on from a page to the following one; None where that is not certain.

    It is when the first page ends without a full stop, the next begins in lower case, and the words that end
    the sentence are no more than a long sentence has.
    """
    (here, here_body), (there, there_body) = page, following
    ending = here.text[max(here_body.start, here_body.end - 40) : here_body.end]
    opening = there.text[there_body.start : min(there_body.end, there_body.start + _LONGEST + 1)]
    if not opening[:1].islower() or _FINISHED.search(ending) or not _WORD_END.search(ending):
        return None
    spans = sentence_spans(opening)
    stop = spans[0][1]
    if stop > _LONGEST or not _FINISHED.search(opening[max(0, stop - 8) : stop]):
        return None
    return Seam(here_body.end, there_body.start, there_body.start + stop)


def _first_lines(text: str) -> Iterator[tuple[int, int, str]]:
    for _, match in zip(range(_EDGE_LINES), _LINE.finditer(text), strict=False):
        yield match.start(), match.end(), match.group().rstrip()


def _last_lines(text: str) -> Sequence[tuple[int, int, str]]:
    lines: list[tuple[int, int, str]] = []
    end = len(text)
    while len(lines) < _EDGE_LINES and end > 0:
        start = text.rfind("\n", 0, end) + 1
        if line := text[start:end].strip():
            lines.append((start, end, line))
        end = start - 1
    return lines


def _shape(line: str) -> str:
    """A line with its numbers left out, so that `Chapter 2 · 31` and `Chapter 2 · 33` are the same."""
    return re.sub(r"\d+", "#", line)[:200]
