"""Units and scales below each year, in a row's label or beside the table; fiscal years over two calendar years."""

from __future__ import annotations

from typing import Any

import pymupdf
import pytest

from provgraph.documents.amounts import amount_of, is_unit, row_measure
from provgraph.documents.periods import is_period, period_of
from provgraph.documents.reading import open_documents
from provgraph.documents.table_model import Cell
from provgraph.documents.table_reading import tables_of_page


def cells_of(content: bytes, name: str) -> dict[tuple[str, str], Cell]:
    (document,) = open_documents(content, name)
    tables = [
        table for page in document.pages() for table in tables_of_page(page.number, page.text, page.layout)
    ]
    return {(cell.label, cell.column_header[0]): cell for table in tables for cell in table.values}


def measured(cell: Cell) -> tuple[str, str]:
    return str(cell.amount), cell.unit


STATEMENT = """Statement of income,2023,2022
,£'000,£'000
Revenue,"1,234","1,100"
Basic earnings per share (pence),12.3,11.1
Gross margin %,51.4,50.0
Current ratio,1.8,1.7
Average number of employees,48,45
"""


def test_a_row_of_units_below_the_years_of_a_csv_is_no_row_of_values() -> None:
    cells = cells_of(STATEMENT.encode(), "a.csv")
    assert measured(cells["Revenue", "2023"]) == ("1234000", "GBP")
    assert measured(cells["Basic earnings per share (pence)", "2023"]) == ("12.3", "pence")
    assert measured(cells["Gross margin %", "2022"]) == ("50.0", "%")
    assert measured(cells["Current ratio", "2023"]) == ("1.8", "ratio")
    assert measured(cells["Average number of employees", "2023"]) == ("48", "count")
    assert all(cell.label for cell in cells.values())


def test_titles_and_units_above_the_years_of_a_csv_are_heads_too() -> None:
    cells = cells_of(b"Cash flows,,\n,US$m,US$m\n,2024,2023\nCash,12,11\nDebt,70,65\n", "a.csv")
    assert measured(cells["Debt", "US$m"]) == ("65000000", "USD")


@pytest.mark.parametrize("unit", ["£000", "£'000", "£’000"])
def test_a_unit_below_each_year_of_a_pdf_is_no_amount(unit: str) -> None:
    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    page = document.new_page()
    rows = (
        ("", "2024", "2023"),
        ("", unit, unit),
        ("Fixed assets", "1,010", "900"),
        ("Net debt", "70", "65"),
    )
    for number, row in enumerate(rows):
        for x, words in zip((60, 300, 400), row, strict=True):
            page.insert_text((x, 100 + 13 * number), words, fontsize=9)
    cells = {cell.text: cell for cell in cells_of(document.tobytes(), "a.pdf").values()}
    assert measured(cells["1,010"]) == ("1010000", "GBP")
    assert "£000" not in cells


@pytest.mark.parametrize(
    ("before", "behind", "expected"),
    [
        ("Amounts are stated in € thousands.", "", ("900000", "EUR")),
        ("All amounts in thousands of euros.", "", ("900000", "EUR")),
        ("", "Figures in millions of pounds.", ("900000000", "GBP")),
        ("", "Values are shown in US$ million.", ("900000000", "USD")),
        ("", "The company invested in millions of trees.", ("900", "")),
        ("All amounts in lakhs of rupees.", "", ("90000000", "INR")),
    ],
)
def test_a_sentence_above_or_below_a_table_tells_its_scale(
    before: str, behind: str, expected: tuple[str, str]
) -> None:
    head = "<tr><th>Item</th><th>2024</th><th>2023</th></tr>"
    table = f"<table>{head}<tr><td>Land</td><td>900</td><td>800</td></tr></table>"
    cells = cells_of(f"<h1>Notes</h1><p>{before}</p>{table}<p>{behind}</p>".encode(), "a.html")
    assert measured(cells["Land", "2024"]) == expected


def test_a_raised_mark_of_a_footnote_is_no_figure_of_an_amount() -> None:
    html = (
        "<table><tr><th></th><th>2023</th></tr><tr><td>Revenue</td><td>12,345<sup>1</sup></td></tr></table>"
    )
    cells = cells_of(html.encode(), "a.html")
    assert str(cells["Revenue", "2023"].amount) == "12345"
    assert amount_of("1,234¹") == amount_of("1,234 (a)") == amount_of("1,234¹,²") == 1234


@pytest.mark.parametrize(
    ("words", "period"),
    [
        ("2023/24", "2023/24"),
        ("2022-23", "2022/23"),
        ("FY23/24", "2023/24"),
        ("Financial year 2023/2024", "2023/24"),
        ("1999–00", "1999/00"),
        ("Q1 2023/24", "2023/24-Q1"),
        ("2019-24", ""),
        ("2023/24 vs. 2022/23", ""),
        ("2023-11-30", "2023-11-30"),
    ],
)
def test_a_fiscal_year_over_two_calendar_years_is_a_period_of_its_own(words: str, period: str) -> None:
    assert period_of(words) == period
    assert is_period("2023/24")


def test_units_and_marks_of_footnotes_are_told_apart() -> None:
    assert all(map(is_unit, ("£'000", "€m", "US$m", "%", "(in millions)", "USD thousand", "p")))
    assert not any(map(is_unit, ("Europe", "2023", "£5m", "m", "in", "1,000")))
    assert row_measure("Dividend per share (p)").unit == "pence"
    assert row_measure("Net income (c)").unit == ""
    assert row_measure("Dividends of 5 pence per share").unit == ""
