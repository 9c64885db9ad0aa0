"""DOCX → text: paragraphs, list items and table rows of the main document, in order.

Read with the standard library alone: of the parts of an Office file text needs two.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element, ParseError

from provgraph.documents import tables
from provgraph.documents.document import Header
from provgraph.documents.printed_columns import composed
from provgraph.documents.readers.dates import iso_date
from provgraph.documents.readers.office import PART_LIMIT, part
from provgraph.documents.readers.structure import Markup
from provgraph.documents.readers.text import TextDocument, one_line
from provgraph.documents.readers.titles import title_of
from provgraph.documents.readers.writable import writable
from provgraph.errors import UnreadableDocument

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
MAIN_PART = "word/document.xml"

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT_WORD = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_DC_TERMS = "{http://purl.org/dc/terms/}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"


def open_docx(content: bytes, name: str) -> TextDocument:
    """The document in `content`; title, author and date from its core properties, else its first heading.

    Raises `UnreadableDocument` when the archive or its XML is damaged, `TooLarge` when it unfolds too far.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            body = _part(archive, MAIN_PART)
            core = _part(archive, "docProps/core.xml") if "docProps/core.xml" in archive.namelist() else None
        heading = _first_heading(body)
        read = _Body()
        read.read(body)
    except RecursionError as error:
        raise UnreadableDocument(
            f"{name} is nested too deeply. Take tables out of tables, and save it again."
        ) from error
    except (
        zipfile.BadZipFile,
        zlib.error,
        ParseError,
        KeyError,
        NotImplementedError,
        RuntimeError,  # encrypted
        EOFError,
        ValueError,  # `zipfile` seeks before the beginning of a file that was cut
    ) as error:
        raise UnreadableDocument(
            f"{name} is a damaged DOCX file ({error}). Open it in a word processor and save it again."
        ) from error
    properties = {child.tag: one_line(child.text or "") for child in (core if core is not None else ())}
    creator = properties.get(_DC + "creator", "")
    header = Header(
        title=title_of((properties.get(_DC + "title", ""), heading), name),
        media_type=MEDIA_TYPE,
        page_count=1,
        creators=(creator,) if creator else (),
        date=iso_date(properties.get(_DC_TERMS + "created", "")),
    )
    return TextDocument(header, content, "\n\n".join(read.blocks), Markup(read.headings, read.tables))


def _part(archive: zipfile.ZipFile, path: str) -> Element:
    root = part(archive, path, PART_LIMIT)
    for element in root.iter():
        if isinstance(element.tag, str) and element.tag.startswith(_STRICT_WORD):
            element.tag = _WORD + element.tag[len(_STRICT_WORD) :]
    return root


@dataclass
class _Body:
    """What the main part holds: blocks of text, and which of them are headings or tables."""

    blocks: list[str] = field(default_factory=list)
    headings: list[tuple[int, str]] = field(default_factory=list)
    tables: list[tables.WrittenTable] = field(default_factory=list)

    def read(self, parent: Element) -> None:
        """Each paragraph, and each table as its rows, a line of `| cell | cell |` each."""
        for child in parent:
            if child.tag == _WORD + "p":
                self._paragraph(child)
            elif child.tag == _WORD + "tbl":
                table = _table(child)
                if table.lines:
                    self.tables.append(table)
                    self.blocks.append("\n".join(table.lines))
            elif child.tag != _FALLBACK:
                self.read(child)

    def _paragraph(self, paragraph: Element) -> None:
        text = writable(_text(paragraph).strip()).replace("\f", "\n")
        if not text:
            return
        self.blocks.append(text)
        if level := _heading_level(paragraph):
            self.headings.append((level, text.partition("\n")[0]))


