"""HTML → lines of text: headings, paragraphs, list items and table rows, without the page's furniture.

Tags are found by one expression that never looks back, so the time is linear however broken the markup is;
the standard library's parser takes quadratic time over tags and comments that are not closed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import unescape

from provgraph.documents import tables
from provgraph.documents.document import Header
from provgraph.documents.printed_columns import composed
from provgraph.documents.readers.dates import iso_date
from provgraph.documents.readers.structure import Markup
from provgraph.documents.readers.text import TextDocument, decode, one_line
from provgraph.documents.readers.titles import title_of
from provgraph.documents.readers.writable import writable
from provgraph.documents.tables import MOST_COLUMNS


@dataclass(frozen=True)
class MergedCell:
    """A cell, and over how many columns and rows it stretches."""

    text: str
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True)
class GridRow:
    """The texts of a row, column by column; `merged` has by column the (rows, columns) of cells that have several."""

    texts: Sequence[str]
    merged: Mapping[int, tuple[int, int]]


@dataclass
class MergedCellGrid:
    """One table, row by row; `hanging` are how many more rows a cell above reaches down, by column."""

    hanging: dict[int, int] = field(default_factory=dict)

    def row(self, cells: Sequence[MergedCell]) -> GridRow:
        """The next row."""
        texts: list[str] = []
        merged: dict[int, tuple[int, int]] = {}
        for cell in cells:
            self._fill(texts)
            column = len(texts)
            wide = max(min(cell.columns, MOST_COLUMNS - column), 1)
            if (cell.rows, wide) != (1, 1):
                merged[column] = (cell.rows, wide)
            if (
                cell.rows > 1 and column < MOST_COLUMNS
            ):  # else each row of such cells would be wider than the last
                self.hanging |= dict.fromkeys(range(column, column + wide), cell.rows - 1)
            texts += [cell.text, *[""] * (wide - 1)]
        self._fill(texts)
        return GridRow(texts, merged)

    def _fill(self, texts: list[str]) -> None:
        while (left := self.hanging.pop(len(texts), 0)) > 0:
            if left > 1:
                self.hanging[len(texts)] = left - 1
            texts.append("")


MEDIA_TYPE = "text/html"


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_DROPPED = _names(
    "script style noscript template nav aside button select svg math iframe canvas object dialog"
)
_PARAGRAPHS = _names(
    "p div section article header footer main h1 h2 h3 h4 h5 h6 ul ol dl table figure figcaption blockquote "
    "pre hr address details summary body fieldset li"
)
_LINES = _names("br dt dd tr caption option")
_CELLS = frozenset(("td", "th"))
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
"""A raised figure in a cell is the mark of a footnote: without this, 12,345 with the mark 1 would be 12,3451."""
_LONGEST_HEADING = 300
_MOST_PARTS = 2 * _LONGEST_HEADING + 2
"""Words and what stands between them: of more a heading is too long, and they are not joined for each end tag."""
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]{1,40})""", re.IGNORECASE)
_TAG = re.compile(
    r"""<(?:!--.*?(?:-->|\Z)|!\[CDATA\[.*?(?:\]\]>|\Z)|[!?][^>]*+(?:>|\Z)|(?P<closing>/?)(?P<name>[a-z][^\s/>]*+)"""
    r"""(?P<rest>(?:=\s*+"[^"]*+"|=\s*+'[^']*+'|[^>])*+)(?:>|\Z))""",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""(?<![\w:.-])([\w:.-]+)\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"'>]++)""")
_RAW = frozenset(("script", "style"))
_AUTHORS = frozenset(("author", "dc.creator", "citation_author", "article:author"))
_DATES = frozenset(
    ("date", "dc.date", "citation_date", "citation_publication_date", "article:published_time")
)


