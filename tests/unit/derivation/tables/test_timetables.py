"""Timetables: stops as rows and runs as columns, dashes where a run does not stop."""

from __future__ import annotations

from dataclasses import replace

import pytest

from provgraph.derivation.tables.answering import NAMED, answer_from_tables
from provgraph.derivation.tables.grid import GridCell, grid_of, headed

BUSES = grid_of(
    [
        ["Stop", "1201", "1203", "1205", "1207"],
        ["Corrin Station", "05:50", "08:20", "13:05", "22:40"],
        ["Mill Lane", "06:02", "–", "13:17", "–"],
        ["Abbey Square", "06:15", "08:41", "13:30", "23:02"],
        ["Hexley Market", "06:40", "09:04", "13:56", "00:25"],
    ],
    title="Buses of line 12",
    document="buses.html",
)
WITHOUT_HEADS = replace(
    BUSES, headers=tuple(GridCell("") for _ in BUSES.headers), rows=(BUSES.headers, *BUSES.rows)
)


def said(text: str) -> str:
    answer = answer_from_tables(text, [BUSES], (), *NAMED)
    return answer.derived.text if answer is not None else ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("When does bus 1205 leave Abbey Square?", "13:30"),
        ("Does bus 1203 stop at Mill Lane?", "no"),
        ("Does bus 1201 stop at Mill Lane?", "yes"),
        ("Which buses stop at Mill Lane?", "1201; 1205"),
        ("Which buses do not stop at Mill Lane?", "1203; 1207"),
        ("How long does bus 1207 take from Corrin Station to Hexley Market?", "1 hour 45 minutes"),
        ("When is the last bus from Corrin Station?", "22:40"),
        ("When is the first bus from Abbey Square after 9 o'clock?", "13:30"),
        ("When does bus 1209 leave Abbey Square?", ""),
        ("When does bus 1203 leave Mill Lane?", ""),
    ],
)
def test_a_run_is_told_by_its_stop(text: str, expected: str) -> None:
    assert said(text) == expected


def test_numbers_over_times_of_day_are_heads_though_nothing_marks_them_so() -> None:
    assert headed(WITHOUT_HEADS).headers == BUSES.headers
