"""Tables in the text of a page: labels, where they come from, exact places, and what is no table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provgraph.documents.reading import open_documents
from provgraph.documents.tables import heads, labelled, row, rows, rule

REPORT: Final = "| Item | 2019 | 2020 |\n| --- | --- | --- |\n| Revenue | 2019: 1,200 | 2020: 1,350 |"
HTML: Final = """<html><body><p>Before.</p><table>
<tr><th rowspan=2>Item</th><th colspan="2">Year</th></tr>
<tr><td>Revenue</td><td>1,200</td><td>1,350</td></tr>
<tr><td rowspan='2'>Costs</td><td>7</td><td>8|9</td></tr><tr><td>10</td><td>11</td></tr>
</table><p>After.</p></body></html>"""


def text_of(content: bytes, name: str) -> str:
    (document,) = open_documents(content, name)
    return "\f".join(page.text for page in document.pages())


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("| Item | 2019 | 2020 |\n|---|--:|--:|\n| Revenue | 1,200 | **1,350** |", "a.md"),
        ("Item | 2019 | 2020\n---|---|---\nRevenue | 1,200 | 1,350", "a.md"),
        ('Item,2019,2020\nRevenue,"1,200","1,350"\n', "a.csv"),
        ("Item;2019;2020\nRevenue;1,200;1,350\n", "a.csv"),
        ("Item\t2019\t2020\nRevenue\t1,200\t1,350\n", "a.tsv"),
        (
            "<table><thead><tr><th>Item<th>2019<th>2020</thead><tr><td>Revenue<td>1,200<td>1,350</table>",
            "a.html",
        ),
    ],
)
def test_the_cells_of_a_row_have_the_labels_of_their_columns(content: str, name: str) -> None:
    assert text_of(content.encode(), name) == REPORT


def test_merged_cells_of_html_stand_in_each_of_their_columns_and_rows() -> None:
    assert text_of(HTML.encode(), "a.html").split("\n")[2:-2] == [
        "| Item | Year | Year |",
        "| --- | --- | --- |",
        "| Item | Year: Revenue | Year: 1,200 | 1,350 |",
        "| Costs | Year: 7 | Year: 8¦9 |",
        "| Costs | Year: 10 | Year: 11 |",
    ]


def test_no_cell_of_a_very_wide_row_is_lost() -> None:
    cells = "".join(f"<td>c{number}</td>" for number in range(500))
    head = "<th>Item</th><th>Other</th>"
    text = text_of(f"<table><tr>{head}</tr><tr>{cells}</tr></table>".encode(), "a.html")
    assert all(f"c{number} |" in text for number in range(500))


def test_a_row_is_read_back_with_the_places_of_its_cells() -> None:
    text = f"Before.\n\n{REPORT}\n\nAfter."
    (found,) = rows(text)
    assert found.subject == text[found.start : found.subject_end] == "Revenue"
    assert text[found.start : found.end] == "Revenue | 2019: 1,200 | 2020: 1,350"
    assert [(cell.label, cell.value) for cell in found.cells] == [("2019", "1,200"), ("2020", "1,350")]
    assert [text[cell.start : cell.end] for cell in found.cells] == ["2019: 1,200", "2020: 1,350"]
    assert [text[start:end] for start, end in heads(text)] == [
        "| Item | 2019 | 2020 |",
        "| --- | --- | --- |",
    ]


def test_a_row_of_a_mere_number_is_called_by_its_column_too() -> None:
    (found,) = rows(labelled("| Year | Revenue |\n| --- | --- |\n| 2019 | 1,200 |"))
    assert found.subject == "Year 2019"


def test_a_head_is_guessed_above_numbers() -> None:
    table = "| Item | 2019 | 2020 |\n| Revenue | 1,200 | 1,350 |\n| Costs | 700 | 760 |"
    assert labelled(table).endswith("| Costs | 2019: 700 | 2020: 760 |")


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
def test_what_has_no_head_stays_as_it_is(text: str) -> None:
    assert labelled(text) == text
    assert list(rows(text)) == []


def test_labels_are_given_once() -> None:
    assert labelled(REPORT) == REPORT


def test_labels_do_not_make_a_table_many_times_as_long() -> None:
    head = [f"A label of some length, number {index}" for index in range(20)]
    table = "\n".join([row(head), rule(20), *(row(["x"] * 20) for _ in range(50))])
    assert labelled(table) == table


@given(st.text(st.sampled_from("ab1 |:-\n."), max_size=120))
def test_rows_lie_in_their_text_and_other_lines_stay(text: str) -> None:
    made = labelled(text)
    assert [line for line in made.split("\n") if not line.startswith("|")] == [
        line for line in text.split("\n") if not line.startswith("|")
    ]
    for found in rows(made):
        assert made[found.start : found.end].startswith(made[found.start : found.subject_end])
        for cell in found.cells:
            assert made[cell.start : cell.end] == f"{cell.label}: {cell.value}"


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
    assert "| Bakery | Branches: Vienna, Graz, Salzburg and all the other towns | Open: 3 |" in text


def test_rows_without_lines_between_them_are_parted() -> None:
    table = [["Item", "2019", "2020"], ["Revenue\nCosts", "1,200\n700", "1,350\n760"]]
    text = drawn(lambda page: ruled(page, table))
    assert "| Revenue | 2019: 1,200 | 2020: 1,350 |\n| Costs | 2019: 700 | 2020: 760 |" in text


def test_prose_in_frames_is_no_table() -> None:
    sentence = "The quick brown fox jumps over the lazy dog and comes back again to do it once more. " * 3

    def draw(page: Any) -> None:
        framed(page, sentence, 50, 100, 240, 200)
        framed(page, sentence, 310, 100, 240, 200)

    assert list(rows(drawn(draw))) == []


def test_a_long_csv_has_pages_each_with_the_head() -> None:
    lines = ["Name,Age", *(f"Person {number},{number % 90}" for number in range(1500))]
    (document,) = open_documents("\n".join(lines).encode(), "people.csv")
    pages = [page.text for page in document.pages()]
    assert document.header.page_count == len(pages) == 2
    assert all(page.startswith("| Name | Age |") for page in pages)
    assert pages[1].endswith("| Person 1499 | Age: 59 |")


@pytest.mark.parametrize("content", ["only one column\nof text", "a,b", 'x,"never closed\n' * 3])
def test_a_csv_that_is_no_table_is_text(content: str) -> None:
    assert text_of(content.encode(), "a.csv").strip() == content.strip()
