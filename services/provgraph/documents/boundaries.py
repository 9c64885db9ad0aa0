"""Where a text may be cut, and how good a place each is: judged by what stands there, never by how far in.

Knows headings, paragraphs, sentences and words; nothing of pages or of the size of chunks, but for the
longest piece that may stay in one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from zlib import crc32

from provgraph.language.sentences import sentence_spans

HEADING, PARAGRAPH, LINE, SENTENCE, AFTER_HEADING, WORD = 6, 5, 4, 3, 2, 1
_CONTEXT = 64  # characters after a boundary that tell it from others of its level
_HEADING_LENGTH = 100
_FINISHED = re.compile(r"""[.!?…。！？؟:;,|]["'”’»)\]]*\Z""")
_WORD_START = re.compile(r"(?<=[\s\u3001\uff0c\u3000-\u303f])(?=[^\s])")
_JOINER = "\u200d"


@dataclass(frozen=True, slots=True, order=True)
class Boundary:
    """A place where a piece may begin. Greater is better: by level, then by a hash of the text after it."""

    level: int
    mark: int
    at: int


def boundaries(text: str, longest: int) -> list[Boundary]:
    """All places where a piece may begin, first to last, so close that no piece need exceed `longest`.

    Sentence starts throughout; word starts inside sentences longer than `longest`; inside a word longer than
    that, fixed steps from its beginning. Linear in the text.
    """
    found: list[Boundary] = []
    level = PARAGRAPH
    spans = sentence_spans(text)
    for index, (start, end) in enumerate(spans):
        heading = _is_heading(text, spans, index)
        if heading and level in (PARAGRAPH, LINE):
            level = HEADING
        found.append(_boundary(text, start, level))
        if end - start > longest:
            found += (_boundary(text, at, WORD) for at in _word_starts(text, start, end, longest))
        following = spans[index + 1][0] if index + 1 < len(spans) else end
        level = AFTER_HEADING if heading else _level_of_gap(text, end, following)
    return found


def _boundary(text: str, at: int, level: int) -> Boundary:
    return Boundary(level, crc32(text[at : at + _CONTEXT].encode("utf-8", "surrogatepass")), at)


def _level_of_gap(text: str, start: int, end: int) -> int:
    breaks = text.count("\n", start, end)
    return PARAGRAPH if breaks > 1 else LINE if breaks else SENTENCE


def _is_heading(text: str, spans: list[tuple[int, int]], index: int) -> bool:
    """A short line of its own, without a full stop, with text after it; or one marked with `#`."""
    start, end = spans[index]
    if end - start > _HEADING_LENGTH or index + 1 == len(spans) or text.find("\n", start, end) >= 0:
        return False
    if "\n" not in text[end : spans[index + 1][0]]:
        return False
    if text[start] == "#":
        return True
    alone = index == 0 or text.count("\n", spans[index - 1][1], start) > 1
    return alone and not _FINISHED.search(text, start, end) and text[start].isalnum()


def _word_starts(text: str, start: int, end: int, longest: int) -> Iterator[int]:
    """Starts of words after `start`, and steps of half the longest piece inside longer words."""
    last = start
    for found in _WORD_START.finditer(text, start + 1, end):
        yield from _steps(text, last, found.start(), longest)
        last = found.start()
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
