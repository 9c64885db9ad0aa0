"""Heads of several lines over narrow columns, columns of words beside amounts, and what unit and period a cell has."""

from __future__ import annotations

from typing import Any, Final

import pymupdf

from provgraph.documents.reading import open_documents
from provgraph.documents.table_model import Cell, Table
from provgraph.documents.table_reading import tables_of_page

Lines = tuple[tuple[Any, ...], ...]


def tables_in(content: bytes, name: str) -> list[Table]:
    (document,) = open_documents(content, name)
    return [
        table for page in document.pages() for table in tables_of_page(page.number, page.text, page.layout)
    ]


def drawn(lines: Lines) -> list[Table]:
    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    page = document.new_page()
    for base, *pieces in lines:
        for x, words in pieces:
            page.insert_text((x, base), words, fontsize=9)
    return tables_in(document.tobytes(), "a.pdf")


def cell_of(table: Table, label: str, column: str) -> Cell:
    return next(
        cell for cell in table.values if cell.label == label and cell.column_header[-1].startswith(column)
    )


FAIR_VALUES: Final = (
    (
        100,
        (
            60,
            "The fair values of assets and debts, in millions of dollars and by level, were these at the end:",
        ),
    ),
    (130, (350, "2022"), (470, "2021")),
    (142, (215, "Fair value")),
    (152, (215, "hierarchy")),
    (162, (224, "level"), (318, "Assets"), (368, "Debts"), (438, "Assets"), (488, "Debts")),
    (178, (60, "Index funds"), (232, "1"), (318, "$ 257"), (370, "$ -"), (438, "$ 337"), (490, "$ -")),
    (192, (60, "Contracts"), (232, "2"), (322, "24"), (372, "22"), (442, "29"), (492, "14")),
    (206, (60, "Interest rates"), (232, "2"), (322, "-"), (372, "164"), (442, "14"), (492, "264")),
)


def test_a_line_of_a_head_by_itself_over_a_narrow_column_does_not_end_the_heads_of_a_table() -> None:
    (table,) = drawn(FAIR_VALUES)
    heads = {cell.text: cell.column_header for cell in table.values}
    assert heads["1"] == ("Fair value hierarchy level",)
    assert heads["24"] == ("2022", "Assets")
    assert heads["264"] == ("2021", "Debts")
    assert {cell.text: cell.period for cell in table.values}["29"] == "2021"


def test_the_level_of_a_value_is_no_amount_of_money() -> None:
    (table,) = drawn(FAIR_VALUES)
    assert {(cell.unit, str(cell.amount)) for cell in table.column(1) if not cell.is_header} == {
        ("", "1"),
        ("", "2"),
    }


RECLASSIFIED: Final = (
    (100, (270, "2022"), (330, "2021"), (390, "Line of the income statement")),
    (118, (60, "Exchange contracts of the year"), (266, "$ (11)"), (326, "$ -"), (390, "Net revenue of all divisions")),
    (132, (60, "Commodity contracts of the year"), (270, "(252)"), (330, "(190)"), (390, "Cost of sales and of goods")),
    (146, (60, "Interest rates for long-term debt"), (270, "159"), (330, "64"), (390, "Selling, general expenses")),
    (160, (390, "Other pension and medical")),
    (170, (60, "Amortisation of losses of plans"), (270, "164"), (330, "289"), (390, "benefits income")),
    (184, (60, "Net losses of the plans before tax"), (270, "440"), (330, "299")),
)  # fmt: skip


def test_a_column_of_words_beside_the_amounts_neither_ends_a_table_nor_parts_it_from_its_labels() -> None:
    (table,) = drawn(RECLASSIFIED)
    row = {cell.label: cell.text for cell in table.column(3) if not cell.is_header}
    assert row["Amortisation of losses of plans"] == "Other pension and medical benefits income"
    assert row["Exchange contracts of the year"] == "Net revenue of all divisions"
    assert str(cell_of(table, "Net losses of the plans before tax", "2021").number) == "299"


EQUITY: Final = """(In millions, except per share amounts)

| Item | Number of shares outstanding | Common stock | Total |
| --- | --- | --- | --- |
| Balance at December 31, 2020 | 1,733 | $ 163 | $ 69,389 |
| Net income | – | – | 7,910 |
| Cash dividends, $1.72 per share | – | – | (1,359) |
| Balance at December 31, 2021 | 1,744 | $ 153 | $ 75,075 |
| Net income | – | – | 4,149 |"""


