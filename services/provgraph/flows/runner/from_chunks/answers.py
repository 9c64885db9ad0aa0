"""What an answer from chunks consists of, whoever wrote it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from provgraph.catalogue.sources import Words
from provgraph.flows.runner.answer_stream import Parts
from provgraph.flows.runner.from_chunks.selection import Selection


@dataclass(frozen=True)
class Statement:
    """A sentence of the answer, `text[start:end]`: indexes of the selected chunks behind it, and the words cited.

    Without chunks it is unsupported. `overlap` is the measured share (0…1) of its content that the cited words hold,
    None for one that repeats them.
    """

    start: int
    end: int
    chunks: tuple[int, ...]
    words: tuple[Words, ...]
    overlap: float | None = None


class Writer(Protocol):
    """Answers from the selected chunks. Does not fail because a model does."""

    def answer(self, question: str, selection: Selection) -> Parts[Statement]: ...
