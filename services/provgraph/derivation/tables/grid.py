"""A table as rows of cells below one row of headers, whatever it was read from.

Knows nothing of documents: each cell says where its characters stand in the grid's `text`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Final, Literal

from provgraph.derivation.tables.cell_values import CellValue, cell_value
from provgraph.language.terms import FUNCTION_WORDS, terms

ColumnKind = Literal["number", "date", "text"]
_DESIGNATION: Final = re.compile(r"[A-Za-z]{1,4}[-/]\d[\w-]*")
"""A code with letters before a dash, as "T-104": no number."""
_CLOCK: Final = re.compile(r"(?:[01]?\d|2[0-3])[:.][0-5]\d(?: ?[ap]\.?m\.?)?", re.IGNORECASE)
_PAGE: Final = re.compile(r"(?<!\d)\d+\Z")
"""The number of a page, with which the keys of a document's pages end."""
_TOTALS: Final = frozenset(terms("total subtotal consolidated"))
_FEW: Final = 4
_SHARE: Final = 0.6
"""The share of filled cells that must be numbers or dates to make their column one of numbers or dates."""


@dataclass(frozen=True)
class GridCell:
    """`text` stands at `grid.text[start:end]`. `unit`, `scale` and `period` are those that heads or captions
    tell."""

    text: str
    start: int = 0
    end: int = 0
    unit: str = ""
    scale: int = 1
    period: str = ""

    @property
    def value(self) -> CellValue:
        return cell_value(self.text)

    @property
    def words(self) -> str:
        """The text in one line."""
        return " ".join(self.text.split())


@dataclass(frozen=True)
class Column:
    """A column without its header's cell; `index` counts from 0."""

    index: int
    header: str
    cells: tuple[GridCell, ...]

    @cached_property
    def header_terms(self) -> tuple[str, ...]:
        content = [word for word in terms(self.header) if word not in FUNCTION_WORDS]
        return tuple(content or terms(self.header) or self._common_word)

    @property
    def _common_word(self) -> tuple[str, ...]:
        """The word with which all its cells begin, as "Ep. 1" and "Ep. 2": a column without a header is named so."""
        first = {cell.value.words[:1] for cell in self.cells if not cell.value.is_empty}
        word = first.pop() if len(first) == 1 and len(self.cells) > 2 else ()
        return word if all(map(str.isalpha, word)) else ()

    @cached_property
    def kind(self) -> ColumnKind:
        values = [cell.value for cell in self.cells if not cell.value.is_empty]
        if not values:
            return "text"
        if sum(value.date is not None for value in values) >= _SHARE * len(values):
            return "date"
        codes = sum(_DESIGNATION.fullmatch(cell.words) is not None for cell in self.cells)
        numbers = sum(value.number is not None for value in values) - codes
        return "number" if numbers >= _SHARE * len(values) else "text"

    @cached_property
    def is_of_outflows(self) -> bool:
        """Whether all its numbers are negative, as stores that were closed: the most is the lowest."""
        numbers = [number for cell in self.cells if (number := cell.value.number) is not None]
        return len(numbers) > 1 and all(number <= 0 for number in numbers) and any(numbers)

    @cached_property
    def is_mixed(self) -> bool:
        """Whether words stand beside its numbers, so that the number is hardly what the cell says."""
        lengths = [len(cell.value.words) for cell in self.cells if cell.value.words]
        return bool(lengths) and sum(lengths) / len(lengths) > 4

    @cached_property
    def is_clock(self) -> bool:
        """Whether its cells are times of day: "08:25"."""
        filled = [cell.words for cell in self.cells if not cell.value.is_empty]
        return bool(filled) and all(_CLOCK.fullmatch(words) for words in filled)

    @cached_property
    def is_rank(self) -> bool:
        """Whether it counts places in an order, in which 1 is best."""
        return bool({"rank", "posit", "place", "pos", "finish", "no", "#"} & set(self.header_terms))

    @cached_property
    def is_serial(self) -> bool:
        """Whether it merely numbers the rows."""
        numbers = [cell.value.number for cell in self.cells]
        return len(numbers) > 2 and numbers == [
            Decimal(n + int(numbers[0] or 0)) for n in range(len(numbers))
        ]

    @cached_property
    def has_codes(self) -> bool:
        """Whether most of its cells are one word with a figure in it, as "G-105"."""
        filled = [cell.words for cell in self.cells if cell.words]
        codes = [each for each in filled if " " not in each and any(map(str.isdigit, each))]
        return 2 * len(codes) > len(filled)

    @cached_property
    def has_repeats(self) -> bool:
        counts = Counter(cell.value.words for cell in self.cells if cell.value.words)
        return any(count > 1 for count in counts.values())


