"""Tables: their rows in the text of a page as they are printed, and what heads which cells recorded beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provgraph.documents.page_layout import PageLayout
from provgraph.documents.reading import open_documents
from provgraph.documents.table_model import Table
from provgraph.documents.table_reading import tables_of_page
from provgraph.documents.tables import recognised, row, row_spans

HTML: Final = """<html><body><h1>Results</h1><p>Before.</p><table>
<tr><th rowspan=2>Item</th><th colspan="2">Year ended December 31,</th></tr><tr><th>2019</th><th>2020</th></tr>
<tr><td>Revenue</td><td>1,200</td><td>1,350</td></tr>
<tr><td rowspan='2'>Costs</td><td>7</td><td>8|9</td></tr><tr><td>10</td><td>11</td></tr>
</table><p>After.</p></body></html>"""


def text_of(content: bytes, name: str) -> str:
    (document,) = open_documents(content, name)
    return "\f".join(page.text for page in document.pages())


def tables_in(content: bytes, name: str) -> list[Table]:
    """All tables of a file; each cell is held to be exact, and each layout to survive being kept."""
    found: list[Table] = []
    for document in open_documents(content, name):
        for page in document.pages():
            layout = PageLayout.of_json(page.layout.to_json())
            tables = tables_of_page(page.number, page.text, layout)
            assert [len(table.cells) for table in tables] == [
                len(table.cells) for table in tables_of_page(page.number, page.text, page.layout)
            ]
            assert all(page.text[c.start : c.end] == c.text for table in tables for c in table.cells)
            found += tables
    return found


def values(table: Table) -> dict[tuple[str, str], str]:
    return {(cell.label, " ".join(cell.column_header)): cell.text for cell in table.values}


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("| Item | 2019 | 2020 |\n|---|--:|--:|\n| Revenue | 1,200 | **1,350** |", "a.md"),
        ("Item | 2019 | 2020\n---|---|---\nRevenue | 1,200 | 1,350", "a.md"),
        ("| Item | 2019 | 2020 |\n| --- | --- | --- |\n| Revenue | 1,200 | 1,350 |", "a.txt"),
        ('Item,2019,2020\nRevenue,"1,200","1,350"\n', "a.csv"),
        ("Item;2019;2020\nRevenue;1,200;1,350\n", "a.csv"),
        ("Item\t2019\t2020\nRevenue\t1,200\t1,350\n", "a.tsv"),
        (
            "<table><thead><tr><th>Item<th>2019<th>2020</thead><tr><td>Revenue<td>1,200<td>1,350</table>",
            "a.html",
        ),
    ],
)
def test_a_table_is_the_same_in_every_format(content: str, name: str) -> None:
    (table,) = tables_in(content.encode(), name)
    assert values(table) == {("Revenue", "2019"): "1,200", ("Revenue", "2020"): "1,350"}
    assert [cell.period for cell in table.values] == ["2019", "2020"]
    assert [cell.amount for cell in table.values] == [1200, 1350]


def test_the_words_of_a_merged_cell_stand_once_and_count_in_each_of_its_places() -> None:
    assert text_of(HTML.encode(), "a.html").split("\n")[4:-2] == [
        "| Item | Year ended December 31, |  |",
        "|  | 2019 | 2020 |",
        "| Revenue | 1,200 | 1,350 |",
        "| Costs | 7 | 8¦9 |",
        "|  | 10 | 11 |",
    ]
    (table,) = tables_in(HTML.encode(), "a.html")
    last = table.rows[-1][-1]
    assert (last.text, last.row_header, last.column_header) == (
        "11",
        ("Costs",),
        ("Year ended December 31,", "2020"),
    )
    assert (last.period, table.title_path) == ("2020", ("Results",))


def test_units_and_scales_come_from_the_caption_the_row_and_the_cell() -> None:
    text = """Selected data (in millions, except per share amounts)

