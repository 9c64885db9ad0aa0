"""Sentences of passages that the network reads together, each window begun with the title of its document, and the
spans that it reads in them as the answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.comprehension.answer_spans import answer_spans
from provgraph.comprehension.windows import around
from provgraph.derivation.evidence import ReadPassage
from provgraph.derivation.question_forms import as_read
from provgraph.reading.propositions import Span
from provgraph.reading.syntax import ParsedSentence

_LEAST_CHANCE: Final = 0.002
"""No chance is taken for less, nor what is left of it."""


@dataclass(frozen=True)
class Window:
    """The characters of a passage that are read together."""

    passage: ReadPassage
    start: int
    end: int

    @classmethod
    def around(cls, passage: ReadPassage, number: int) -> Window:
        """The sentence of that number with its neighbours."""
        spans = [(sentence.start, sentence.end) for sentence in passage.parsed]
        return cls(passage, *around(passage.text, spans, number))

    @property
    def lead(self) -> str:
        return f"{self.passage.title}. " if self.passage.title else ""

    @property
    def text(self) -> str:
        return f"{self.lead}{self.passage.text[self.start : self.end]}"

    def has(self, passage: ReadPassage, sentence: ParsedSentence) -> bool:
        return self.passage.key == passage.key and self.start <= sentence.start and sentence.end <= self.end


@dataclass(frozen=True)
class WindowSpan:
    """A span of a window's passage, and the chance that it answers among all spans of its window."""

    window: Window
    span: Span
    chance: float


def read_windows(question: str, windows: Sequence[Window], most: int) -> Iterator[WindowSpan]:
    """Of each window at most so many spans, likeliest first; words of its title are none."""
    found = answer_spans(as_read(question), [window.text for window in windows], most)
    for window, some in zip(windows, found, strict=True):
        moved = window.start - len(window.lead)
        for each in some:
            start, end = each.start + moved, each.end + moved
            if start >= window.start:
                yield WindowSpan(window, Span(start, end, window.passage.text[start:end]), each.chance)


def bounded(chance: float) -> float:
    """A chance that is never quite 0 or 1."""
    return min(max(chance, _LEAST_CHANCE), 1 - _LEAST_CHANCE)


def log_odds(chance: float) -> float:
    likely = bounded(chance)
    return math.log(likely / (1 - likely))