def test_what_stands_between_two_balances_is_of_the_year_that_the_second_ends() -> None:
    (table,) = tables_in(EQUITY.encode(), "a.md")
    periods = {cell.text: cell.period for cell in table.values}
    assert periods["7,910"] == "2021"
    assert periods["$ 75,075"] == "2021-12-31"
    assert periods["4,149"] == ""


def test_shares_have_the_scale_of_a_note_that_excepts_only_amounts_per_share() -> None:
    (table,) = tables_in(EQUITY.encode(), "a.md")
    told = {cell.text: (str(cell.amount), cell.unit) for cell in table.values}
    assert told["1,733"] == ("1733000000", "shares")
    (other,) = tables_in(EQUITY.replace("per share amounts", "share data").encode(), "a.md")
    assert {cell.text: str(cell.amount) for cell in other.values}["1,733"] == "1733"


def test_a_sum_of_dividends_of_so_much_per_share_is_no_amount_per_share() -> None:
    (table,) = tables_in(EQUITY.encode(), "a.md")
    assert {cell.text: str(cell.amount) for cell in table.values}["(1,359)"] == "-1359000000"


DEBT: Final = """(In millions of dollars)

| Item | Maturity date | 2022 | 2021 |
| --- | --- | --- | --- |
| Fixed rate notes | 2024 | 574 | 599 |
| Common stock, 1,200,000,000 shares authorised | – | 5,061 | 5,061 |
| Non-operating expense of each | – | (1.47) | (0.91) |"""


def test_a_year_of_maturity_is_no_money_and_the_zeros_of_a_number_are_no_scale() -> None:
    (table,) = tables_in(DEBT.encode(), "a.md")
    told = {cell.text: (str(cell.amount), cell.unit) for cell in table.values}
    assert told["2024"] == ("2024", "")
    assert told["5,061"][0] == "5061000000"
    assert told["(1.47)"][0] == "-1.47"


SIDES: Final = (
    ("The reservoir holds forty million", "The centre for visitors opens at"),
    ("cubic metres and was dammed in", "nine in the morning and stays"),
    ("the spring of 1908 by an engineer", "closed in winter, from the first"),
    ("who had drained the marshes too.", "of November until the thaw comes."),
)


def test_two_columns_above_a_table_that_their_gutter_meets_are_read_one_by_one_and_the_table_as_one() -> None:
    text: Lines = tuple((100 + 13 * at, (60, left), (320, right)) for at, (left, right) in enumerate(SIDES))
    table: Lines = (
        (190, (260, "2023"), (330, "2022"), (400, "2021")),
        *(
            (205 + 14 * at, (60, f"Zone of the {name}"), (260, "38"), (330, "37"), (400, "36"))
            for at, name in enumerate(("northern hills", "old harbour", "upper glen", "islands"))
        ),
    )
    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    page = document.new_page()
    for base, *pieces in (*text, *table):
        for x, words in pieces:
            page.insert_text((x, base), words, fontsize=9)
    ((read,),) = (
        [page.text for page in each.pages()] for each in open_documents(document.tobytes(), "a.pdf")
    )
    assert "forty million cubic metres and was dammed in the spring of 1908" in read
    assert "opens at nine in the morning" in read
    (found,) = tables_in(document.tobytes(), "a.pdf")
    assert cell_of(found, "Zone of the old harbour", "2022").text == "37"


def test_heads_of_repeated_years_share_them_out_alike_where_they_stand_off_centre() -> None:
    years = ((340, "2024"), (400, "2023"), (460, "2024"), (520, "2023"))
    (table,) = drawn(
        (
            (100, (352, "Group"), (470, "Company")),
            (114, (290, "Note"), *years),
            (
                132,
                (60, "Inventories"),
                (300, "14"),
                (338, "9,318"),
                (398, "8,764"),
                (462, "118"),
                (522, "101"),
            ),
            (146, (60, "Cash"), (300, "16"), (338, "3,077"), (398, "9,645"), (462, "302"), (522, "214")),
        )
    )
    heads = {cell.text: cell.column_header for cell in table.values}
    assert [heads[text] for text in ("3,077", "9,645", "302", "214")] == [
        ("Group", "2024"),
        ("Group", "2023"),
        ("Company", "2024"),
        ("Company", "2023"),
    ]