| Item | FY2021 | FY2022 |
| --- | --- | --- |
| Revenue | $ 1,200 | $ 1,350 |
| Costs | (700) | 760 |
| Earnings per share | 1.10 | 1.25 |
| Margin | 4.5 % | 5 % |
| Total |  | 9 |"""
    (table,) = tables_in(text.encode(), "a.md")
    told = {(c.label, c.period): (str(c.amount), c.unit, c.is_total) for c in table.values}
    assert told["Revenue", "2021"] == ("1200000000", "USD", False)
    assert told["Costs", "2021"] == ("-700000000", "USD", False)
    assert told["Earnings per share", "2022"] == ("1.25", "USD", False)
    assert told["Margin", "2022"] == ("5", "%", False)
    assert told["Total", "2022"] == ("9000000", "USD", True)


def test_no_cell_of_a_very_wide_row_is_lost() -> None:
    cells = "".join(f"<td>c{number}</td>" for number in range(500))
    head = "<th>Item</th><th>Other</th>"
    text = text_of(f"<table><tr>{head}</tr><tr>{cells}</tr></table>".encode(), "a.html")
    assert all(f"c{number} |" in text for number in range(500))


@pytest.mark.parametrize(
    "text",
    [
        "| left of the page | right of the page |\n| reads on here | and there |\n| like this | and that |",
        "| Item | 2019 |\n| Revenue | 1,200 |",
        "| 5 | 6 |\n| 7 | 8 |\n| 9 | 10 |",
        "| a | b |\n\n| c | 2 |\n\n| d | 3 |",
        "a | b | c",
        "|x|",
        "| --- |",
    ],
)
def test_what_has_no_head_is_no_table(text: str) -> None:
    assert recognised(text) == ()


def test_a_head_is_guessed_above_numbers() -> None:
    (table,) = recognised("| Item | 2019 | 2020 |\n| Revenue | 1,200 | 1,350 |\n| Costs | 700 | 760 |")
    assert table.header_rows == 1


@given(st.text(st.sampled_from("ab1 |:-\n."), max_size=120))
def test_rows_and_cells_lie_in_their_text(text: str) -> None:
    for start, end in row_spans(text):
        assert 0 <= start < end <= len(text)
        assert "\n" not in text[start:end]
    for table in recognised(text):
        for cell in table.cells:
            assert text[cell.start : cell.end].strip() == text[cell.start : cell.end] != ""


@given(st.lists(st.text(st.sampled_from("ab|\n 1"), max_size=6), min_size=1, max_size=5))
def test_a_bar_in_a_cell_parts_no_cell(cells: list[str]) -> None:
    assert row(cells).count("|") == len(cells) + 1


def drawn(draw: Callable[[Any], None]) -> str:
    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    draw(document.new_page())
    return text_of(document.tobytes(), "a.pdf")


def framed(page: Any, text: str, left: float, top: float, width: float, height: float) -> None:
    """A text in a box."""
    page.draw_rect((left, top, left + width, top + height))
    page.insert_textbox((left + 4, top + 4, left + width - 4, top + height - 4), text, fontsize=10)


def ruled(page: Any, cells: list[list[str]]) -> None:
    for number, texts in enumerate(cells):
        for column, text in enumerate(texts):
            framed(page, text, 50 + 160 * column, 100 + 40 * number, 160, 40)


def test_a_cell_of_several_lines_in_a_ruled_table_of_a_pdf_is_one_cell() -> None:
    table = [["Shop", "Branches", "Open"], ["Bakery", "Vienna, Graz, Salzburg and all the other towns", "3"]]
    text = drawn(lambda page: ruled(page, [*table, ["Butcher", "none", "4"]]))
    assert "| Bakery | Vienna, Graz, Salzburg and all the other towns | 3 |" in text


def test_rows_without_lines_between_them_are_parted() -> None:
    table = [["Item", "2019", "2020"], ["Revenue\nCosts", "1,200\n700", "1,350\n760"]]
    text = drawn(lambda page: ruled(page, table))
    assert "| Revenue | 1,200 | 1,350 |\n| Costs | 700 | 760 |" in text


def test_prose_in_frames_is_no_table() -> None:
    sentence = "The quick brown fox jumps over the lazy dog and comes back again to do it once more. " * 3

    def draw(page: Any) -> None:
        framed(page, sentence, 50, 100, 240, 200)
        framed(page, sentence, 310, 100, 240, 200)

    assert list(row_spans(drawn(draw))) == []


STATEMENT: Final = (
    # baseline, then (x, words) for each piece
    (100, (60, "Statement of Cash Flows")),
    (115, (60, "(in millions)")),
    (130, (330, "Year ended December 31,")),
    (145, (340, "2022"), (440, "2021")),
    (160, (60, "Operating activities:")),
    (175, (70, "Net income"), (320, "$"), (340, "8,978"), (420, "$"), (440, "7,679")),
    (190, (70, "Impairment of assets held for sale and of")),
    (202, (70, "intangible assets"), (338, "(643)"), (445, "—")),
    (217, (60, "Net cash"), (340, "8,335"), (440, "7,679")),
)


def statement(page: Any) -> None:
    for base, *pieces in STATEMENT:
        for x, words in pieces:
            page.insert_text((x, base), words, fontsize=10)


def test_a_table_without_lines_is_told_by_how_its_words_stand() -> None:
    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    statement(document.new_page())
    (table,) = tables_in(document.tobytes(), "a.pdf")
    told = {(c.label, c.period): (str(c.amount), c.unit, c.row_header[0]) for c in table.values}
    impairment = "Impairment of assets held for sale and of intangible assets"
    assert told["Net income", "2022"] == ("8978000000", "USD", "Operating activities")
    assert told[impairment, "2022"] == ("-643000000", "USD", "Operating activities")
    assert told[impairment, "2021"] == ("None", "", "Operating activities")
    assert told["Net cash", "2021"] == ("7679000000", "USD", "Net cash")
    assert table.values[0].column_header == ("Year ended December 31,", "2022")
    assert (table.caption, table.scale) == ("Statement of Cash Flows", 1_000_000)


def test_the_box_of_a_cell_is_around_its_glyphs() -> None:
    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    statement(document.new_page())
    (table,) = tables_in(document.tobytes(), "a.pdf")
    cell = next(cell for cell in table.values if cell.text == "(643)")
    assert cell.box is not None
    words: Any = document[0].get_text("text", clip=cell.box)
    assert words.strip() == "(643)"


def test_a_table_that_goes_on_over_a_page_has_the_headers_of_its_beginning() -> None:
    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    statement(document.new_page())
    page = document.new_page()
    for base, label, *amounts in ((100, "Dividends paid", "12", "14"), (115, "Capital spending", "5", "4")):
        page.insert_text((70, base), label, fontsize=10)
        for x, amount in zip((345, 445), amounts, strict=True):
            page.insert_text((x, base), amount, fontsize=10)
    _, rest = tables_in(document.tobytes(), "a.pdf")
    told = {(c.label, c.period): str(c.amount) for c in rest.values}
    assert rest.continues == 1
    assert told["Capital spending", "2021"] == "4000000"


def test_a_long_csv_has_pages_each_with_the_head() -> None:
    lines = ["Name,Age", *(f"Person {number},{number % 90}" for number in range(1500))]
    (document,) = open_documents("\n".join(lines).encode(), "people.csv")
    pages = [page.text for page in document.pages()]
    assert document.header.page_count == len(pages) == 2
    assert all(page.startswith("| Name | Age |") for page in pages)
    assert pages[1].endswith("| Person 1499 | 59 |")


@pytest.mark.parametrize("content", ["only one column\nof text", "a,b", 'x,"never closed\n' * 3])
def test_a_csv_that_is_no_table_is_text(content: str) -> None:
    assert text_of(content.encode(), "a.csv").strip() == content.strip()


BANDS: Final = (
    (100, (60, "Summary of results")),
    (115, (60, "(in millions)")),
    (130, (395, "Change")),
    (145, (238, "Year ended"), (357, "2022 vs. 2021"), (437, "2021 vs. 2020")),
    (160, (218, "2022"), (278, "2021"), (358, "$"), (398, "%"), (438, "$"), (478, "%")),
    (
        175,
        (60, "Revenues"),
        (220, "314"),
        (280, "278"),
        (350, "35"),
        (390, "12.8 %"),
        (430, "24"),
        (470, "9.5 %"),
    ),
    (
        190,
        (60, "Costs"),
        (220, "300"),
        (280, "270"),
        (350, "30"),
        (390, "11.1 %"),
        (430, "20"),
        (470, "8.0 %"),
    ),
    (205, (60, "Income"), (226, "14"), (286, "8"), (356, "6"), (390, "75.0 %"), (436, "4"), (470, "50.0 %")),
)
PIECES: Final = ((205, 245), (265, 305), (340, 375), (380, 420), (422, 455), (460, 500))
"""Where the rules below the headers begin and end: each is the edge of one cell."""


def bands(page: Any) -> None:
    for base, *pieces in BANDS:
        for x, words in pieces:
            page.insert_text((x, base), words, fontsize=9)
    for at, edges in ((133, PIECES[2:]), (148, PIECES), (163, PIECES)):
        for left, right in edges:
            page.draw_line((left, at), (right, at), width=0.5)


def test_headers_share_out_the_pieces_of_the_rule_below_them() -> None:
    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    bands(document.new_page())
    (table,) = tables_in(document.tobytes(), "a.pdf")
    heads = {cell.text: cell.column_header for cell in table.values}
    assert heads["314"] == ("Year ended", "2022")
    assert heads["35"] == ("Change", "2022 vs. 2021", "$")
    assert heads["12.8 %"] == ("Change", "2022 vs. 2021", "%")
    assert heads["24"] == ("Change", "2021 vs. 2020", "$")
    assert heads["50.0 %"] == ("Change", "2021 vs. 2020", "%")


def test_headers_in_one_drawn_cell_are_parted_by_the_columns_below_them() -> None:
    def draw(page: Any) -> None:
        for place, (left, right) in enumerate([("13", "14"), ("7", "5"), ("1", "3")]):
            top = 130 + 28 * place
            framed(page, f"Place {place}", 50, top, 80, 28)
            framed(page, left, 130, top, 60, 28)
            framed(page, right, 190, top, 60, 28)
        page.draw_rect((50, 100, 130, 130))
        page.draw_rect((130, 100, 250, 130))
        for x, y, words in (
            (55, 125, "Place"),
            (165, 112, "Private sale"),
            (140, 125, "Handgun"),
            (200, 125, "Long gun"),
        ):
            page.insert_text((x, y), words, fontsize=9)

    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    draw(document.new_page())
    (table,) = tables_in(document.tobytes(), "a.pdf")
    assert {cell.text: cell.column_header for cell in table.values}["14"] == ("Private sale", "Long gun")


def test_what_tells_no_unit_and_what_no_scale_concerns() -> None:
    text = """Selected data (dollars in millions, except per share amounts)

