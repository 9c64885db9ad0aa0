"""What cells hold, and what the words of a question call for."""

from __future__ import annotations

from decimal import Decimal

import pytest

from provgraph.derivation.tables.amounts import amount_text
from provgraph.derivation.tables.cell_values import cell_value
from provgraph.derivation.tables.grid import grid_of, transposed
from provgraph.derivation.tables.question_words import TableQuestion


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("10,200", 10200), ("$11 million", 11_000_000), ("7th", 7), ("T3", 3), ("(1,234)", -1234), ("14.0%", 14),
        ("1 420 436", 1_420_436), ("7 3", 7),
        ("2:05.5", Decimal("125.5")), ("27–3", 27), ("−5", -5), ("£250,000 (est.)", 250_000),
        ("none", None), ("Oslo", None),
    ],
)  # fmt: skip
def test_the_number_of_a_cell(text: str, number: int | Decimal | None) -> None:
    assert cell_value(text).number == number


@pytest.mark.parametrize(
    ("text", "date"),
    [("14 April 2010", (2010, 4, 14)), ("1998", (1998, 1, 1)), ("2000-01", (2000, 1, 1)), ("12 laps", None)],
)
def test_the_date_of_a_cell(text: str, date: tuple[int, int, int] | None) -> None:
    assert cell_value(text).date == date


@pytest.mark.parametrize(
    ("text", "sign", "number"),
    [
        ("more than 300 boats", ">", 300), ("at least 2 wins", ">=", 2), ("20 or more points", ">=", 20),
        ("10,000 at most", "<=", 10000), ("no more than 3", "<=", 3), ("below 50 km", "<", 50),
        ("after 2010", ">", 2010),
        ("in or after 2005", ">=", 2005), ("in 1996", "=", 1996), ("between 2001 and 2005", "in", 2001),
    ],
)  # fmt: skip
def test_a_bound_is_read_with_its_sign(text: str, sign: str, number: int) -> None:
    (bound,) = TableQuestion(text).bounds
    assert str(bound.sign) == sign
    assert bound.number == number


def test_words_of_a_bound_call_for_no_operation() -> None:
    assert "most" not in TableQuestion("which ships carry more than 300 people?").operators
    assert "most" in TableQuestion("which ship carries the most people?").operators


def test_dates_are_read_in_any_case() -> None:
    (bound,) = TableQuestion("who left before 1 august 2001?").bounds
    assert (bound.sign, bound.date) == ("<", (2001, 8, 1))


@pytest.mark.parametrize(
    ("number", "unit", "scale", "said"),
    [
        ("(5,207)", "USD", 1_000_000, "-$5,207 million"), ("12.5", "%", 1, "12.5%"), ("(0.6) %", "%", 1, "-0.6%"),
        ("80", "shares", 1_000, "80 thousand shares"), ("41", "", 1, "41"),
    ],
)  # fmt: skip
def test_an_amount_is_said_with_unit_and_scale(number: str, unit: str, scale: int, said: str) -> None:
    assert amount_text(number, unit, scale) == said


def test_columns_become_rows_only_where_their_heads_are_periods() -> None:
    by_year = transposed(grid_of([["Output", "2019", "2020"], ["Steel", "4", "5"]]))
    assert by_year is not None
    assert [cell.text for cell in by_year.headers] == ["Year", "Steel"]
    assert [[cell.text for cell in row] for row in by_year.rows] == [["2019", "4"], ["2020", "5"]]
    assert transposed(grid_of([["Name", "Town", "Age"], ["Ann", "Oslo", "5"]])) is None
