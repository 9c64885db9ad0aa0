"""A page's lines → its text: rows, paragraphs, tables, headings; sentences read on across line ends.

Lines of a paragraph are joined by a space and hyphenated words made whole; paragraphs are parted by a blank
line; table rows are lines of `| cell | cell |`. Notes at the foot of a column come after the page's body. Where each
line came to stand in the text is kept, so that every character leads back to its glyph.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from provgraph.documents.page_layout import CellLayout, Region, RegionKind, TableLayout
from provgraph.documents.readers.pdf_columns import columns
from provgraph.documents.readers.pdf_joints import HYPHENATED, ITEM, TextRow, joint, keeps_hyphen, words_of
from provgraph.documents.readers.pdf_label_lists import tables_and_lists
from provgraph.documents.readers.pdf_line_numbers import line_numbers
from provgraph.documents.readers.pdf_lines import SCALE, PdfLine
from provgraph.documents.readers.pdf_table_parts import FoundCell, FoundTable, Rule
from provgraph.documents.readers.pdf_tokens import Row, cells_of, rows_of, touches
from provgraph.documents.readers.writable import writable
from provgraph.documents.table_model import Box

_PAGE_NUMBER = re.compile(r"[\W_]*(?:\d{1,4}|[ivxlc]{1,6})[\W_]*\Z")
_NOTE_SIZE = 0.93
_SENTENCE: Final = re.compile(r"""[.;]["'”’»)\]]*\Z""")
_MOST_CAPTIONS: Final = 5
_LONGEST_CAPTION: Final = 160


@dataclass(slots=True)
class TextPart:
    """`text[start:end]` is what stands on a line; without the hyphen that ends it, where a word was made whole."""

    start: int
    end: int
    line: PdfLine


@dataclass(frozen=True, slots=True)
class Block:
    """`text[start:end]` is a heading or paragraph of the body, or a table; `words` are a paragraph's, `first_cell` is
    where a table's first cell begins."""

    start: int
    end: int
    kind: RegionKind
    lines: tuple[PdfLine, ...]
    words: str = ""
    first_cell: int = 0


@dataclass(frozen=True)
class PageText:
    """The text of a page, where its lines stand in it, its tables, and what it consists of, in the order of reading.

    `turned` is by how many degrees the page had to be turned to be read.
    """

    text: str
    pieces: tuple[TextPart, ...]
    tables: tuple[TableLayout, ...]
    blocks: tuple[Block, ...]
    body_size: float
    turned: int = 0

    @property
    def regions(self) -> tuple[Region, ...]:
        return tuple(Region(block.kind, block.start, block.end, box_of(block.lines)) for block in self.blocks)


@dataclass(frozen=True, slots=True)
class _Parts:
    """A page's lines in the order of reading: page number above, body, notes, what runs up or down and the numbers of
    lines, page number below."""

    top: Sequence[PdfLine]
    body: Sequence[TextRow]
    notes: Sequence[TextRow]
    aside: Sequence[PdfLine]
    margin: Sequence[PdfLine]
    bottom: Sequence[PdfLine]


def page_text(lines: Sequence[PdfLine], rules: Sequence[Rule] = ()) -> PageText:
    """The text of a page's lines in reading order; lines that run up or down the page, and numbers of lines, come
    last."""
    size = body_size(lines)
    page = _in_order(lines, rules, size)
    writer = _Writer()
    for line in page.top:
        writer.add([_single(line)], "page-number")
    writer.add(page.body, "paragraph")
    writer.add(page.notes, "note")
    for line in page.aside:
        writer.add([_single(line)], "aside")
    writer.add(list(map(_single, page.margin)), "aside")
    for line in page.bottom:
        writer.add([_single(line)], "page-number")
    return writer.page(size)


