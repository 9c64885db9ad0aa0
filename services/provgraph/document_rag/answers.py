"""What an answer from chunks consists of, whoever wrote it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Final, Protocol

from provgraph.answering.accounts import Account
from provgraph.catalogue.sources import Words
from provgraph.document_rag.selection import Selection
from provgraph.errors import ProvGraphError

REFUSAL: Final = "No answer found."


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


@dataclass(frozen=True)
class Told:
    """An answer when its last word is said. Without statements it is a refusal, or with `failure` broke off."""

    text: str
    statements: tuple[Statement, ...]
    account: Account = Account()
    failure: ProvGraphError | None = None


class Writer(Protocol):
    """Answers from the selected chunks. Does not fail because a model does."""

    def answer(self, question: str, selection: Selection) -> AsyncGenerator[str | Told]:
        """The text as it comes, then `Told`, whose text is all that was said before it."""
        ...
