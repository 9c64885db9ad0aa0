"""Port of searches for papers: what there is on a topic, and the papers themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class FoundPaper:
    """`id` is an IRI that names the paper in all its versions, `version` the identifier of this one.

    `published` is a date in ISO 8601; `address` is where its PDF is.
    """

    id: str
    version: str
    title: str
    creators: tuple[str, ...]
    published: str
    abstract: str
    identifiers: tuple[str, ...]
    address: str


@dataclass(frozen=True)
class UnusableEntry:
    """A result that names no paper that could be fetched, and why not."""

    title: str
    reason: str


Waits = Callable[[float], None]
"""Is told before each wait for a search that is busy: for how many seconds."""


def no_notice(_: float) -> None:
    """Nobody is told."""


class PaperSearch(Protocol):
    """Errors: `Unavailable` when it cannot be reached, or is still too busy after every attempt."""

    async def search(
        self, topic: str, most: int, waits: Waits = no_notice
    ) -> Sequence[FoundPaper | UnusableEntry]:
        """The papers on a topic, the most relevant first; none where there are none."""
        ...

    async def pdf(self, paper: FoundPaper, waits: Waits = no_notice) -> bytes:
        """Raises `NotFound` for a paper that was withdrawn or has none, `UnreadableDocument` for what is no PDF, and
        `TooLarge`."""
        ...

    async def close(self) -> None: ...