| Item | FY2022 | Exercise price | Remaining term (years) | Number of holders |
| --- | --- | --- | --- | --- |
| 5.75% senior notes due 2041 | 133 | 87.33 | 4.52 | 74 |
| Denominator for earnings per share | | | | |
| Weighted shares of trust | 6 | 1.10 | 2 | 3 |"""
    (table,) = tables_in(text.encode(), "a.md")
    told = {(c.label, c.column_header[-1]): (str(c.amount), c.unit) for c in table.values}
    notes = "5.75% senior notes due 2041"
    assert told[notes, "FY2022"] == ("133000000", "USD")
    assert told[notes, "Exercise price"] == ("87.33", "USD")
    assert told[notes, "Remaining term (years)"] == ("4.52", "years")
    assert told[notes, "Number of holders"] == ("74", "count")
    assert told["Weighted shares of trust", "FY2022"][0] == "6000000"


def test_people_are_not_counted_in_millions_of_money() -> None:
    text = """# Orrin Pumps

| Million crowns | 2024 | 2023 |
|---|---|---|
| Revenue | 48.2 | 44.0 |
| Employees | 812 | 798 |
| Employee expenses | 9.1 | 8.8 |
"""
    (table,) = tables_in(text.encode(), "letter.md")
    told = {c.label: float(c.amount or 0) for c in table.values if c.column_header == ("2024",)}
    assert told == {"Revenue": 48_200_000, "Employees": 812, "Employee expenses": 9_100_000}


def test_amounts_that_a_scale_would_make_absurd_have_none() -> None:
    text = "(dollars in millions)\n\n| Item | Stock |\n| --- | --- |\n| Issued | 449,352,405 |\n| Acquired | 575,484 |"
    (table,) = tables_in(text.encode(), "a.md")
    assert [str(cell.amount) for cell in table.values] == ["449352405", "575484"]


def test_a_unit_above_the_columns_or_in_the_sentence_before_is_of_the_whole_table() -> None:
    above = "<tr><td></td><td colspan=2>(In thousands)</td></tr><tr><td></td><td>2021</td><td>2020</td></tr>"
    html = f"<table>{above}<tr><td>Cash</td><td>$ 7</td><td>$ 9</td></tr></table>"
    (table,) = tables_in(html.encode(), "a.html")
    assert [(str(cell.amount), cell.column_header) for cell in table.values] == [
        ("7000", ("2021",)),
        ("9000", ("2020",)),
    ]
    led = "We have two shops. Amounts are in millions.\n\n|  | 2021 | 2020 |\n| --- | --- | --- |\n| Cash | $ 7 | $ 9 |"
    (table,) = tables_in(led.encode(), "a.md")
    assert [str(cell.amount) for cell in table.values] == ["7000000", "9000000"]


def test_a_column_of_prices_beside_others_lends_them_no_currency() -> None:
    (table,) = tables_in(b"Bike,Gears,Price\nMeadow,3,$420\nSwift,22,$2350\n", "a.csv")
    assert [(cell.text, cell.unit) for cell in table.rows[1][1:]] == [("3", ""), ("$420", "USD")]


def test_a_year_in_a_name_is_no_period() -> None:
    (table,) = tables_in(b"Debt,Amount,Rate\nNotes due 2024,5,3\nNotes due 2027,6,4\n", "a.csv")
    assert {cell.period for cell in table.values} == {""}