def test_a_drawn_head_of_two_lines_is_one_with_its_own_period_and_unit() -> None:
    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    page = document.new_page()
    edges = (60, 200, 300, 400)
    rows = (
        (100, 130, (("Department",), ("Actual", "2023-24"), ("Change", "(%)"))),
        (130, 150, (("Police",), ("$4,812",), ("5.8",))),
        (150, 170, (("Works",), ("$2,908",), ("4.9",))),
    )
    for top, bottom, cells in rows:
        for at, lines in enumerate(cells):
            page.draw_rect((edges[at], top, edges[at + 1], bottom), width=0.5)
            for number, words in enumerate(lines):
                page.insert_text((edges[at] + 4, top + 12 + 12 * number), words, fontsize=9)
    (table,) = tables_in(document.tobytes(), "a.pdf")
    actual, change = cell_of(table, "Police", "Actual"), cell_of(table, "Police", "Change")
    assert (actual.column_header, actual.period) == (("Actual 2023-24",), "2023/24")
    assert (str(change.amount), change.unit) == ("5.8", "%")


def test_a_scale_told_of_all_amounts_on_the_first_page_holds_on_others_but_for_counts() -> None:
    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    first = "All amounts in this report are in thousands of euros unless otherwise stated."
    document.new_page().insert_text((60, 100), first, fontsize=9)
    page = document.new_page()
    rows = (
        ("", "2024", "2023"),
        ("Charter", "9,642", "9,078"),
        ("Average number of employees", "412", "398"),
    )
    for at, row in enumerate(rows):
        for x, words in zip((60, 300, 400), row, strict=True):
            page.insert_text((x, 100 + 14 * at), words, fontsize=9)
    (table,) = tables_in(document.tobytes(), "a.pdf")
    charter, employees = cell_of(table, "Charter", "2024"), cell_of(table, rows[2][0], "2024")
    assert (str(charter.amount), charter.unit) == ("9642000", "EUR")
    assert (str(employees.amount), employees.unit) == ("412", "count")


def test_labels_with_values_below_each_other_are_a_table_and_no_heads_of_the_amounts_below() -> None:
    pairs = (
        ("Manager", "Ines Okafor"),
        ("Domicile", "Luxembourg"),
        ("Currency", "EUR"),
        ("Charge", "1.15 %"),
    )
    lines = [(100 + 14 * at, (60, label), (220, value)) for at, (label, value) in enumerate(pairs)]
    listed, below = drawn(
        (
            *lines,
            (190, (240, "1 year"), (320, "3 years")),
            (204, (60, "Fund"), (245, "6.4"), (325, "11.8")),
            (218, (60, "Sector"), (245, "5.1"), (325, "9.7")),
        )
    )
    assert [(cell.label, cell.text) for cell in listed.values] == list(pairs)
    assert cell_of(below, "Fund", "3 years").text == "11.8"


def test_two_columns_of_prose_are_no_list_of_labels() -> None:
    left = ("and the harbour was", "closed for a week, so", "that the boats could", "not leave before May")
    right = (
        "while further north the",
        "ice had gone by then.",
        "The fishermen of both",
        "towns met in summer",
    )
    lines = [
        (100 + 12 * at, (60, one), (320, other))
        for at, (one, other) in enumerate(zip(left, right, strict=True))
    ]
    assert drawn(tuple(lines)) == []


def test_a_unit_beside_an_amount_is_its_unit_and_a_limit_is_a_row() -> None:
    (table,) = drawn(
        (
            (100, (60, "Test"), (230, "Result"), (300, "Unit")),
            (114, (60, "Urea"), (230, "14.2"), (300, "mmol/L")),
            (128, (60, "Potassium"), (230, "3.1"), (300, "mmol/L")),
            (142, (60, "T4"), (230, "< 10"), (300, "nmol/L")),
        )
    )
    assert cell_of(table, "Urea", "Result").unit == "mmol/L"
    assert cell_of(table, "T4", "Result").text == "< 10"