@dataclass(frozen=True)
class GridPage:
    """Where the rows from `first_row` on stand: a page, as `Grid.key` and `Grid.text` name it."""

    first_row: int
    key: str
    text: str


@dataclass(frozen=True)
class Grid:
    """`rows` are as wide as `headers`. `key` names where it stands for whoever made it; `text` is what its cells'
    places count in. `sections` are, for each row, the rows that head it, outermost first; none where nothing is known
    of them. `continued` are the pages behind the first where a table goes on over several."""

    headers: tuple[GridCell, ...]
    rows: tuple[tuple[GridCell, ...], ...]
    title: str = ""
    caption: str = ""
    document: str = ""
    key: str = ""
    text: str = ""
    sections: tuple[tuple[str, ...], ...] = ()
    continued: tuple[GridPage, ...] = ()

    def page_of(self, row: int) -> GridPage:
        """The page on which a row stands."""
        pages = [GridPage(0, self.key, self.text), *self.continued]
        return next(page for page in reversed(pages) if page.first_row <= row)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        return tuple(
            Column(index, head.words, tuple(row[index] for row in self.rows))
            for index, head in enumerate(self.headers)
        )

    @cached_property
    def total_rows(self) -> frozenset[int]:
        """The rows that sum up the others: those that say so, and a last or first one whose numbers are their sums."""
        named = frozenset(
            number
            for number, row in enumerate(self.rows)
            if any(_TOTALS & set(cell.value.words) for cell in row[:2] if len(cell.value.words) <= 3)
        )
        if named or len(self.rows) <= _FEW:
            return named
        return frozenset(row for row in (0, len(self.rows) - 1) if self._sums_up(row))

    def _sums_up(self, row: int) -> bool:
        """Whether the numbers of a row are the sums of all others, in at least two columns and most of them."""
        sums = []
        for column in self.columns[1:]:
            numbers = [cell.value.number for cell in column.cells]
            own = numbers[row]
            others = [number for at, number in enumerate(numbers) if at != row and number is not None]
            if own is None or column.kind != "number" or len(others) < _FEW or "%" in column.cells[row].text:
                continue
            sums.append(own != 0 and abs(sum(others) - own) <= len(others) * abs(own) / 1000)
        return sum(sums) > 1 and 2 * sum(sums) > len(sums)

    @cached_property
    def name_column(self) -> int | None:
        """The column that tells what each row is of: the first of words that hardly repeat, else the first of words;
        one of codes only where no other is. Dates that do not repeat name rows better than words that do."""
        texts = [
            column
            for column in self.columns
            if column.kind == "text" and any(c.text.strip() for c in column.cells)
        ]
        unique = [
            column for column in texts if len({c.text for c in column.cells}) >= 0.8 * len(column.cells)
        ]
        named = [column for column in unique if not column.has_codes]
        dates = [column for column in self.columns if column.kind == "date" and not column.has_repeats]
        columns = (named or unique or (dates if len(self.rows) > _FEW else []) or texts)[:1]
        return columns[0].index if columns else None

    def cell(self, row: int, column: int) -> GridCell:
        return self.rows[row][column]

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What each row is of: its first cell, and those of words behind it where several rows begin alike."""
        firsts = Counter(row[0].words for row in self.rows if row)
        kinds = [column.kind for column in self.columns]
        words = kinds.index("number") if "number" in kinds else len(kinds)
        return tuple(
            " ".join(cell.words for cell in row[: max(1, words if firsts[row[0].words] > 1 else 1)])
            for row in self.rows
        )


def grid_of(
    table: Sequence[Sequence[str]], *, title: str = "", caption: str = "", document: str = ""
) -> Grid:
    """The grid of plain rows, the first of which are headers; its text is the rows, a line each, bars between cells."""
    width = max(len(row) for row in table)
    lines: list[tuple[GridCell, ...]] = []
    text = ""
    for row in table:
        cells = []
        for cell in [*row, *[""] * (width - len(row))]:
            text += "| "
            cells.append(GridCell(cell, len(text), len(text) + len(cell)))
            text += f"{cell} "
        text += "|\n"
        lines.append(tuple(cells))
    return Grid(lines[0], tuple(lines[1:]), title, caption, document, document, text)


def joined(grids: Sequence[Grid]) -> list[Grid]:
    """The tables of consecutive pages, one that goes on from the page before as one with it: same heads, nothing else
    over it."""
    found: list[Grid] = []
    for grid in grids:
        before = found[-1] if found else None
        if before is None or not _goes_on(before, grid):
            found.append(grid)
            continue
        page = GridPage(len(before.rows), grid.key, grid.text)
        sections = (*_padded(before), *_padded(grid))
        found[-1] = replace(
            before,
            rows=(*before.rows, *grid.rows),
            sections=sections if any(sections) else (),
            continued=(*before.continued, page),
        )
    return found


def _goes_on(before: Grid, grid: Grid) -> bool:
    heads = [[head.words for head in each.headers] for each in (before, grid)]
    key = before.continued[-1].key if before.continued else before.key
    is_next = key != grid.key and _PAGE.sub("", key) == _PAGE.sub("", grid.key)
    is_headed = sum(bool(words) for words in heads[0]) > 1
    return is_next and is_headed and heads[0] == heads[1] and before.caption == grid.caption


def _padded(grid: Grid) -> tuple[tuple[str, ...], ...]:
    return grid.sections or ((),) * len(grid.rows)


def transposed(grid: Grid) -> Grid | None:
    """Columns as rows, where the headers are of one kind, such as years, or the cells are times of day: else None."""
    heads = Column(0, grid.headers[0].words, grid.headers[1:])
    has_times = _is_timetable(grid)
    if len(heads.cells) < 2 or not grid.rows or grid.continued or not (heads.kind == "date" or has_times):
        return None
    flipped = [(head, *(row[index] for row in grid.rows)) for index, head in enumerate(grid.headers) if index]
    corner = grid.headers[0]
    first = GridCell(corner.text if has_times else "Year", corner.start, corner.end)
    headers = (first, *(row[0] for row in grid.rows))
    return Grid(headers, tuple(flipped), grid.title, grid.caption, grid.document, grid.key, grid.text)


def headed(grid: Grid) -> Grid:
    """The grid with its first row as heads where it has none and times of day stand below numbers: the runs of a
    timetable."""
    if any(head.words for head in grid.headers) or len(grid.rows) < _FEW or grid.continued:
        return grid
    below = replace(grid, headers=grid.rows[0], rows=grid.rows[1:], sections=grid.sections[1:])
    is_head = _is_timetable(below) and not any(_CLOCK.fullmatch(cell.words) for cell in grid.rows[0])
    return below if is_head else grid


def _is_timetable(grid: Grid) -> bool:
    """Whether most columns behind the first are times of day."""
    clocks = sum(column.is_clock for column in grid.columns[1:])
    return clocks > 1 and 2 * clocks > len(grid.columns) - 1
