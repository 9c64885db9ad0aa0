"""PDF: pages of text in reading order, with title, authors and date as far as the file tells them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import pymupdf

from provgraph.documents.document import Header, Page
from provgraph.documents.page_layout import PageLayout
from provgraph.documents.readers.dates import pdf_date
from provgraph.documents.readers.mupdf import FAILURES, ONE_THREAD
from provgraph.documents.readers.pdf_continued import Continued
from provgraph.documents.readers.pdf_headings import Headings
from provgraph.documents.readers.pdf_page import read_page
from provgraph.documents.readers.pdf_text import PageText
from provgraph.documents.readers.pdf_titles import printed_titles
from provgraph.documents.readers.pictured import PicturedPages
from provgraph.documents.readers.text import one_line, title_from_name
from provgraph.documents.readers.titles import is_title, title_of
from provgraph.errors import UnreadableDocument
from provgraph.ports.text_recogniser import TextRecogniser

MOST_INTERPRETED: Final = 200_000_000
"""Bytes of content, each counted as often as it is drawn."""

_PAGE: Final = 0
_DRAWN: Final = re.compile(rb"/([^\s/<>\[\](){}%]+)\s+Do\b")
_ESCAPED: Final = re.compile(rb"#([0-9A-Fa-f]{2})")


def interpreted(document: pymupdf.Document, index: int) -> int:
    """The bytes of content of a page, those of forms as often as they are drawn (ISO 32000-1, 8.10)."""
    forms: dict[int, dict[str, int]] = defaultdict(dict)
    for xref, name, invoker, _ in document.get_page_xobjects(index):
        forms[invoker][name] = xref
    if not forms:
        return 0
    return _cost(document, index, forms, _PAGE, {})


def _cost(
    document: pymupdf.Document, index: int, forms: dict[int, dict[str, int]], xref: int, known: dict[int, int]
) -> int:
    """A form that draws itself is drawn once, as MuPDF does it."""
    if xref not in known:
        known[xref] = 0
        content = _content(document, index, xref)
        named = {**forms[_PAGE], **forms[xref]}
        drawn = (_name(match[1]) for match in _DRAWN.finditer(content))
        known[xref] = len(content) + sum(
            _cost(document, index, forms, named[name], known) for name in drawn if name in named
        )
    return known[xref]


def _content(document: pymupdf.Document, index: int, xref: int) -> bytes:
    stream: bytes | None = (
        document[index].read_contents()  # type: ignore[no-untyped-call]
        if xref == _PAGE
        else document.xref_stream(xref)  # type: ignore[no-untyped-call]
    )
    return stream or b""


def _name(written: bytes) -> str:
    return _ESCAPED.sub(lambda match: bytes([int(match[1], 16)]), written).decode("utf-8", "replace")


MEDIA_TYPE = "application/pdf"

_AUTHORS_PARTED = re.compile(r"(?<!\s)\s*;\s*|(?<!\s)\s+and\s+")
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
        self._looked_at: dict[int, PageText] = {}
        self.header = self._header()

    def pages(self) -> Iterator[Page]:
        """Pages in order. One that cannot be read has no text, and says why; the others are not lost with it."""
        seen_text = False
        failed = ""
        headings, tables = Headings(), Continued()
        for index in range(self._document.page_count):
            try:
                read = self._read(index)
            except UnreadableDocument as error:
                failed = failed or str(error)
                yield Page(index + 1, "", unread=str(error))
                continue
            page = self._page(index, read, headings, tables)
            seen_text = seen_text or bool(page.text)
            yield page
        if not seen_text:
            raise UnreadableDocument(failed) if failed else self._no_text()

    def _page(self, index: int, read: PageText, headings: Headings, tables: Continued) -> Page:
        if not read.text.strip():
            return self._pictures.page(index)
        opened = headings.open
        found = headings.of_page(read)
        titled = {(heading.start, heading.end) for heading in found}
        regions = tuple(
            replace(region, kind="heading") if (region.start, region.end) in titled else region
            for region in read.regions
        )
        layout = PageLayout(
            found,
            tables.of_page(index + 1, read, (_outermost(opened), _outermost(headings.open))),
            regions,
            opened,
            turned=read.turned,
        )
        return self._pictures.with_tables(Page(index + 1, read.text, layout=layout))

    def _read(self, index: int) -> PageText:
        if index in self._looked_at:
            return self._looked_at[index]
        try:
            with ONE_THREAD:
                if interpreted(self._document, index) > MOST_INTERPRETED:
                    raise _endless(self._name, index)
                read = read_page(self._document, index).content
        except FAILURES as error:
            raise _damaged(self._name, f"page {index + 1} cannot be read") from error
        if index < _LOOKED_AT:
            self._looked_at[index] = read
        return read

    def _header(self) -> Header:
        metadata = self._document.metadata or {}
        told = metadata.get("title") or ""
        title = title_of((told,), self._name) if is_title(one_line(told)) else self._own_title()
        authors = _AUTHORS_PARTED.split(one_line(metadata.get("author") or ""))
        return Header(
            title=title,
            media_type=MEDIA_TYPE,
            page_count=self._document.page_count,
            creators=tuple(author for author in authors if author),
            date=pdf_date(metadata.get("creationDate") or metadata.get("modDate") or ""),
        )

    def _own_title(self) -> str:
        """What is printed as the title on one of the first pages."""
        for index in range(min(_LOOKED_AT, self._document.page_count)):
            try:
                read = self._read(index)
            except UnreadableDocument:
                continue
            if title := next(filter(is_title, printed_titles(read)), ""):
                return title
        return title_from_name(self._name)

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


def _outermost(headings: Sequence[tuple[int, str]]) -> str:
    return headings[0][1] if headings else ""


def _endless(name: str, index: int) -> UnreadableDocument:
    return UnreadableDocument(
        f"{name} draws the same content over and over on page {index + 1}, too often to be read. Print it to a new PDF "
        "and give that."
    )


def _damaged(name: str, what: str) -> UnreadableDocument:
    return UnreadableDocument(f"{name} is a damaged PDF: {what}. Make or download it again.")
