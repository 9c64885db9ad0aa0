"""Tables of a PDF page that are drawn with lines: their cells, also those of several lines, in place of the lines.

PyMuPDF finds them by their rulings. What it finds is taken only where each line of the page that lies in it belongs to
one of its cells, so that nothing is lost and prose in a frame stays prose; and only on pages of moderate size, which
are told by what stands on them and never by the clock, so that the same bytes are read the same everywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import pymupdf

from provgraph.documents import tables
from provgraph.documents.readers.pdf_lines import SCALE, PdfLine, joined
from provgraph.documents.readers.pdf_table_parts import FoundCell, FoundTable

FEWEST_EDGES: Final = 2
MOST_DRAWINGS: Final = 2_000
MOST_LINES: Final = 3_000
LONGEST_CELL: Final = 120
"""Characters in a cell on the average: more is prose."""

_PALE: Final = 0.72
_LONG: Final = 8.0
"""Points: a shorter upright line parts no cells."""

Drawing = dict[str, Any]

pymupdf.no_recommend_layout()  # type: ignore[no-untyped-call]


def may_be_ruled(drawings: Sequence[Drawing]) -> bool:
    """Whether upright lines or frames are among a page's drawings, as they are around cells."""
    if len(drawings) > MOST_DRAWINGS:
        return False
    edges = 0
    for drawing in filter(is_dark, drawings):
        is_drawn = "s" in drawing["type"]
        for item in drawing["items"]:
            edges += _is_edge(item, is_drawn)
            if edges >= FEWEST_EDGES:
                return True
    return False


def is_dark(drawing: Drawing) -> bool:
    """Whether a drawing is a line to the eye; shades behind rows, and white, are none."""
    colour = drawing.get("color" if "s" in drawing["type"] else "fill")
    return not colour or bool(sum(colour) / len(colour) < _PALE)


def _is_edge(item: Sequence[Any], is_drawn: bool) -> bool:
    if item[0] == "l":
        (x0, y0), (x1, y1) = item[1], item[2]
        return bool(abs(x1 - x0) < 1 and abs(y1 - y0) > _LONG)
    if item[0] == "re":
        x0, y0, x1, y1 = item[1]
        wide, high = abs(x1 - x0), abs(y1 - y0)
        return high > _LONG and (wide < 2.5 or (is_drawn and wide > _LONG))
    return False


def with_tables(document: pymupdf.Document, index: int, lines: Sequence[PdfLine]) -> list[PdfLine]:
    """The lines of a page, one line for each ruled table in the place of its own."""
    left = list(lines)
    if len(lines) > MOST_LINES:
        return left
    page = document[index]
    for table in page.find_tables().tables:  # type: ignore[no-untyped-call]
        inside = [line for line in left if _is_inside(line, table.bbox)]
        found_table = _found(table, inside)
        if found_table:
            own = {id(piece) for piece in found_table.lines}
            taken = [line for line in inside if all(id(piece) in own for piece in line.pieces)]
            at = left.index(taken[0])
            left = [line for line in left if line not in taken]
            left.insert(at, _stand_in(found_table))
    return left


def _is_inside(line: PdfLine, box: tuple[float, float, float, float]) -> bool:
    x, y = (line.x0 + line.x1) / 2 / SCALE, (line.y0 + line.y1) / 2 / SCALE
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


_BELOW: Final = 0.5
"""How far down the row of frames is that were parted from one above."""


@dataclass(eq=False)
class _Frame:
    """A cell as it is drawn, and the pieces of lines in it."""

    box: tuple[float, float, float, float]
    row: float
    column: int
    rows: int
    columns: int
    pieces: list[PdfLine]


def _found(table: Any, lines: Sequence[PdfLine]) -> FoundTable | None:
    """The table, where each piece of the lines lies in one of its cells."""
    frames = _frames(table)
    for line in lines:
        if not line.upright:
            return None
        for piece in line.pieces:
            frame = next((frame for frame in frames if _is_inside(piece, frame.box)), None)
            if frame is None or not _fits(piece, frame):
                return None
            frame.pieces.append(piece)
    frames = [each for frame in frames for each in _parted(frame, frames)]
    rows = [
        [frame for frame in frames if frame.row == row] for row in sorted({frame.row for frame in frames})
    ]
    rows = [row for row in rows if any(frame.pieces for frame in row)]
    columns = max((frame.column + frame.columns for frame in frames), default=0)
    titles = next(
        (at for at, row in enumerate(rows) if sum(bool(frame.pieces) for frame in row) > 1), len(rows)
    )
    rows = rows[titles:]
    if not _is_table(rows, columns):
        return None
    begins = int(_is_head(rows))
    made = [*map(_whole, rows[:begins]), *(cells for row in rows[begins:] for cells in _split(row))]
    heads = _header_rows(made)
    return FoundTable(made, columns, heads, 1, [0] * len(made))


def _frames(table: Any) -> list[_Frame]:
    boxes = [(row, tuple(cell)) for row, each in enumerate(table.rows) for cell in each.cells if cell]
    xs = _edges([box[0] for _, box in boxes])
    ys = _edges([box[1] for _, box in boxes])
    return [
        _Frame(
            (box[0], box[1], box[2], box[3]),
            row,
            _place(xs, box[0]),
            max(sum(box[1] - 1 < y < box[3] - 2 for y in ys), 1),
            max(sum(box[0] - 1 < x < box[2] - 2 for x in xs), 1),
            [],
        )
        for row, box in boxes
    ]