class _Writer:
    """Puts the parts of a page together, a blank line between them."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._at = 0
        self._pieces: list[TextPart] = []
        self._blocks: list[Block] = []
        self._cells: dict[int, tuple[FoundTable, list[CellLayout]]] = {}
        self._captions: dict[int, tuple[tuple[int, int], ...]] = {}

    def add(self, entries: Sequence[TextRow], kind: RegionKind) -> None:
        if not entries:
            return
        if self._texts:
            self._put("\n\n")
        words: set[str] | None = None
        starts: list[int] = []
        begun, first = 0, len(self._blocks)
        for number, entry in enumerate(entries):
            starts.append(self._at)
            self._write(entry)
            following = entries[number + 1] if number + 1 < len(entries) else None
            between = joint(entry, following) if following else ""
            if following and between == " " and HYPHENATED.search(entry.text):
                words = words_of(entries) if words is None else words
                between = ""
                if not keeps_hyphen(entry.text, following.text, words):
                    self._drop_hyphen()
            if not following or between not in ("", " "):
                self._block(entries[begun : number + 1], starts[begun], kind)
                begun = number + 1
            self._put(between)
        self._find_captions(first)

    def page(self, size: float) -> PageText:
        text = writable("".join(self._texts))
        tables = []
        for table, cells in self._cells.values():
            tables.append(
                TableLayout(
                    tuple(cells),
                    len(table.rows),
                    table.column_count,
                    table.header_rows,
                    table.header_columns,
                    self._captions.get(cells[0].start, ()),
                    tuple(table.depths),
                )
            )
        return PageText(text, tuple(self._pieces), tuple(tables), tuple(self._blocks), size)

    def _put(self, text: str) -> None:
        self._texts.append(text)
        self._at += len(text)

    def _write(self, entry: TextRow) -> None:
        for start, end, line in entry.pieces:
            self._pieces.append(TextPart(self._at + start, self._at + end, line))
        if entry.table:
            _, cells = self._cells.setdefault(id(entry.table), (entry.table, []))
            for cell, start, end in entry.spans:
                cells.append(
                    CellLayout(
                        entry.table_row,
                        cell.column,
                        self._at + start,
                        self._at + end,
                        box_of(cell.lines),
                        cell.rows,
                        cell.columns,
                    )
                )
        self._put(entry.text)

    def _drop_hyphen(self) -> None:
        self._texts[-1] = self._texts[-1][:-1]
        self._at -= 1
        self._pieces[-1].end -= 1

    def _block(self, entries: Sequence[TextRow], start: int, kind: RegionKind) -> None:
        lines = tuple(line for entry in entries for _, _, line in entry.pieces)
        last = self._blocks[-1] if self._blocks else None
        own: RegionKind = "table" if entries[0].table else kind
        if own == "table" and last and last.kind == "table" and start - last.end == 1:
            self._blocks[-1] = replace(last, end=self._at, lines=(*last.lines, *lines))
            return
        if own == "paragraph" and ITEM.match(entries[0].text):
            own = "item"
        words = " ".join(entry.text for entry in entries) if own != "table" else ""
        first = start + min((span[1] for span in entries[0].spans), default=0)
        self._blocks.append(Block(start, self._at, own, lines, words, first))

    def _find_captions(self, first: int) -> None:
        """The short lines directly above each table, among the blocks from `first` on."""
        for number in range(first, len(self._blocks)):
            block = self._blocks[number]
            if block.kind != "table":
                continue
            captions: list[tuple[int, int]] = []
            for at in range(number - 1, max(number - 1 - _MOST_CAPTIONS, first - 1), -1):
                if not self._is_caption(self._blocks[at], self._blocks[at + 1]):
                    break
                captions.insert(0, (self._blocks[at].start, self._blocks[at].end))
            self._captions[block.first_cell] = tuple(captions)

    def _is_caption(self, block: Block, below: Block) -> bool:
        if block.kind not in ("paragraph", "item") or block.end - block.start > _LONGEST_CAPTION:
            return False
        last, following = block.lines[-1], below.lines[0]
        if not 0 <= following.base - last.base <= 3.6 * max(last.size, following.size):
            return False
        text = block.words
        is_sentence = _SENTENCE.search(text) is not None and not text.startswith("(")
        return not is_sentence and "|" not in text and any(map(str.isalpha, text))


def box_of(lines: Iterable[PdfLine]) -> Box | None:
    """What to draw around lines, in points."""
    boxes = [(line.x0, line.y0, line.x1, line.y1) for line in lines]
    if not boxes:
        return None
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0) / SCALE, min(y0) / SCALE, max(x1) / SCALE, max(y1) / SCALE


def body_size(lines: Sequence[PdfLine]) -> float:
    weights: Counter[float] = Counter()
    for line in lines:
        weights[line.size] += len(line.text)
    return max(weights, key=weights.__getitem__, default=1)


def _in_order(lines: Sequence[PdfLine], rules: Sequence[Rule], size: float) -> _Parts:
    body: list[TextRow] = []
    notes: list[TextRow] = []
    numbers = line_numbers(lines)
    beside = [line for line in lines if not (line.upright or line.table)]
    top, middle, bottom = _parts(
        [line for line in lines if (line.upright or line.table) and id(line) not in numbers]
    )
    for number, column in enumerate(columns(middle)):
        entries = list(_entries(rows_of(column, number), rules))
        foot = _foot(entries, size)
        body += entries[:foot]
        notes += entries[foot:]
    margin = [line for line in lines if id(line) in numbers]
    return _Parts(top, body, notes, beside, margin, bottom)


def _entries(rows: Sequence[Row], rules: Sequence[Rule]) -> Iterator[TextRow]:
    """The rows of a column of the page, those of tables cell by cell."""
    at = 0
    for run in [*tables_and_lists(rows, rules), None]:
        for number in range(at, run.start if run else len(rows)):
            if table := rows[number].lines[0].table:
                yield from _of_table(table, rows[number])
            else:
                yield _of_row(rows[number], rows, number)
        if run:
            yield from _of_table(run.table, rows[run.start])
            at = run.end


def _of_table(table: FoundTable, place: Row) -> Iterator[TextRow]:
    for number, cells in enumerate(table.rows):
        lines = [line for cell in cells for line in cell.lines]
        if not lines:
            continue
        text, pieces, spans = _barred(cells, table.column_count)
        yield TextRow(
            text,
            pieces,
            min(line.x0 for line in lines),
            max(line.x1 for line in lines),
            max(line.base for line in lines),
            max(line.size for line in lines),
            place.left,
            place.right,
            place.pitch,
            place.column,
            2,
            table,
            number,
            spans,
        )


def _is_beside_cells(row: Row, rows: Sequence[Row], at: int) -> bool:
    """Whether the row above or below is of several cells too."""
    near = [rows[other] for other in (at - 1, at + 1) if 0 <= other < len(rows)]
    return any(abs(other.base - row.base) < 3 * row.size and len(cells_of(other.lines)) > 1 for other in near)


def _of_row(row: Row, rows: Sequence[Row], at: int) -> TextRow:
    """A row that is in no table; cells that stand side by side all the same are parted by bars."""
    cells = cells_of(row.lines)
    if len(cells) > 2 or (len(cells) == 2 and _is_beside_cells(row, rows, at)):
        found_cells = [FoundCell(column, list(cell)) for column, cell in enumerate(cells)]
        text, pieces, _ = _barred(found_cells, len(cells))
    else:
        text, pieces = _worded(row.lines)
        cells = cells[:1]
    return TextRow(
        text,
        pieces,
        row.x0,
        row.x1,
        row.base,
        row.size,
        row.left,
        row.right,
        row.pitch,
        row.column,
        len(cells),
    )


def _single(line: PdfLine) -> TextRow:
    text, pieces = _worded([line])
    return TextRow(text, pieces, line.x0, line.x1, line.base, line.size, line.x0, line.x1, 0, 0)


def _worded(lines: Sequence[PdfLine]) -> tuple[str, list[tuple[int, int, PdfLine]]]:
    """The words of lines, and where each line's stand."""
    text, pieces = "", []
    for number, line in enumerate(lines):
        if number and not touches(lines[number - 1], line):
            text += " "
        for part in line.pieces:
            if part is not line.pieces[0] and not text.endswith(" ") and not _runs_on(line, part):
                text += " "
            pieces.append((len(text), len(text) + len(part.words), part))
            text += part.words
    return text, pieces


