"""Which rows changed most between two periods, which rose or fell, and how many of them."""

from __future__ import annotations

import pytest

from provgraph.derivation.tables.answering import NAMED, answer_from_tables
from provgraph.derivation.tables.grid import Grid, grid_of

CAMPS = grid_of(
    [
        ["Valley", "Guests 2021", "Guests 2022", "Guests 2023", "Beds 2023"],
        ["Arla", "100", "120", "90", "40"],
        ["Brenn", "900", "950", "1,050", "300"],
        ["Corva", "400", "380", "470", "120"],
        ["Dossa", "50", "60", "66", "20"],
        ["All valleys", "1,450", "1,510", "1,676", "480"],
    ],
    title="Mountain camps",
    caption="Guests by valley",
    document="camps.csv",
)
WARDS = grid_of(
    [
        ["Ward", "Budget 2024", "Budget 2025", "Change, $", "Change %"],
        ["Surgery", "900", "960", "60", "6.7%"],
        ["Children", "200", "240", "40", "20.0%"],
        ["Eyes", "120", "110", "(10)", "(8.3%)"],
        ["Hearts", "450", "500", "50", "11.1%"],
    ],
    title="Hospital budget",
    caption="Spending by ward",
    document="wards.csv",
)


def said(text: str, grid: Grid) -> str:
    answer = answer_from_tables(text, [grid], (), *NAMED)
    return answer.derived.text if answer is not None else ""


@pytest.mark.parametrize(
    ("text", "grid", "expected"),
    [
        ("Which valley had the largest increase in guests between 2022 and 2023?", CAMPS, "Brenn"),
        ("In which valley did guests grow fastest between 2021 and 2023?", CAMPS, "Dossa"),
        ("Which valleys had fewer guests in 2023 than in 2022?", CAMPS, "Arla"),
        ("In how many valleys did the guests increase between 2022 and 2023?", CAMPS, "3"),
        ("Which ward gets the largest increase in dollars in the 2025 budget?", WARDS, "Surgery"),
        ("Which ward has the largest percentage increase in the 2025 budget?", WARDS, "Children"),
    ],
)
def test_rows_are_told_by_what_changed(text: str, grid: Grid, expected: str) -> None:
    assert said(text, grid) == expected


def test_the_sum_of_all_is_no_row_though_it_is_not_called_a_total() -> None:
    assert said("In how many valleys did the guests increase between 2021 and 2022?", CAMPS) == "3"


def test_both_values_of_the_row_are_cited() -> None:
    answer = answer_from_tables(
        "Which valley had the largest increase in guests between 2022 and 2023?", [CAMPS]
    )
    assert answer is not None
    assert [support.words.text for support in answer.derived.steps[-1].supports] == ["950", "1,050"]


@pytest.mark.parametrize(
    "text",
    [
        "Which valley had the largest increase in guests between 2019 and 2020?",
        "How many guests did the valleys lose between 2022 and 2023?",
    ],
)
def test_what_the_table_does_not_tell_is_no_answer(text: str) -> None:
    assert not said(text, CAMPS)
