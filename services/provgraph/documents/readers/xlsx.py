"""XLSX → text: each sheet a page with its tables, as rows of `| cell | cell |`.

Read with the standard library alone. Numbers stand as they are kept, with the per cent or currency sign, day or time
that their format shows; rows without anything part tables, and a row of one cell above a table is its caption.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation
from xml.etree.ElementTree import Element, ParseError

from provgraph.documents import tables
from provgraph.documents.document import Header
from provgraph.documents.printed_columns import composed
from provgraph.documents.readers.dates import iso_date
from provgraph.documents.readers.office import part
from provgraph.documents.readers.structure import Markup
from provgraph.documents.readers.text import TextDocument, one_line, split_pages
from provgraph.documents.readers.titles import title_of
from provgraph.documents.readers.writable import writable
from provgraph.errors import UnreadableDocument

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MAIN_PART = "xl/workbook.xml"
SHEET_LIMIT = 64 * 1024 * 1024
ROWS_OF_A_PAGE = 1_000

_CORE = "docProps/core.xml"
_DATES = frozenset((*range(14, 18), 22, *range(27, 37), *range(50, 59)))
_TIMES = frozenset((*range(18, 22), *range(45, 48)))
_PERCENT = frozenset((9, 10))
"""Built-in formats of numbers (ECMA-376-1, 18.8.30)."""
_QUOTED = re.compile(r'"[^"]*"|\\.|\[(?!\$)[^\]]{0,100}\]')
_SIGN = re.compile(r"\[\$(?P<named>[^-\]]*)|(?P<sign>[$€£¥])")
_PLACE = re.compile(r"([A-Z]{1,3})(\d+)")
_FIRST_DAY = datetime(1899, 12, 30, tzinfo=UTC)
_DEFAULT_NAME = re.compile(r"(?:Sheet|Tabelle|Feuil|Hoja|Foglio)\s?\d*", re.IGNORECASE)


@dataclass(frozen=True)
class _Format:
    """How a cell's number is shown: "%", "date", "time" or empty, and a currency's sign."""

    kind: str = ""
    sign: str = ""


@dataclass
class _Sheet:
    """The rows of a sheet by number, each the texts of its cells by column; `merged` are its merged cells."""

    name: str
    rows: dict[int, dict[int, str]] = field(default_factory=dict)
    merged: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)


def open_xlsx(content: bytes, name: str) -> TextDocument:
    """The document in `content`; title, author and date from its core properties, else its name.

    Raises `UnreadableDocument` when the archive or its XML is damaged, `TooLarge` when it unfolds too far.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
            sheets = list(_sheets(archive))
            core = (
                {_local(each): one_line(each.text or "") for each in part(archive, _CORE)}
                if _CORE in names
                else {}
            )
    except (zipfile.BadZipFile, zlib.error, ParseError, LookupError, NotImplementedError, RuntimeError, EOFError,
            ValueError) as error:  # fmt: skip
        raise UnreadableDocument(
            f"{name} is a damaged XLSX file ({error}). Open it in a spreadsheet program and save it again."
        ) from error
    pages, headings, written = [], list[tuple[int, str]](), list[tables.WrittenTable]()
    for sheet in sheets:
        named = [] if _DEFAULT_NAME.fullmatch(sheet.name) else [sheet.name]
        headings += [(1, each) for each in named]
        blocks = list(_blocks(sheet))
        written += [block for block in blocks if isinstance(block, tables.WrittenTable)]
        texts = [block if isinstance(block, str) else "\n".join(block.lines) for block in blocks]
        pages.append("\n\n".join([*named, *texts]).replace("\n\n\f\n\n", "\f"))
    text = "\f".join(page for page in pages if page.strip())
    header = Header(
        title=title_of((core.get("title", ""),), name),
        media_type=MEDIA_TYPE,
        page_count=len(split_pages(text)),
        creators=tuple(filter(None, (core.get("creator", ""),))),
        date=iso_date(core.get("created", "")),
    )
    return TextDocument(header, content, text, Markup(headings, written))


def _local(element: Element) -> str:
    """A tag without its namespace, which the strict form has another of."""
    return element.tag.rpartition("}")[2]


def _named(parent: Element, name: str) -> Iterator[Element]:
    return (each for each in parent.iter() if _local(each) == name)


def _sheets(archive: zipfile.ZipFile) -> Iterator[_Sheet]:
    """The sheets that are shown, in their order; a part that two of them name is read once."""
    paths = {
        each.get("Id"): posixpath.normpath(posixpath.join("xl", each.get("Target", "").lstrip("/")))
        for each in part(archive, "xl/_rels/workbook.xml.rels")
    }
    strings = _strings(archive)
    formats = _formats(archive)
    unread = set(archive.namelist())
    for sheet in _named(part(archive, MAIN_PART), "sheet"):
        link = next((value for key, value in sheet.attrib.items() if key.endswith("}id")), "")
        path = paths.get(link, "").replace("xl/xl/", "xl/")
        if sheet.get("state", "visible") == "visible" and path in unread:
            unread.remove(path)
            yield _read(part(archive, path, SHEET_LIMIT), sheet.get("name", ""), strings, formats)


def _strings(archive: zipfile.ZipFile) -> list[str]:
    if "xl/sharedStrings.xml" not in archive.namelist():
        return []
    root = part(archive, "xl/sharedStrings.xml", SHEET_LIMIT)
    return [_words(each) for each in root if _local(each) == "si"]


def _words(parent: Element) -> str:
    """The text of a string, without how it is pronounced."""
    spelled = (each for each in parent if _local(each) != "rPh")
    return "".join(text.text or "" for each in spelled for text in _named(each, "t"))


