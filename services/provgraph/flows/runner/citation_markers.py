"""A streamed answer without its marks: `[1]`, `[2, 3]` are taken out and remembered, wherever a token cuts them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from provgraph.language.sentences import sentence_spans

NO_ANSWER: Final = "NO ANSWER"
"""What the model writes when the evidence does not answer."""

_NUMBERS: Final = r"\s*\d{1,4}(?:\s*[-–,;]\s*\d{1,4})*\s*"
_MARK: Final = re.compile(rf"[\[【]{_NUMBERS}[\]】]")
_MAY_GROW: Final = re.compile(r"(?<!\s)\s*(?:[\[【][\s\d,;–-]*)?\Z")
_BEFORE_WORDS: Final = " \n\t*\"'`#"
_REFUSALS: Final = ("noanswer", "noanswerfound")
_WIDEST_RANGE: Final = 50


@dataclass(frozen=True)
class CitationMarker:
    """The numbers that stood behind `text[:at]`."""

    at: int
    numbers: tuple[int, ...]


class MarkedText:
    """`text` is what may be shown so far, `marks` what was taken out of it; neither ever changes in what it has."""

    def __init__(self) -> None:
        self.text = ""
        self.marks: list[CitationMarker] = []
        self._held = ""

    @property
    def refuses(self) -> bool:
        """Whether all that came so far says that there is no answer; such words are held back."""
        return not self.text and (self._start().startswith(NO_ANSWER) or self._letters() in _REFUSALS)

    def feed(self, piece: str) -> str:
        """The text that may be shown now: not the beginning of a mark or of a refusal, nor the space before either."""
        self._held += piece
        if self._may_refuse():
            return ""
        mark_start = _MAY_GROW.search(self._held)
        return self._release(mark_start.start() if mark_start else len(self._held))

    def finish(self) -> str:
        """The rest, when no more will come; nothing of a refusal, nor of a mark that broke off."""
        if self.refuses:
            return ""
        mark_start = _MAY_GROW.search(self._held)
        return self._release(mark_start.start() if mark_start else len(self._held))

    def _release(self, end: int) -> str:
        ready, self._held = self._held[:end], self._held[end:]
        before = len(self.text)
        at = 0
        for mark in _MARK.finditer(ready):
            self._show(ready[at : mark.start()].rstrip())
            self.marks.append(CitationMarker(len(self.text), _numbers(mark.group())))
            at = mark.end()
        self._show(ready[at:])
        return self.text[before:]

    def _show(self, text: str) -> None:
        self.text += text if self.text else text.lstrip()

    def _may_refuse(self) -> bool:
        if self.text:
            return False
        start = self._start()
        begins = start.startswith(NO_ANSWER) or NO_ANSWER.startswith(start)
        return begins or _REFUSALS[-1].startswith(self._letters())

    def _start(self) -> str:
        return self._held.lstrip(_BEFORE_WORDS)

    def _letters(self) -> str:
        return "".join(filter(str.isalnum, self._held.casefold()))


def cited_spans(answer: MarkedText, most: int) -> list[tuple[tuple[int, int], list[int]]]:
    """Each sentence of an answer, as a span, with the numbers from 1 to `most` that its marks name, counted from 0.

    A mark belongs to the last sentence that begins before it.
    """
    spans = sentence_spans(answer.text)
    cited: list[set[int]] = [set() for _ in spans]
    for mark in answer.marks:
        before = [index for index, (start, _) in enumerate(spans) if start < mark.at]
        if spans:
            cited[before[-1] if before else 0].update(mark.numbers)
    return [
        (span, [number - 1 for number in sorted(own) if 0 < number <= most])
        for span, own in zip(spans, cited, strict=True)
    ]


def _numbers(mark: str) -> tuple[int, ...]:
    numbers: list[int] = []
    for part in re.split("[,;]", mark[1:-1]):
        first, *_, last = (int(number) for number in re.split("[-–]", f"{part}-{part}"))
        numbers += range(first, min(last, first + _WIDEST_RANGE) + 1)
    return tuple(dict.fromkeys(numbers))
