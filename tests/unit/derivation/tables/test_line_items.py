"""Line items of statements by period: amounts with unit and scale, changes, and derived figures with their formula."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from provgraph.derivation.result import Derived
from provgraph.derivation.tables.formulas import formula_in, formulas
from provgraph.derivation.tables.grid import Grid, GridCell, grid_of
from provgraph.derivation.tables.item_questions import line_item_answer

NAMES = (("capital expenditure", "capex", "purchases of plant and equipment"), ("revenue", "net sales"),
         ("operating income", "operating profit"), ("cost of revenue", "cost of sales"))  # fmt: skip


def statement(rows: list[list[str]], caption: str, unit: str = "USD", scale: int = 1_000_000) -> Grid:
    grid = grid_of(rows, title="Larkspur Mills annual report", caption=caption)
    body = tuple(
        (row[0], *(measured(cell, unit, scale) for cell in row[1:])) for row in grid.rows
    )  # fmt: skip
    return replace(grid, rows=body)


def measured(cell: GridCell, unit: str, scale: int) -> GridCell:
    return (
        replace(cell, unit="%", scale=1) if cell.text.endswith("%") else replace(cell, unit=unit, scale=scale)
    )


GRIDS = [
    statement(
        [
            ["", "2022", "2021"],
            ["Net sales", "$ 2,400", "$ 2,000"],
            ["Cost of sales", "1,500", "1,300"],
            ["Operating profit", "360", "250"],
            ["Effective tax rate", "21.5%", "24.0%"],
        ],
        "Consolidated statements of income",
    ),
    statement(
        [["", "2022", "2021"], ["Purchases of plant and equipment", "(310)", "(275)"]],
        "Statements of cash flows",
    ),
]


def answered(text: str) -> Derived:
    answer = line_item_answer(text, GRIDS, NAMES)
    assert answer is not None
    return answer


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What is the FY2022 capital expenditure (in USD millions) of Larkspur Mills?", "$310 million"),
        ("What was capex in fiscal 2021?", "$275 million"),
        ("How much revenue did Larkspur have in 2022?", "$2,400 million"),
        ("What was the effective tax rate in 2021?", "24.0%"),
        ("What is the gross margin in FY2022?", "37.5%"),
        ("What was the operating margin for 2022?", "15.0%"),
        ("What was the cost of sales in 2022 as a percentage of net sales?", "62.5%"),
        ("What is operating income less capex for FY2022?", "$50 million"),
        (
            "What was the year-over-year growth of revenue from 2021 to 2022?",
            "20.0% (from $2,000 million in 2021 to $2,400 million in 2022)",
        ),
        (
            "How much has the effective tax rate changed between FY2021 and FY2022?",
            "-2.5 percentage points (from 24.0% in 2021 to 21.5% in 2022)",
        ),
        (
            "How much did operating profit change between 2021 and 2022?",
            "$110 million (from $250 million in 2021 to $360 million in 2022)",
        ),
    ],
)  # fmt: skip
def test_a_line_item_is_answered_with_unit_and_scale(text: str, expected: str) -> None:
    assert answered(text).text == expected


def test_the_cell_is_cited_as_it_is_printed() -> None:
    (step,) = answered("What was capex in 2022?").steps
    (cited,) = step.supports
    assert cited.words.text == "(310)"
    assert GRIDS[1].text[cited.words.start : cited.words.end] == "(310)"
    assert "printed as (310): an outflow" in step.explanation


def test_a_derived_figure_shows_its_formula_and_the_cells_of_each_part() -> None:
    steps = answered("What is the gross margin in FY2022?").steps
    assert [step.operation for step in steps] == ["look up", "look up", "compute"]
    assert steps[-1].uses == (0, 1)
    assert "(revenue - cost of revenue) / revenue" in steps[-1].explanation


@pytest.mark.parametrize(
    "text",
    [
        "What was the number of employees in 2022?",
        "What was the revenue in 2017?",
        "Who audits Larkspur Mills?",
        "Has revenue been restated in 2022?",
        "What are the total assets?",
    ],
)
def test_what_no_table_says_is_not_answered(text: str) -> None:
    assert line_item_answer(text, GRIDS, NAMES) is None


def test_a_division_by_nothing_gives_no_figure() -> None:
    grid = statement([["", "2022"], ["Net sales", "0"], ["Operating profit", "5"]], "Income")
    assert line_item_answer("What is the operating margin in 2022?", [grid], NAMES) is None


def test_every_formula_can_be_computed() -> None:
    assert all(formula.value(lambda item, _: Decimal(len(item))) is not None for formula in formulas())


def test_the_longest_name_of_a_formula_counts() -> None:
    found = formula_in("the EBITDA margin of 2020")
    assert found is not None
    assert found.unit == "%"