def _formats(archive: zipfile.ZipFile) -> list[_Format]:
    """By style, how numbers are shown."""
    if "xl/styles.xml" not in archive.namelist():
        return []
    styles = part(archive, "xl/styles.xml")
    codes = {each.get("numFmtId", ""): each.get("formatCode", "") for each in _named(styles, "numFmt")}
    used = next(_named(styles, "cellXfs"), Element("none"))
    return [_format(each.get("numFmtId", "0"), codes.get(each.get("numFmtId", ""), "")) for each in used]


def _format(number: str, code: str) -> _Format:
    built_in = int(number) if number.isdecimal() else 0
    bare = _QUOTED.sub("", code).casefold()
    if built_in in _PERCENT or "%" in bare:
        return _Format("%")
    if built_in in _DATES or re.search(r"[yd]", bare):
        return _Format("date")
    if built_in in _TIMES or re.search(r"h:?m", bare):
        return _Format("time")
    sign = _SIGN.search(code)
    return _Format("", (sign["named"] or sign["sign"] or "").strip() if sign else "")


def _read(root: Element, name: str, strings: Sequence[str], formats: Sequence[_Format]) -> _Sheet:
    sheet = _Sheet(name)
    for cell in _named(root, "c"):
        place = _PLACE.fullmatch(cell.get("r", ""))
        if place is None or (column := _column(place[1])) >= tables.MOST_COLUMNS:
            continue
        style = int(cell.get("s", "0"))
        text = _text(cell, strings, formats[style] if style < len(formats) else _Format())
        if text:
            sheet.rows.setdefault(int(place[2]), {})[column] = text
    for each in _named(root, "mergeCell"):
        first, _, last = each.get("ref", "").partition(":")
        one, other = _PLACE.fullmatch(first), _PLACE.fullmatch(last)
        if one is not None and other is not None:
            high, wide = int(other[2]) - int(one[2]) + 1, _column(other[1]) - _column(one[1]) + 1
            sheet.merged[int(one[2]), _column(one[1])] = (high, wide)
    return sheet


def _column(letters: str) -> int:
    """The number of a column, from 0."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number - 1


def _text(cell: Element, strings: Sequence[str], shown: _Format) -> str:
    """What a cell shows."""
    kind = cell.get("t", "n")
    value = next((each.text or "" for each in cell if _local(each) == "v"), "")
    if kind == "inlineStr":
        value = "".join(_words(each) for each in cell if _local(each) == "is")
    elif kind == "s":
        value = strings[int(value)] if value else ""
    elif kind == "b":
        value = {"1": "TRUE", "0": "FALSE"}.get(value, value)
    elif kind == "n" and value:
        value = _shown(value, shown)
    return writable(" ".join(value.replace("\f", " ").split()))


def _shown(value: str, shown: _Format) -> str:
    """A number as its format shows it: sign, day or time; its digits are those that are kept, 15 at most."""
    try:
        number = Decimal(f"{float(value):.15g}")
    except (InvalidOperation, ValueError):
        return value
    if not number.is_finite():
        return value
    if shown.kind in ("date", "time") and 0 <= number < 2_958_466:
        moment = _FIRST_DAY + timedelta(seconds=round(float(number) * 86_400))
        clock = moment.strftime("%H:%M")
        if shown.kind == "time":
            return clock
        return f"{moment:%Y-%m-%d}" if number == int(number) else f"{moment:%Y-%m-%d} {clock}"
    if shown.kind == "%":
        return f"{_plain(number * 100)}%"
    return f"{shown.sign}{_plain(number)}" if shown.sign in tuple("$€£¥") else _plain(number)


def _plain(number: Decimal) -> str:
    bare = format(number, "f")
    return bare.rstrip("0").rstrip(".") if "." in bare else bare


def _blocks(sheet: _Sheet) -> Iterator[str | tables.WrittenTable]:
    """The parts of a sheet from the top: captions as they are, and tables of a thousand rows at most, each with its
    head, between page breaks."""
    for run in _runs(sheet):
        first = next((at for at, number in enumerate(run) if len(sheet.rows[number]) > 1), len(run))
        for number in run[:first]:
            yield " ".join(sheet.rows[number].values())
        if first < len(run):
            table = _table(sheet, run[first:])
            head, body = table.lines[: table.header_rows], table.lines[table.header_rows :]
            for start in range(0, max(len(body), 1), ROWS_OF_A_PAGE):
                if start:
                    yield "\f"
                merged = table.merged if len(body) <= ROWS_OF_A_PAGE else {}
                yield replace(table, lines=[*head, *body[start : start + ROWS_OF_A_PAGE]], merged=merged)


def _runs(sheet: _Sheet) -> Iterator[list[int]]:
    """The numbers of rows that follow each other."""
    run: list[int] = []
    for number in sorted(sheet.rows):
        if run and number > run[-1] + 1:
            yield run
            run = []
        run.append(number)
    if run:
        yield run


def _table(sheet: _Sheet, numbers: Sequence[int]) -> tables.WrittenTable:
    left = min(min(sheet.rows[number]) for number in numbers)
    right = max(max(sheet.rows[number]) for number in numbers)
    texts = [[sheet.rows[number].get(at, "") for at in range(left, right + 1)] for number in numbers]
    places = {number: at for at, number in enumerate(numbers)}
    merged = {
        (places[row], column - left): span
        for (row, column), span in sheet.merged.items()
        if row in places and left <= column
    }
    table = composed(tables.WrittenTable([tables.row(text) for text in texts], merged=merged))
    if table.header_rows == 0 and len(texts) > 1 and tables.names_columns(texts[0]):
        return replace(table, header_rows=1)
    return table