def open_html(content: bytes, name: str, charset: str = "") -> TextDocument:
    """The document in `content`; encoding, title, author and date as its head declares them."""
    declared = _CHARSET.search(content[:4096])
    source = writable(decode(content, name, charset or (declared[1].decode("ascii") if declared else "")))
    parser = _TextParser()
    parser.feed(source)
    header = Header(
        title=title_of((parser.title, parser.heading), name),
        media_type=MEDIA_TYPE,
        page_count=1,
        creators=tuple(parser.creators),
        date=parser.date,
    )
    return TextDocument(header, content, parser.text(), Markup(parser.headings, parser.tables))


class _OpenTable:
    """The table that is being read: its rows so far, and where the row begins among the parts that is being read."""

    def __init__(self) -> None:
        self.begins_at = 0
        self.lines: list[str] = []
        self.places: list[int] = []
        self._cells: list[tuple[str, int, int]] = []
        self._grid = MergedCellGrid()
        self._header_rows = 0
        self._in_head = False
        self._merged: dict[tuple[int, int], tuple[int, int]] = {}

    def begin(self, at: int) -> None:
        self.begins_at = at
        self._cells.clear()

    def cell(self, name: str, attributes: Mapping[str, str]) -> None:
        self._cells.append((name, _span(attributes.get("colspan", "")), _span(attributes.get("rowspan", ""))))

    def head(self, is_open: bool) -> None:
        self._in_head = is_open

    def written(self, line: str) -> str:
        """The row that was read as `line`; the first rows of headers only, or in `thead`, head the table."""
        texts = line.removeprefix("| ").split(" | ")
        if len(texts) == len(self._cells):
            cells = [MergedCell(text, *spans) for text, (_, *spans) in zip(texts, self._cells, strict=True)]
            row = self._grid.row(cells)
            number = len(self.lines)
            self._merged |= {(number, column): span for column, span in row.merged.items()}
            is_section = len(self._cells) == 1 and self._header_rows > 0 and not self._in_head
            heads = self._in_head or (all(name == "th" for name, *_ in self._cells) and not is_section)
            if heads and number == self._header_rows and len(row.texts) > 1:
                self._header_rows += 1
            line = tables.row(row.texts)
        else:
            line = f"{line} |"
        self.lines.append(line)
        self.places.append(self.begins_at)
        return line

    def table(self) -> tables.WrittenTable:
        written = composed(tables.WrittenTable(self.lines, self._header_rows, merged=self._merged))
        return written if written.header_rows else replace(written, header_rows=self._guessed())

    def _guessed(self) -> int:
        """A head that the page does not mark, where the rows show it."""
        return sum(layout.header_rows for layout in tables.recognised("\n".join(self.lines))[:1])


def _span(said: str) -> int:
    number = said.strip("\"' ")
    return max(int(number), 1) if number.isdecimal() and len(number) < 5 else 1


