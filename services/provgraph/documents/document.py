"""What a reader makes of a file: a header, and pages of exact text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from provgraph.documents.page_layout import PageLayout
from provgraph.ports.text_recogniser import RecogniserProfile

LOW_CONFIDENCE: Final = 0.6


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
class Recognition:
    """That a page's text was recognised in a picture: by whom, and how sure they are of its words, from 0 to 1."""

    by: RecogniserProfile
    confidence: float


@dataclass(frozen=True)
class Page:
    """One page: `number` counts from 1, `text` is in reading order and is what all offsets refer to.

    `recognition` is there where the text was recognised in a picture. `unread` says why the page was left unread, or of
    a page with text what of it was ("has a table as a picture, not read"). `layout` has the page's headings, tables and
    regions. `pictured` names tables that are pictures, where their text was recognised and stands behind the page's.
    """

    number: int
    text: str
    recognition: Recognition | None = None
    unread: str = ""
    layout: PageLayout = PageLayout()
    pictured: str = ""

    @property
    def warning(self) -> str:
        """What somebody who relies on the page should know; empty where there is nothing."""
        if self.pictured and self.recognition:
            said = f"page {self.number} has {self.pictured}: recognised with confidence"
            return f"{said} {self.recognition.confidence:.2f}, at the end of the page's text, without its columns"
        if self.unread and self.text:
            return f"page {self.number} {self.unread}"
        if self.recognition and self.recognition.confidence < LOW_CONFIDENCE:
            said = f"page {self.number} was recognised with confidence {self.recognition.confidence:.2f} only"
            return f"{said}: compare what was read with the page, or scan it again"
        return f"page {self.number} was not read: {self.unread}" if self.unread else ""


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
