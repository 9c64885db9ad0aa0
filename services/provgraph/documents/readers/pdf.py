"""PDF: pages of text in reading order, with title, authors and date as far as the file tells them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

import pymupdf

from provgraph.documents import tables
from provgraph.documents.document import Header, Page
from provgraph.documents.readers.dates import pdf_date
from provgraph.documents.readers.mupdf import FAILURES, ONE_THREAD
from provgraph.documents.readers.pdf_lines import Line, page_lines
from provgraph.documents.readers.pdf_nesting import MOST_INTERPRETED, interpreted
from provgraph.documents.readers.pdf_tables import with_tables
from provgraph.documents.readers.pdf_text import body_size, page_text
from provgraph.documents.readers.pictured import PicturedPages
from provgraph.documents.readers.text import one_line, title_from_name, writable
from provgraph.errors import UnreadableDocument
from provgraph.ports.text_recogniser import TextRecogniser

MEDIA_TYPE = "application/pdf"

_NO_TITLE = re.compile(
    r"(?:untitled.*|microsoft (?:word|powerpoint|excel).*|document\d*|slide \d+|powerpoint presentation|"
    r".*\.(?:docx?|pdf|tex|dvi|indd|qxd|ps|rtf|odt|pptx?|xlsx?|exe|pmd|fm|p65)|[\W\d_]*)",
    re.IGNORECASE,
)
_AUTHORS_PARTED = re.compile(r"\s*;\s*|\s+and\s+")
_HEADING_LENGTH = range(4, 200)
_LOOKED_AT = 3  # pages in which a heading is sought


class PdfDocument:
    """A PDF that is being read; `pages` raises `UnreadableDocument` when not one page holds text.

    Pages without text are recognised where they hold pictures and there is a recogniser.
    """

    def __init__(
        self, content: bytes, name: str, document: pymupdf.Document, recogniser: TextRecogniser | None
    ) -> None:
        self.content = content
        self._name = name
        self._document = document
        self._pictures = PicturedPages(document, name, recogniser)
        self._looked_at: dict[int, list[Line]] = {}
        self.header = self._header()

    def pages(self) -> Iterator[Page]:
        seen_text = False
        for index in range(self._document.page_count):
            text = self._text(index)
            page = Page(index + 1, text) if text.strip() else self._pictures.page(index)
            seen_text = seen_text or bool(page.text)
            yield page
        if not seen_text:
            raise self._no_text()

    def _text(self, index: int) -> str:
        """The text of a page; where some of it stands in rows, ruled tables are looked for."""
        lines = self._lines(index)
        text = writable(page_text(lines))
        if f"\n{text}".count("\n|") < 2:
            return text
        try:
            with ONE_THREAD:
                lines = with_tables(self._document, index, lines)
        except FAILURES as error:
            raise _damaged(self._name, f"page {index + 1} cannot be read") from error
        return tables.labelled(writable(page_text(lines)))

    def _lines(self, index: int) -> list[Line]:
        if index in self._looked_at:
            return self._looked_at[index]
        try:
            with ONE_THREAD:
                if interpreted(self._document, index) > MOST_INTERPRETED:
                    raise _endless(self._name, index)
                lines = page_lines(self._document, index)
        except FAILURES as error:
            raise _damaged(self._name, f"page {index + 1} cannot be read") from error
        if index < _LOOKED_AT:
            self._looked_at[index] = lines
        return lines

    def _header(self) -> Header:
        metadata = self._document.metadata or {}
        title = one_line(metadata.get("title") or "")
        if _NO_TITLE.fullmatch(title):
            title = self._first_heading() or title_from_name(self._name)
        authors = _AUTHORS_PARTED.split(one_line(metadata.get("author") or ""))
        return Header(
            title=title,
            media_type=MEDIA_TYPE,
            page_count=self._document.page_count,
            creators=tuple(author for author in authors if author),
            date=pdf_date(metadata.get("creationDate") or metadata.get("modDate") or ""),
        )

    def _first_heading(self) -> str:
        """The lines in the largest type of the first page with text."""
        for index in range(min(_LOOKED_AT, self._document.page_count)):
            lines = self._lines(index)
            if lines:
                return _largest_type(lines)
        return ""

    def _no_text(self) -> UnreadableDocument:
        said = f"{self._name} has no text layer"
        if self._pictures.lacking:
            return UnreadableDocument(f"{said}: its pages are pictures of text. {self._pictures.lacking}")
        return UnreadableDocument(
            f"{said}, and no text was recognised in its pages. Give a document with legible text in it."
        )


def open_pdf(content: bytes, name: str, recogniser: TextRecogniser | None = None) -> PdfDocument:
    """The document in `content`; raises `UnreadableDocument` when encrypted, damaged or without pages."""
    try:
        with ONE_THREAD:
            document = pymupdf.open(stream=content, filetype="pdf")  # type: ignore[no-untyped-call]
    except FAILURES as error:
        raise _damaged(name, "its structure cannot be read") from error
    if document.needs_pass:
        raise UnreadableDocument(
            f"{name} is encrypted with a password. Remove the password and give the file again."
        )
    if document.page_count == 0:
        raise _damaged(name, "no page can be found in it")
    return PdfDocument(content, name, document, recogniser)


def _largest_type(lines: list[Line]) -> str:
    """The first lines in type clearly larger than the body's, as one; empty when there are none."""
    largest = max((line.size for line in lines if line.upright), default=0)
    if largest < 1.1 * body_size(lines):
        return ""
    runs = groupby(lines, key=lambda line: line.upright and line.size >= 0.95 * largest)
    title = one_line(" ".join(line.text for line in next((list(run) for large, run in runs if large), [])))
    return title if len(title) in _HEADING_LENGTH and any(map(str.isalpha, title)) else ""


def _endless(name: str, index: int) -> UnreadableDocument:
    return UnreadableDocument(
        f"{name} draws the same content over and over on page {index + 1}, too often to be read. Print it to a new PDF "
        "and give that."
    )


def _damaged(name: str, what: str) -> UnreadableDocument:
    return UnreadableDocument(f"{name} is a damaged PDF: {what}. Make or download it again.")
