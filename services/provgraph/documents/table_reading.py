"""A page's text and what was recorded of its layout → the page's tables, with headers, units, scales and periods.

Pure: the same text and layout give the same tables, at ingest and when a question is asked, without the file.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from provgraph.documents.amounts import (
    COUNT,
    SHARES,
    Measure,
    amount_of,
    has_cents,
    is_each,
    measure_of,
    row_measure,
    tells_hundredths,
    unit_of,
)
from provgraph.documents.page_layout import CellLayout, PageLayout, TableLayout
from provgraph.documents.periods import is_period, period_of
from provgraph.documents.table_heads import further_lines, under_shared_heads
from provgraph.documents.table_model import Cell, Table
from provgraph.documents.table_notes import (
    ALL_NOTE,
    all_amounts,
    flow_periods,
    goes_on,
    is_no_amount,
    is_note,
    is_unit_alone,
    measure_behind,
    measure_led_to,
    measure_of_path,
    paragraph_above,
    period_led_to,
    scales_a_unit,
    scales_shares,
    unit_beside,
)
from provgraph.documents.table_sections import RowSection, open_sections

_TOTAL: Final = re.compile(r"\W*(?:grand |sub-?|net )?totals?\b|\W*sum\b|.*\btotal\W*\Z", re.IGNORECASE)
_FOOTNOTE: Final = re.compile(r"(?<!\s)(?:\s*(?:\((?:[a-z]|\d{1,2})\)|\[\w\]|[*†‡§¹²³⁴⁵⁶⁷⁸⁹⁰])){1,20}\Z")
_LONG_AMOUNT: Final = 9
_BEYOND_MEASURE: Final = 10**14
_LONGEST_CAPTION: Final = 200


def tables_of_page(number: int, text: str, layout: PageLayout) -> tuple[Table, ...]:
    """The tables of page `number`, from the top."""
    tables: list[Table] = []
    for table in layout.tables:
        if table.cells:
            tables.append(_Reader(number, text, layout, table, tables[-1] if tables else None).table())
    return tuple(tables)


_DUE: Final = re.compile(
    r"\b(?:due|through|until|matur\w+|expir\w+|thereafter|series|plan|act)\b", re.IGNORECASE
)
"""What says of a year that it is part of a name: "Notes due 2024"."""


class _Reader:
    """Reads one table; header rows first, then row by row."""

    def __init__(
        self, number: int, text: str, page: PageLayout, layout: TableLayout, before: Table | None = None
    ) -> None:
        """`before` is the table above on the page, whose unit holds for one with the same columns too."""
        self._before = before
        self._number = number
        self._text = text
        self._page = page
        self._layout = layout
        self._rows: dict[int, list[CellLayout]] = defaultdict(list)
        for cell in sorted(layout.cells, key=lambda cell: (cell.row, cell.column)):
            self._rows[cell.row].append(cell)
        self._columns = self._column_headers()
        self._column_periods: dict[tuple[str, ...], str] = {}
        own = [self._words(start, end) for start, end in layout.captions]
        self._captions = [*layout.inherited_captions, *own]
        self._measure = self._of_all()
        self._period = self._of_captions()

    def table(self) -> Table:
        layout = self._layout
        notes = tuple(words for words in self._captions if is_note(words))
        titles = [
            words for words in self._captions if not words.startswith("(") and not ALL_NOTE.fullmatch(words)
        ]
        return Table(
            page=self._number,
            start=layout.start,
            end=layout.end,
            cells=tuple(self._cells()),
            row_count=layout.row_count,
            column_count=layout.column_count,
            header_rows=layout.header_rows,
            header_columns=layout.header_columns,
            caption=" ".join(titles)[:_LONGEST_CAPTION],
            title_path=self._page.path_at(layout.start),
            notes=(*notes, *self._corner()),
            unit=self._measure.unit,
            scale=self._measure.scale or 1,
            continues=layout.continues,
        )

    def _words(self, start: int, end: int) -> str:
        return " ".join(self._text[start:end].split())

    def _label(self, cell: CellLayout) -> str:
        """A header's words, without marks of footnotes and a colon."""
        words = self._words(cell.start, cell.end)
        bare = (words if tells_hundredths(words) else _FOOTNOTE.sub("", words)).rstrip(" :")
        return bare if any(map(str.isalnum, bare)) else words

    def _column_headers(self) -> list[tuple[str, ...]]:
        """By column, what stands above it, from the top; a merged header counts for each of its columns."""
        layout = self._layout
        if not layout.header_rows and layout.inherited:
            return list(layout.inherited)
        paths: list[list[str]] = [[] for _ in range(layout.column_count)]
        for row in range(layout.header_rows):
            for cell in self._rows[row]:
                if cell in self._unit_heads:
                    continue
                for column in range(cell.column, min(cell.column + cell.columns, layout.column_count)):
                    label = self._label(cell)
                    if not paths[column] or paths[column][-1] != label:
                        paths[column].append(label)
        return under_shared_heads([tuple(path) for path in paths])

    def _corner(self) -> tuple[str, ...]:
        """What stands in the header rows above the labels, or above all columns, where it tells a unit or a scale."""
        words = [path for path in self._columns[: self._layout.header_columns] if path]
        above = [self._label(cell) for cell in self._unit_heads]
        return tuple(each for each in (*(each for path in words for each in path), *above) if is_note(each))

    @cached_property
    def _unit_heads(self) -> list[CellLayout]:
        """Cells of header rows that tell the unit of the whole table, as "(In thousands)" above its columns: each is
        the only one of its row, but for a corner."""
        rows = (self._rows[row] for row in range(self._layout.header_rows))
        alone = [[cell for cell in row if cell.column >= self._layout.header_columns] for row in rows]
        return [
            row[0]
            for row in alone
            if len(row) == 1 and row[0].start != row[0].end and is_unit_alone(self._label(row[0]))
        ]

    def _of_all(self) -> Measure:
        """The unit and scale of the table as a whole: the corner's, a line's above it, or its heading's."""
        unit, scale = "", 0
        heading = self._page.path_at(self._layout.start)[-1:]
        captions = self._captions
        told = self._layout.inherited_captions
        holds = all_amounts(told, captions[len(told) :]) and any(map(self._period_of_column, self._columns))
        if not self._layout.continues and not self._printed_currency and not holds:
            captions = captions[len(told) :]  # what all of a document says is of money
        nearest_first = [*self._corner(), *reversed(captions), *heading]
        for words in nearest_first:
            measure = measure_of(words) if is_note(words) else Measure()
            unit, scale = unit or measure.unit, scale or measure.scale
        if not scale:
            led = measure_led_to(paragraph_above(self._text, self._layout))
            led = led if led.scale else measure_behind(self._text, self._layout.end)
            unit, scale = unit or led.unit, led.scale
        above = self._before
        if not scale and above and above.scale > 1 and self._has_columns_of(above):
            unit, scale = unit or above.unit, above.scale
        return Measure() if scale > 1 and self._is_too_large_for(scale) else Measure(unit, scale)

    def _has_columns_of(self, table: Table) -> bool:
        """Whether the last headers of the columns are those of another table, as below "Supplemental information"."""
        own = [path[-1:] for path in self._columns[self._layout.header_columns :]]
        heads = {cell.column: cell.column_header[-1:] for cell in table.values}
        return any(own) and own == [heads[column] for column in sorted(heads)]

    def _is_too_large_for(self, scale: int) -> bool:
        """Whether an amount would be beyond all measure: a page says "in millions", and a table of shares is not."""
        for cell in self._layout.cells:
            if cell.row >= self._layout.header_rows and cell.end - cell.start >= _LONG_AMOUNT:
                amount = amount_of(self._words(cell.start, cell.end))
                if amount is not None and abs(amount) * scale >= _BEYOND_MEASURE:
                    return True
        return False

    def _of_captions(self) -> str:
        corner = [each for path in self._columns[: self._layout.header_columns] for each in path]
        for words in (*corner, *reversed(self._captions)):
            if period := period_of(words):
                return period
        return period_led_to(paragraph_above(self._text, self._layout))

    def _cells(self) -> Iterator[Cell]:
        sections: list[RowSection] = []
        begun = ""
        hanging, behind = self._hanging(), further_lines(self._layout)
        second_lines = {row for rows in behind.values() for row in rows}
        for row in range(self._layout.row_count):
            cells = self._rows[row]
            if row < self._layout.header_rows or row in second_lines:
                yield from map(self._header, cells)
                continue
            heads = [cell for cell in cells if cell.column < self._layout.header_columns]
            values = [cell for cell in cells if cell.column >= self._layout.header_columns]
            labels = [self._label(cell) for cell in [*hanging[row], *heads]]
            if labels and row in behind:
                lines = [self._label(self._rows[each][0]) for each in behind[row]]
                labels = [*labels[:-1], " ".join([labels[-1], *lines])]
            if begun and values:
                labels = [*labels[:-1], " ".join([begun, *labels[-1:]])]
            begun = labels[-1] if labels and not values and goes_on(labels[-1]) else ""
            depth = self._layout.depths[row] if row < len(self._layout.depths) else 0
            sections = open_sections(sections, depth, bool(values), bool(labels))
            above = [section.label for section in sections]
            for at, cell in enumerate(heads):
                yield self._header(cell, (*above, *labels[: len(hanging[row]) + at]))
            if labels and not values and not begun:
                if is_period(labels[-1]):
                    sections = [section for section in sections if not is_period(section.label)]
                sections.append(RowSection(depth, labels[-1]))
            yield from self._values(values, (*above, *labels), bool(labels))

    def _hanging(self) -> dict[int, list[CellLayout]]:
        """By row, the header cells that reach down to it from rows above."""
        found: dict[int, list[CellLayout]] = defaultdict(list)
        for cell in self._layout.cells:
            if cell.column < self._layout.header_columns and cell.row >= self._layout.header_rows:
                for row in range(cell.row + 1, cell.row + cell.rows):
                    found[row].append(cell)
        return found

    def _header(self, cell: CellLayout, path: tuple[str, ...] = ()) -> Cell:
        return Cell(
            row=cell.row,
            column=cell.column,
            start=cell.start,
            end=cell.end,
            text=self._text[cell.start : cell.end],
            box=cell.box,
            rows=cell.rows,
            columns=cell.columns,
            row_header=path,
            period=period_of(self._words(cell.start, cell.end)),
            is_header=True,
        )

    def _values(self, cells: Sequence[CellLayout], path: tuple[str, ...], has_label: bool) -> Iterator[Cell]:
        is_total = _TOTAL.match(path[-1]) is not None if path and has_label else not has_label
        units = [unit_of(self._words(cell.start, cell.end)) for cell in cells]
        of_row = measure_of_path(path)
        of_wholes = measure_of_path(
            [words for words in path[:-1] if row_measure(words).scale != 1] + list(path[-1:])
        )
        of_path = self._period_of_path(path, cells[0].row) if cells else ""
        beside = unit_beside(
            (self._columns[cell.column], self._words(cell.start, cell.end))
            for cell in cells
            if cell.column < len(self._columns)
        )
        for cell, own in zip(cells, units, strict=True):
            text = self._text[cell.start : cell.end]
            column = self._columns[cell.column] if cell.column < len(self._columns) else ()
            is_whole = of_row.scale == 1 and "." not in text  # as in a section "earnings per share"
            measure = self._measured(text, own, of_wholes if is_whole else of_row, (column, cell.column))
            if beside and not measure.unit and amount_of(text) is not None:
                measure = Measure(beside, measure.scale)
            yield Cell(
                row=cell.row,
                column=cell.column,
                start=cell.start,
                end=cell.end,
                text=text,
                box=cell.box,
                rows=cell.rows,
                columns=cell.columns,
                row_header=path,
                column_header=column,
                unit=measure.unit,
                scale=measure.scale or 1,
                period=self._period_of_column(column) or of_path,
                is_total=is_total,
            )

    def _measured(self, text: str, own: str, of_row: Measure, at: tuple[tuple[str, ...], int]) -> Measure:
        """What is printed in the cell counts first, then what its row says, its column, and the table."""
        if amount_of(text) is None:
            return Measure()
        if own and not own.isupper():  # a share, a factor or points: no scale of the table's
            return Measure(own, 1)
        column, place = at
        if is_no_amount(text, column):
            return Measure()
        of_column = measure_of_path(column)
        printed = self._column_unit(place, column)
        if of_column.unit == SHARES and len(self._printed_units.get(place, "")) > 1:
            of_column = Measure("", of_column.scale)  # "Common shares" in a statement of equity are money
        of_all = printed if printed == "%" else self._measure.unit or printed
        unit = own or of_row.unit or of_column.unit or of_all
        scale = of_row.scale or of_column.scale or self._measure.scale
        if unit == "%" or any(is_each(words, text) for words in column) or self._is_odd(text):
            scale = 1
        if (
            unit == COUNT
            and not (of_row.scale or (of_column.scale and not of_column.unit))
            and (of_column.unit or self._measure.unit or scales_a_unit(self._notes))
        ):
            scale = 1
        is_scaled = of_row.scale or of_column.scale or "." in text or scales_shares(self._notes, text)
        if unit == SHARES and not is_scaled:  # nobody has a part of a share in a table of whole ones
            scale = 1
        return Measure(unit, scale)

    def _is_odd(self, text: str) -> bool:
        """Whether an amount is to the cent where most of the table's are not: that of one share or thing."""
        return self._measure.scale > 1 and has_cents(text) and not self._has_many_cents

    @cached_property
    def _has_many_cents(self) -> bool:
        values = (cell for cell in self._layout.cells if cell.row >= self._layout.header_rows)
        amounts = [
            words for cell in values if amount_of(words := self._words(cell.start, cell.end)) is not None
        ]
        return 2 * sum(map(has_cents, amounts)) > len(amounts)

    @cached_property
    def _notes(self) -> tuple[str, ...]:
        return (*self._corner(), *self._captions)

    def _column_unit(self, number: int, header: tuple[str, ...]) -> str:
        """Tables print the unit in a column's first row and its total only: it is that of all its amounts. A column
        without any has the currency that the table prints elsewhere, where it is of a period or all is of a scale."""
        is_alike = self._measure.scale > 1 or not header or self._period_of_column(header)
        return self._printed_units.get(number, "") or (self._printed_currency if is_alike else "")

    @cached_property
    def _printed_units(self) -> dict[int, str]:
        """By column, the currency or per cent sign with its first amount."""
        printed_units: dict[int, str] = {}
        for cell in sorted(self._layout.cells, key=lambda cell: cell.row):
            words = self._words(cell.start, cell.end)
            if (
                cell.row >= self._layout.header_rows
                and cell.column not in printed_units
                and amount_of(words) is not None
            ):
                unit = unit_of(words)
                printed_units[cell.column] = (
                    unit if unit == "%" or (len(unit) == 3 and unit.isupper()) else ""
                )
        return printed_units

    @cached_property
    def _printed_currency(self) -> str:
        return next((unit for unit in self._printed_units.values() if unit not in ("", "%")), "")

    def _period_of_column(self, column: tuple[str, ...]) -> str:
        """Found once for each column, and not again in each of its rows."""
        if column not in self._column_periods:
            each = map(period_of, (" ".join(column), *reversed(column)))
            self._column_periods[column] = next(filter(None, each), "")
        return self._column_periods[column]

    @cached_property
    def _flow_periods(self) -> dict[int, str]:
        return flow_periods({row: self._label(cells[0]) for row, cells in self._rows.items() if cells})

    def _period_of_path(self, path: tuple[str, ...], row: int) -> str:
        for words in reversed(path):
            if is_period(words):
                return period_of(words)
        for words in reversed(path):
            if (period := period_of(words)) and not _DUE.search(words):
                return period
        return self._flow_periods.get(row, self._period)