def _runs_on(line: PdfLine, part: PdfLine) -> bool:
    before = line.parts[line.parts.index(part) - 1]
    if before.text[-1:].isspace() or part.text[:1].isspace():
        return False
    return max(part.x0 - before.x1, before.x0 - part.x1) < 0.12 * max(before.size, part.size)


def _barred(
    cells: Sequence[FoundCell], columns: int
) -> tuple[str, list[tuple[int, int, PdfLine]], list[tuple[FoundCell, int, int]]]:
    """A row of `| cell | cell |`, where its lines stand in it, and where its cells do."""
    by_column = {cell.column: cell for cell in cells}
    text, pieces, spans = "|", list[tuple[int, int, PdfLine]](), list[tuple[FoundCell, int, int]]()
    for column in range(max(columns, max(by_column, default=0) + 1)):
        text += " "
        cell = by_column.get(column)
        if cell:
            words, own = _worded(cell.lines)
            spans.append((cell, len(text), len(text) + len(words)))
            pieces += [(len(text) + start, len(text) + end, line) for start, end, line in own]
            text += words.replace("|", "¦")
        text += " |"
    return text, pieces, spans


def _parts(lines: Sequence[PdfLine]) -> tuple[list[PdfLine], list[PdfLine], list[PdfLine]]:
    """A page number above, the page's body, and a page number below: lines well apart from all others."""
    ordered = sorted(lines, key=lambda line: line.base)
    top, bottom = 0, len(ordered)
    if bottom > 1 and _is_page_number(ordered[0], ordered[1]):
        top = 1
    if bottom - top > 1 and _is_page_number(ordered[-1], ordered[-2]):
        bottom -= 1
    return ordered[:top], ordered[top:bottom], ordered[bottom:]


def _is_page_number(line: PdfLine, nearest: PdfLine) -> bool:
    apart = abs(line.base - nearest.base) > 1.8 * max(line.size, nearest.size)
    return apart and line.table is None and _PAGE_NUMBER.match(line.text) is not None


def _foot(rows: Sequence[TextRow], body_size: float) -> int:
    """Where the notes in smaller type at the end of a column begin; its length when it has none."""
    foot = len(rows)
    while foot and rows[foot - 1].size < _NOTE_SIZE * body_size and rows[foot - 1].cells == 1:
        foot -= 1
    return foot if any(row.size >= _NOTE_SIZE * body_size for row in rows[:foot]) else len(rows)
