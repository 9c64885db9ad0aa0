"""PDF tables whose columns stand close, heads over several columns, and labels of two lines."""

from __future__ import annotations

from typing import Any

import pymupdf

from provgraph.documents.reading import open_documents
from provgraph.documents.table_model import Table
from provgraph.documents.table_reading import tables_of_page

Lines = tuple[tuple[Any, ...], ...]


def drawn(lines: Lines) -> Table:
    file: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    page = file.new_page()
    for base, *pieces in lines:
        for x, words in pieces:
            page.insert_text((x, base), words, fontsize=9, fontname="helv")
    (document,) = open_documents(file.tobytes(), "a.pdf")
    (table,) = [t for p in document.pages() for t in tables_of_page(p.number, p.text, p.layout)]
    return table


def cells(table: Table) -> dict[tuple[str, tuple[str, ...]], str]:
    return {(cell.label, cell.column_header): cell.text for cell in table.values}


def test_years_and_amounts_with_signs_that_stand_close_are_cells_of_their_own() -> None:
    table = drawn(
        (
            (100, (60, "Cash flows in EUR thousand")),
            (120, (440, "2023/24"), (480, "2022/23")),
            (134, (60, "Profit for the year"), (444, "61,630"), (480, "31,635")),
            (148, (60, "Interest paid"), (436, "(18,240)"), (478, "(15,906)")),
            (162, (60, "Dividends received"), (458, "500"), (492, "650")),
        )
    )
    found = cells(table)
    assert found["Interest paid", ("2023/24",)] == "(18,240)"
    assert found["Interest paid", ("2022/23",)] == "(15,906)"
    assert {cell.period for cell in table.values} == {"2023/24", "2022/23"}


def test_a_head_over_runs_of_the_same_heads_is_over_all_columns_of_its_run() -> None:
    table = drawn(
        (
            (100, (60, "Revenue in thousands")),
            (120, (250, "Fiscal 2023"), (430, "Fiscal 2022")),
            (
                134,
                (60, "Line"),
                (200, "North"),
                (260, "South"),
                (320, "Total"),
                (380, "North"),
                (440, "South"),
                (500, "Total"),
            ),
            (
                150,
                (60, "Sensors"),
                (204, "61"),
                (264, "38"),
                (324, "99"),
                (384, "57"),
                (444, "36"),
                (504, "93"),
            ),
            (
                164,
                (60, "Services"),
                (204, "22"),
                (264, "11"),
                (324, "33"),
                (384, "19"),
                (444, "10"),
                (504, "29"),
            ),
        )
    )
    found = cells(table)
    assert found["Sensors", ("Fiscal 2023", "North")] == "61"
    assert found["Services", ("Fiscal 2022", "Total")] == "29"
    assert {cell.period for cell in table.values if cell.column == 6} == {"2022"}


def test_a_second_line_of_a_label_belongs_to_the_row_above_and_heads_nothing() -> None:
    table = drawn(
        (
            (100, (60, "Store estate")),
            (120, (60, "Region"), (300, "Opened"), (400, "Closed")),
            (140, (60, "London and South"), (310, "3"), (410, "1")),
            (150, (60, "East")),
            (170, (60, "Midlands"), (310, "1"), (410, "2")),
            (190, (60, "Scotland"), (310, "0"), (410, "4")),
        )
    )
    assert {cell.row_header for cell in table.values} == {
        ("London and South East",),
        ("Midlands",),
        ("Scotland",),
    }


def test_a_heading_between_rows_heads_those_below_it() -> None:
    table = drawn(
        (
            (100, (60, "Store estate")),
            (120, (60, "Region"), (300, "Opened"), (400, "Closed")),
            (140, (60, "London"), (310, "3"), (410, "1")),
            (160, (60, "Elsewhere")),
            (180, (60, "Midlands"), (310, "1"), (410, "2")),
            (200, (60, "Scotland"), (310, "0"), (410, "4")),
        )
    )
    assert ("Elsewhere", "Midlands") in {cell.row_header for cell in table.values}
