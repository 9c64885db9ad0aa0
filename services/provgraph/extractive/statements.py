"""The sentences of an answer: those of the evidence that answer, word for word, each with every place that says it."""

from __future__ import annotations

from dataclasses import dataclass

from provgraph.catalogue.sources import Words
from provgraph.extractive.evidence import Evidence, Findings
from provgraph.language.mentions import Mention, mentions


@dataclass(frozen=True)
class Statement:
    """A sentence of the answer, which begins at `start` of it; mentions are told in characters of `text`.

    `chunks` are indexes of the selected chunks.
    """

    start: int
    text: str
    chunks: tuple[int, ...]
    words: tuple[Words, ...]
    mentions: tuple[Mention, ...]

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def statements(found: Findings) -> tuple[Statement, ...]:
    """The statements of an answer in which they are parted by one space."""
    said: list[Statement] = []
    for each in found.answer:
        start = said[-1].end + 1 if said else 0
        said.append(_statement(start, each, found))
    return tuple(said)


def _statement(start: int, answering: Evidence, found: Findings) -> Statement:
    same = [each for each in found.evidence if each.text == answering.text]
    chunks = dict.fromkeys(found.selected.index(each.passage) for each in same)
    named = mentions(answering.text, found.passages[answering.passage].hit.text)
    return Statement(start, answering.text, tuple(chunks), tuple(each.words for each in same), tuple(named))
