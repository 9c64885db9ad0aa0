"""Statements of a whole report: which of many tables a line item is read from, sections, and what rose or fell."""

from __future__ import annotations

from dataclasses import replace

import pytest

from provgraph.derivation.tables.answering import asked_line_items, statement_answer
from provgraph.derivation.tables.grid import Grid, grid_of
from provgraph.derivation.tables.item_questions import line_item_answer
from provgraph.derivation.tables.line_items import LineItems

NAMES = (("revenue", "net sales"), ("cash and cash equivalents", "cash"), ("liability", "liabilities"))


def table(rows: list[list[str]], caption: str, key: str, sections: dict[int, str] | None = None) -> Grid:
    grid = grid_of(rows, title="Larkspur Mills annual report", caption=caption, document="larkspur")
    body = tuple(
        (row[0], *(replace(cell, unit="USD", scale=1_000_000) for cell in row[1:])) for row in grid.rows
    )
    above = tuple((sections[n],) if sections and n in sections else () for n in range(len(body)))
    return replace(grid, rows=body, key=key, sections=above)


INCOME = table(
    [["", "2022", "2021"], ["Net sales", "$ 2,400", "$ 2,000"], ["Research and development", "(90)", "(95)"]],
    "Consolidated statements of income",
    "page/10",
)
BALANCE = table(
    [
        ["", "2022", "2021"],
        ["Cash and cash equivalents", "120", "140"],
        ["Trade payables", "300", "260"],
        ["Loans", "450", "700"],
        ["Pensions", "80", "90"],
        ["Total liabilities", "830", "1,050"],
    ],
    "Consolidated balance sheets",
    "page/11",
    {1: "Liabilities", 2: "Liabilities", 3: "Liabilities", 4: "Liabilities"},
)
PART = table(
    [["", "2022", "2021"], ["Research and development", "(12)", "(14)"]], "Unallocated items", "page/3"
)
AGAIN = replace(PART, key="page/30")
BY_REGION = table(
    [["", "2022", "2021"], ["Nordic Countries", "700", "650"], ["Iberia", "1,700", "1,350"]],
    "Segments › Net sales",
    "page/20",
)
OTHER_BY_REGION = table(
    [["", "2022", "2021"], ["Nordic Countries", "31", "25"]], "Segments › Lease costs", "page/21"
)
LOANS = table([["", "2023", "2024"], ["Repayments", "45", "45"]], "Maturities", "page/33")
GRIDS = [PART, AGAIN, INCOME, BALANCE, OTHER_BY_REGION, BY_REGION, LOANS]


FISCAL = table(
    [["", "2023/24", "2022/23", "2021/22"], ["Fee income", "130", "110", "90"], ["Grants", "40", "50", "30"]],
    "Consolidated statement of income",
    "page/40",
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What was fee income in 2023/24?", "$130 million"),
        ("What was fee income in FY22/23?", "$110 million"),
        ("What was fee income in 2022-23?", "$110 million"),
        ("What was fee income in FY2024?", "$130 million"),
        (
            "How did grants change from 2022/23 to 2023/24?",
            "-$10 million",
        ),
        ("By how much did grants fall in 2023/24?", "$10 million"),
        ("What was fee income from 2021/22 to 2023/24 in total?", "$330 million"),
        ("Did fee income rise in 2023/24?", "yes"),
        ("Did grants go up in 2023/24 against the year before?", "no"),
        ("What was the average annual fee income from 2021/22 to 2023/24?", "$110.0 million"),
        ("What was fee income in 2021?", None),
    ],
)
def test_a_fiscal_year_over_two_calendar_years_is_asked_for_in_each_of_its_forms(
    text: str, expected: str | None
) -> None:
    answer = statement_answer(text, [FISCAL], NAMES)
    assert (None if answer is None else answer.derived.text) == expected


def short(text: str) -> str | None:
    answer = statement_answer(text, GRIDS, NAMES)
    return None if answer is None else answer.derived.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How much did Larkspur spend on research and development in 2022?", "$90 million"),
        ("What were net sales in the Nordic Countries in 2021?", "$650 million"),
        ("How much cash did Larkspur have at the end of 2021?", "$140 million"),
        ("What is the cash of Larkspur Mills?", "$120 million"),
        ("What was the largest liability of Larkspur in 2021?", "Loans"),
        ("What was its smallest liability in 2022?", "Pensions"),
        ("Did revenue increase in 2022?", "yes"),
        ("Did Larkspur's revenue fall between 2021 and 2022?", "no"),
        ("Has cash declined?", "yes"),
    ],
)
def test_one_of_many_tables_has_the_answer(text: str, expected: str) -> None:
    assert short(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "What were net sales in Patagonia in 2022?",
        "What was the largest goodwill in 2022?",
        "Did goodwill increase in 2022?",
        "Did revenue increase in 2019?",
        "What is the backlog of Larkspur Mills?",
    ],
)
def test_what_no_statement_has_is_not_answered_by_another_line(text: str) -> None:
    assert short(text) is None


def test_the_year_of_most_tables_is_the_latest_and_not_one_to_come() -> None:
    assert LineItems(GRIDS, NAMES).latest == "2022"


def test_yes_and_no_show_both_values_and_cite_both_cells() -> None:
    answer = statement_answer("Did revenue increase in 2022?", GRIDS, NAMES)
    assert answer is not None
    assert answer.derived.completeness == "It rose from $2,000 million in 2021 to $2,400 million in 2022."
    assert {cell.words.text for cell in answer.cells} == {"$ 2,000", "$ 2,400"}


def test_what_was_compared_for_a_largest_row_is_cited_without_the_total() -> None:
    answer = statement_answer("What was the largest liability in 2022?", GRIDS, NAMES)
    assert answer is not None
    assert {cell.words.text for cell in answer.cells} == {"300", "450", "80"}


def test_lines_of_as_many_tables_with_other_amounts_are_less_sure() -> None:
    other = replace(PART, key="page/31", rows=((PART.rows[0][0], *BALANCE.rows[0][1:]),))
    sure = line_item_answer("What was research and development in 2022?", [PART], NAMES)
    unsure = line_item_answer("What was research and development in 2022?", [PART, other], NAMES)
    assert sure is not None
    assert unsure is not None
    assert unsure.confidence < sure.confidence


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("What was the revenue in 2022?", True),
        ("Did the revenue of Larkspur increase?", True),
        ("What was the goodwill in 2020?", True),
        ("Who was the first president?", False),
        ("Where does the company operate?", False),
        ("How many children did she have?", False),
    ],
)
def test_a_question_about_no_line_item_looks_through_no_document(text: str, asked: bool) -> None:
    assert bool(asked_line_items(text, NAMES, "Larkspur Mills annual report")) == asked