def _table(table: Element) -> tables.WrittenTable:
    """The rows of a table; its first rows head it where the document says so."""
    lines: list[str] = []
    merged: dict[tuple[int, int], tuple[int, int]] = {}
    above: dict[int, tuple[int, int]] = {}
    heads = 0
    for row in _inside(table, "tr"):
        texts, spans, above = _cells(row, above, len(lines))
        for place, (high, wide) in spans.items():
            merged[place] = (merged.get(place, (0, 1))[0] + high, wide)
        if any(texts) or any(place[0] < len(lines) for place in spans):
            heads += heads == len(lines) and row.find(f"{_WORD}trPr/{_WORD}tblHeader") is not None
            lines.append(tables.row(texts))
    look = table.find(f"{_WORD}tblPr/{_WORD}tblLook")
    said = look.get(_WORD + "firstRow", "") if look is not None else ""
    if not heads and lines and len(tables.cells(lines[0])) > 1:
        heads = int(said in ("1", "true", "on"))
    kept = {place: span for place, span in merged.items() if span != (1, 1)}
    return composed(tables.WrittenTable(lines, heads, merged=kept))


def _inside(parent: Element, name: str) -> Iterator[Element]:
    """Rows or cells, also those that stand in controls; none of a table inside a cell."""
    for child in parent:
        if child.tag == _WORD + name:
            yield child
        elif child.tag not in (_WORD + "tc", _WORD + "tbl", _FALLBACK):
            yield from _inside(child, name)


_Spans = dict[tuple[int, int], tuple[int, int]]


def _cells(
    row: Element, above: dict[int, tuple[int, int]], number: int
) -> tuple[list[str], _Spans, dict[int, tuple[int, int]]]:
    """The texts of a row, column by column; by place, how many rows and columns a cell adds to those of its first; and
    by column, where the cell begins to which the next row's may belong.

    A merged cell's words stand in the first of its places only, as they are printed.
    """
    texts: list[str] = []
    spans: _Spans = {}
    begun: dict[int, tuple[int, int]] = {}
    for cell in _inside(row, "tc"):
        column = len(texts)
        wide = min(_columns(cell), max(tables.MOST_COLUMNS - column, 1))
        merged = cell.find(f"{_WORD}tcPr/{_WORD}vMerge")
        goes_on = (
            merged is not None and merged.get(_WORD + "val", "continue") == "continue" and column in above
        )
        place = above[column] if goes_on else (number, column)
        spans[place] = (1, wide)
        begun[column] = place
        texts += [_words(cell) if not goes_on else "", *[""] * (wide - 1)]
    return texts, spans, begun


def _words(cell: Element) -> str:
    body = _Body()
    body.read(cell)
    return " ".join(" ".join(body.blocks).split())


def _columns(cell: Element) -> int:
    span = cell.find(f"{_WORD}tcPr/{_WORD}gridSpan")
    width = span.get(_WORD + "val", "1") if span is not None else "1"
    return max(int(width), 1) if width.isdecimal() and len(width) < 5 else 1


def _heading_level(paragraph: Element) -> int:
    """The level of a paragraph in a style for headings; 0 for others."""
    style = paragraph.find(f"{_WORD}pPr/{_WORD}pStyle")
    name = (style.get(_WORD + "val", "") if style is not None else "").casefold().replace(" ", "")
    if name == "title":
        return 1
    level = name.removeprefix("heading")
    return (
        min(int(level) + 1, 9) if name.startswith("heading") and level.isdecimal() and len(level) < 3 else 0
    )


def _text(paragraph: Element) -> str:
    return "".join(_runs(paragraph))


def _runs(parent: Element) -> Iterator[str]:
    for child in parent:
        if child.tag == _WORD + "t":
            yield child.text or ""
        elif child.tag == _WORD + "tab":
            yield " "
        elif child.tag in (_WORD + "br", _WORD + "cr"):
            yield "\n"
        elif child.tag == _WORD + "noBreakHyphen":
            yield "-"
        elif child.tag == _WORD + "p":  # a text box stands inside the paragraph that anchors it
            yield f"\n{_text(child)}\n"
        elif child.tag not in (_FALLBACK, _WORD + "pPr", _WORD + "rPr"):
            yield from _runs(child)


def _first_heading(body: Element) -> str:
    for paragraph in body.iter(_WORD + "p"):
        style = paragraph.find(f"{_WORD}pPr/{_WORD}pStyle")
        name = style.get(_WORD + "val", "") if style is not None else ""
        if name == "Title" or name.lower().startswith("heading"):
            text = one_line(_text(paragraph))
            if text:
                return text
    return ""
