"""What a reader makes of a file: a header, and pages of exact text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True)
class Header:
    """What is known of a document before its pages are read.

    `title` is never empty: the file's own metadata, else its first heading, else its file name.
    `date` is ISO 8601 as precise as the source says ("2019", "2019-03", "2019-03-07"), or empty.
    `record_id` is the id that a JSON record gives itself, or empty; `metadata` holds what else it says.
    """

    title: str
    media_type: str
    page_count: int
    creators: tuple[str, ...] = ()
    date: str = ""
    record_id: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Page:
    """One page: `number` counts from 1, `text` is in reading order and is what all offsets refer to."""

    number: int
    text: str


class OpenDocument(Protocol):
    """A document that is being read. Pages are made one at a time, so that a long file shows progress."""

    @property
    def header(self) -> Header: ...

    @property
    def content(self) -> bytes:
        """The bytes whose hash names this document: the file's, or the one record's of many in a file."""
        ...

    def pages(self) -> Iterator[Page]:
        """Pages in order; raises `UnreadableDocument` when the file turns out damaged or without text."""
        ...