def _parted(frame: _Frame, frames: Sequence[_Frame]) -> list[_Frame]:
    """A frame over several columns with a frame below it for each of them, where its last line has a piece for each:
    headers between which nobody drew a line. What stands above them heads them all."""
    levels = _levels(frame.pieces)
    if frame.columns < 2 or not levels or len(levels[-1]) != frame.columns:
        return [frame]
    below = {frame.column: frame.box for frame in frames if frame.columns == 1}
    places = range(frame.column, frame.column + frame.columns)
    if not all(
        at in below and below[at][0] <= (piece.x0 + piece.x1) / 2 / SCALE <= below[at][2]
        for at, piece in zip(places, levels[-1], strict=True)
    ):
        return [frame]
    above = [piece for level in levels[:-1] for piece in level]
    row = frame.row + (_BELOW if above else 0)
    return [
        *([replace(frame, pieces=above)] if above else ()),
        *(
            _Frame((below[at][0], frame.box[1], below[at][2], frame.box[3]), row, at, frame.rows, 1, [piece])
            for at, piece in zip(places, levels[-1], strict=True)
        ),
    ]


def _edges(places: Sequence[float]) -> list[float]:
    edges: list[float] = []
    for place in sorted(places):
        if not edges or place - edges[-1] > 2:
            edges.append(place)
    return edges


def _place(edges: Sequence[float], place: float) -> int:
    return min(range(len(edges)), key=lambda at: abs(edges[at] - place))


def _fits(piece: PdfLine, frame: _Frame) -> bool:
    """Whether a piece stays within its cell, but for a little."""
    return piece.x0 / SCALE > frame.box[0] - 6 and piece.x1 / SCALE < frame.box[2] + 6


def _is_table(rows: Sequence[Sequence[_Frame]], columns: int) -> bool:
    frames = [frame for row in rows for frame in row]
    filled = [frame for frame in frames if frame.pieces]
    if len(rows) < 2 or columns < 2 or not filled:
        return False
    letters = sum(len(piece.text) for frame in filled for piece in frame.pieces)
    return 2 * len(filled) >= len(frames) and letters <= LONGEST_CELL * len(filled)


def _is_head(rows: Sequence[Sequence[_Frame]]) -> bool:
    """Whether the first drawn row, however many lines its cells have, heads the amounts of the rows below."""
    first, *below = (
        [any(tables.is_amount(piece.text) for piece in frame.pieces) for frame in row if frame.column]
        for row in rows
    )
    return not any(first) and any(map(any, below))


def _whole(row: Sequence[_Frame]) -> list[FoundCell]:
    return [
        FoundCell(frame.column, _in_order(frame.pieces), frame.columns, frame.rows)
        for frame in row
        if frame.pieces
    ]


def _split(row: Sequence[_Frame]) -> Iterator[list[FoundCell]]:
    """A drawn row as several, where nobody drew a line between them: most cells have equally many lines."""
    levels = {id(frame): _levels(frame.pieces) for frame in row}
    counts = Counter(len(levels[id(frame)]) for frame in row if frame.pieces)
    count = max(counts, default=1)
    if count < 2 or set(counts) - {1, count} or counts[count] < max(2, counts[1] + 1):
        yield _whole(row)
        return
    for number in range(count):
        yield [
            FoundCell(frame.column, levels[id(frame)][number], frame.columns)
            for frame in row
            if number < len(levels[id(frame)])
        ]


def _levels(pieces: Sequence[PdfLine]) -> list[list[PdfLine]]:
    """Pieces by the baseline on which they stand."""
    levels: list[list[PdfLine]] = []
    for piece in _in_order(pieces):
        if levels and abs(piece.base - levels[-1][0].base) < 0.45 * piece.size:
            levels[-1].append(piece)
        else:
            levels.append([piece])
    return levels


def _in_order(pieces: Sequence[PdfLine]) -> list[PdfLine]:
    """Pieces line by line; those nearly on one baseline by their place on it."""
    ordered = sorted(pieces, key=lambda piece: piece.base)
    made: list[list[PdfLine]] = []
    for piece in ordered:
        if made and abs(piece.base - made[-1][0].base) < 0.45 * piece.size:
            made[-1].append(piece)
        else:
            made.append([piece])
    return [piece for level in made for piece in sorted(level, key=lambda piece: piece.x0)]


def _header_rows(rows: Sequence[Sequence[FoundCell]]) -> int:
    """How many rows head the others: the first, where it names columns, and one below its merged cells."""
    first = rows[0]
    if any(tables.is_amount(cell.text) for cell in first if cell.column) or len(rows) < 2:
        return 0
    wide = [cell for cell in first if cell.columns > 1]
    below = [cell for cell in rows[1] if cell.column or cell.text]
    under = all(
        any(w.column <= cell.column < w.column + w.columns for w in wide) for cell in below if cell.column
    )
    if wide and below and len(rows) > 2 and under and not any(tables.is_amount(cell.text) for cell in below):
        return 2
    return 1


def _stand_in(table: FoundTable) -> PdfLine:
    """One line for the table, where the page is read in columns."""
    line = joined(list(table.lines))
    return replace(line, base=line.y0 + line.size, parts=[], table=table)