class _TextParser:
    """Collects lines; `_pending` is the break that stands before the next word."""

    def __init__(self) -> None:
        self._title: list[str] = []
        self._heading: list[str] = []
        self.creators: list[str] = []
        self.date = ""
        self._parts: list[str] = []
        self._pending = ""
        self._dropped = ""
        self._depth = 0
        self._inside = ""
        self._preformatted = False
        self._raised = False
        self._cells = 0
        self._row = _OpenTable()
        self.tables: list[tables.WrittenTable] = []
        self.headings: list[tuple[int, str]] = []
        self._heading_at = 0

    def feed(self, source: str) -> None:
        at = 0
        while match := _TAG.search(source, at):
            self._text(source[at : match.start()])
            at = match.end()
            name = (match["name"] or "").lower()
            if name and match["closing"]:
                self._end(name)
            elif name:
                self._start(name, match["rest"])
            if name in _RAW and not match["closing"]:
                close = re.compile(f"</{name}", re.IGNORECASE).search(source, at)
                at = close.start() if close else len(source)
        self._text(source[at:])

    @property
    def title(self) -> str:
        return "".join(self._title)

    @property
    def heading(self) -> str:
        return "".join(self._heading)

    def text(self) -> str:
        return "".join(self._parts).strip()

    def _start(self, name: str, rest: str) -> None:
        if self._dropped or name in _DROPPED:
            self._drop(name, rest)
            return
        if name == "meta":
            self._read_meta(
                {key.lower(): unescape(value.strip("\"'")) for key, value in _ATTRIBUTE.findall(rest)}
            )
        elif name == "title" or (name in _HEADINGS and not self._heading):
            self._inside = name
        if name == "pre":
            self._preformatted = True
        self._raised = self._raised or name == "sup"
        if name == "thead":
            self._row.head(True)
        self._break(name)
        if name in _HEADINGS:
            self._heading_at = len(self._parts)
        if name in _CELLS:
            self._row.cell(name, dict(_ATTRIBUTE.findall(rest)))

    def _drop(self, name: str, rest: str) -> None:
        self._pending = self._pending or " "
        if name == (self._dropped or name) and not rest.endswith("/"):
            self._dropped = name
            self._depth += 1

    def _end(self, name: str) -> None:
        if self._dropped:
            self._depth -= name == self._dropped
            self._dropped = self._dropped if self._depth else ""
            return
        if name == self._inside:
            self._inside = ""
        if name == "pre":
            self._preformatted = False
        self._raised = self._raised and name not in _CELLS | {"sup", "tr", "table"}
        if name == "thead":
            self._row.head(False)
        if name in _HEADINGS and not self._cells:
            self._note_heading(int(name[1]))
        if name not in _CELLS:
            self._break(name)

    def _note_heading(self, level: int) -> None:
        if len(self._parts) - self._heading_at > _MOST_PARTS:
            return
        words = "".join(self._parts[self._heading_at :]).strip()
        if words and "\n" not in words and len(words) <= _LONGEST_HEADING:
            self.headings.append((level, words))

    def _text(self, source: str) -> None:
        if self._dropped or not source:
            return
        data = unescape(source)
        if self._inside == "title":
            self._title.append(data)
            return
        if self._raised and self._cells:
            data = data.translate(_RAISED)
        if self._inside and data:
            self._heading.append(data)
        self._write(data)

    def _write(self, data: str) -> None:
        words = data.strip("\n") if self._preformatted else " ".join(data.split())
        words = words.replace("|", "¦") if self._cells else words
        if not words.strip():
            self._pending = self._pending or (" " if data else "")
            return
        if self._parts and not self._parts[-1].endswith("| "):
            self._parts.append(self._pending or (" " if data[0].isspace() else ""))
        self._parts.append(words)
        self._pending = " " if data[-1].isspace() else ""

    def _break(self, tag: str) -> None:
        if tag in ("tr", "table") and self._cells:
            self._parts[self._row.begins_at :] = [
                self._row.written("".join(self._parts[self._row.begins_at :]))
            ]
            self._cells = 0
        if tag == "table":
            if self._row.lines:
                self._close_table()
            self._row = _OpenTable()
        if tag in _CELLS:
            if not self._cells:
                self._row.begin(len(self._parts) + 1)
                self._parts.append(self._pending)
            self._parts.append(" | " if self._cells else "| ")
            self._cells += 1
            self._pending = ""
        elif self._cells and tag in _PARAGRAPHS | _LINES:
            self._pending = " "
        elif tag in _PARAGRAPHS:
            self._pending = "\n\n"
        elif tag in _LINES and self._pending != "\n\n":
            self._pending = "\n"

    def _close_table(self) -> None:
        table = self._row.table()
        self.tables.append(table)
        for place, line in zip(self._row.places, table.lines, strict=True):
            self._parts[place] = line

    def _read_meta(self, attributes: dict[str, str]) -> None:
        name = (attributes.get("name") or attributes.get("property") or "").lower()
        value = one_line(attributes.get("content", ""))
        if name in _AUTHORS and value and not value.startswith("http") and value not in self.creators:
            self.creators.append(value)
        if name in _DATES:
            self.date = self.date or iso_date(value.replace("/", "-"))
