"""Tables laid out for the eye: signs in cells of their own, empty columns, heads that nobody marked."""

from __future__ import annotations

import pytest

from provgraph.documents.reading import open_documents
from provgraph.documents.table_model import Table
from provgraph.documents.table_reading import tables_of_page

STATEMENT = """<p>(in thousands, except per share amounts)</p><table>
<tr><td></td><td></td><td colspan="6">Year ended June 30,</td></tr>
<tr><td></td><td></td><td colspan="3">2021</td><td colspan="3">2020</td></tr>
<tr><td>Net sales</td><td></td><td>$</td><td>1,200</td><td></td><td>$</td><td>1,100</td><td></td></tr>
<tr><td>Other income (loss)</td><td></td><td colspan="2">(30</td><td>)</td><td colspan="2">12</td><td></td></tr>
<tr><td>Tax rate</td><td></td><td colspan="2">21.5</td><td>%</td><td colspan="2">24.0</td><td>%</td></tr>
<tr><td>Basic EPS</td><td></td><td>$</td><td>1.10</td><td></td><td>$</td><td>0.95</td><td></td></tr>
</table>"""


def tables_in(content: str, name: str) -> tuple[str, list[Table]]:
    (document,) = open_documents(content.encode(), name)
    (page,) = document.pages()
    return page.text, list(tables_of_page(page.number, page.text, page.layout))


def test_the_signs_of_an_amount_stand_with_it_and_columns_without_anything_are_left_out() -> None:
    text, (table,) = tables_in(STATEMENT, "a.html")
    rows = text.partition("| ")[2].split("\n")
    assert rows[2:5] == [
        "| Net sales | $ 1,200 | $ 1,100 |",
        "| Other income (loss) | (30 ) | 12 |",
        "| Tax rate | 21.5 % | 24.0 % |",
    ]
    assert (table.header_rows, table.column_count) == (2, 3)
    assert all(text[cell.start : cell.end] == cell.text for cell in table.cells)


def test_each_amount_has_its_unit_scale_and_period() -> None:
    _, (table,) = tables_in(STATEMENT, "a.html")
    found = {(cell.label, cell.period): (str(cell.amount), cell.unit) for cell in table.values}
    assert {amount for amount, unit in found.values() if unit == "%"} == {"21.5", "24.0"}
    assert found["Net sales", "2021"] == ("1200000", "USD")
    assert found["Other income (loss)", "2021"] == ("-30000", "USD")
    assert found["Basic EPS", "2020"] == ("0.95", "USD")


def test_a_table_of_words_is_headed_by_names_above_figures() -> None:
    rows = ("Name|Role|Since", "Ann Lee|Clerk|2016", "Bo Ek|Smith|2019", "Cy Moor|Clerk|2020")
    html = "".join(f"<tr><td>{row.replace('|', '</td><td>')}</td></tr>" for row in rows)
    _, (table,) = tables_in(f"<table>{html}</table>", "a.html")
    assert [cell.column_header for cell in table.rows[1][1:]] == [("Role",), ("Since",)]


@pytest.mark.parametrize(
    "rows", ['"A","B"\n"1","say \\"so\\""\n"2","x"', '"A","B"\n"1","say ""so"""\n"2","x"']
)
def test_quotes_in_a_csv_are_doubled_or_have_a_backslash(rows: str) -> None:
    text, (table,) = tables_in(rows, "a.csv")
    assert text.split("\n")[1] == '| 1 | say "so" |'
    assert table.header_rows == 1


def test_a_head_may_leave_a_column_of_a_csv_without_name() -> None:
    _, (table,) = tables_in("Lake,,Area,Depth\nRoon,a,4,20\nSill,,9,11\n", "a.csv")
    assert table.header_rows == 1
