"""Where a text may be cut, and how good a place each is: judged by what stands there, never by how far in.

Knows headings, paragraphs, sentences and words; nothing of pages or of the size of chunks, but for the
longest piece that may stay in one.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from zlib import crc32

from provgraph.language.sentences import each_sentence

HEADING, PARAGRAPH, LINE, SENTENCE, AFTER_HEADING, WORD = 6, 5, 4, 3, 2, 1
_CONTEXT = 64  # characters after a boundary that tell it from others of its level
_HEADING_LENGTH = 100
_FINISHED = re.compile(r"""[.!?…。！？؟:;,|]["'”’»)\]]*\Z""")
_WORD_START = re.compile(r"(?<=[\s\u3001\uff0c\u3000-\u303f])(?=[^\s])")
_JOINER = "\u200d"


_MARK_BITS = 32

_Span = tuple[int, int]


@dataclass(frozen=True)
class Boundaries:
    """Places where a piece may begin, first to last: where each is, and its rank. A greater rank is better: by level,
    then by a hash of the text after it. Sixteen bytes a place, for a text of short lines has very many."""

    at: array[int] = field(default_factory=lambda: array("q"))
    rank: array[int] = field(default_factory=lambda: array("q"))

    def __len__(self) -> int:
        return len(self.at)

    def level(self, index: int) -> int:
        return self.rank[index] >> _MARK_BITS

    def add(self, text: str, at: int, level: int) -> None:
        mark = crc32(text[at : at + _CONTEXT].encode("utf-8", "surrogatepass"))
        self.at.append(at)
        self.rank.append(level << _MARK_BITS | mark)


def boundaries(text: str, longest: int) -> Boundaries:
    """All places where a piece may begin, so close that no piece need exceed `longest`.

    Sentence starts throughout; word starts inside sentences longer than `longest`; inside a word longer than
    that, fixed steps from its beginning. Linear in the text.
    """
    found = Boundaries()
    level = PARAGRAPH
    for before, span, after in _with_neighbours(each_sentence(text)):
        start, end = span
        heading = _is_heading(text, before, span, after)
        if heading and level in (PARAGRAPH, LINE):
            level = HEADING
        found.add(text, start, level)
        if end - start > longest:
            for at in _word_starts(text, start, end, longest):
                found.add(text, at, WORD)
        level = AFTER_HEADING if heading else _level_of_gap(text, end, after[0] if after else end)
    return found


def _with_neighbours(spans: Iterator[_Span]) -> Iterator[tuple[_Span | None, _Span, _Span | None]]:
    before, here = None, next(spans, None)
    while here:
        after = next(spans, None)
        yield before, here, after
        before, here = here, after


def _level_of_gap(text: str, start: int, end: int) -> int:
    breaks = text.count("\n", start, end)
    return PARAGRAPH if breaks > 1 else LINE if breaks else SENTENCE


def _is_heading(text: str, before: _Span | None, span: _Span, after: _Span | None) -> bool:
    """A short line of its own, without a full stop, with text after it; or one marked with `#`."""
    start, end = span
    if end - start > _HEADING_LENGTH or after is None or text.find("\n", start, end) >= 0:
        return False
    if "\n" not in text[end : after[0]]:
        return False
    if text[start] == "#":
        return True
    alone = before is None or text.count("\n", before[1], start) > 1
    return alone and not _FINISHED.search(text, start, end) and text[start].isalnum()


def _word_starts(text: str, start: int, end: int, longest: int) -> Iterator[int]:
    """Starts of words after `start`, and steps of half the longest piece inside longer words."""
    last = start
    for match in _WORD_START.finditer(text, start + 1, end):
        yield from _steps(text, last, match.start(), longest)
        last = match.start()
        yield last
    yield from _steps(text, last, end, longest)


def _steps(text: str, start: int, end: int, longest: int) -> Iterator[int]:
    if end - start <= longest:
        return
    step = max(longest // 2, 1)
    for at in range(start + step, end, step):
        yield _between_characters(text, at)


def _between_characters(text: str, at: int) -> int:
    """The nearest place before `at` that does not part a letter from its marks or a joined emoji."""
    for place in range(at, max(at - 16, 0), -1):
        joined = (
            text[place - 1] == _JOINER
            or text[place] == _JOINER
            or unicodedata.category(text[place])[0] == "M"
        )
        if not joined:
            return place
    return at
