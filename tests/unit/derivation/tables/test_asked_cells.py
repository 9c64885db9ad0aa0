"""An answer is of the year, the measure, the names and the kind that are asked for, or it is none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from provgraph.derivation.tables.answering import NAMED, answer_from_tables
from provgraph.derivation.tables.grid import Grid, grid_of, joined

STAFF = grid_of(
    [
        ["Name", "Age", "Joined", "Desk"],
        ["Orla Finch", "57", "2019", "12"],
        ["Per Dahl", "49", "2021", "7"],
        ["Iris Cole", "60", "2014", "3"],
    ],
    title="Larkspur staff",
    caption="Officers",
)
ROOMS = grid_of(
    [
        ["Location", "Use", "Square metres"],
        ["Oslo", "Shop", "412"],
        ["Bergen", "Shop", "22"],
        ["Tromso", "Store", "96"],
    ],
    title="Larkspur staff",
    caption="Properties",
)
UNITS = grid_of(
    [
        ["Unit", "Net sales 2024", "Net sales 2023"],
        ["Valves", "1,187", "1,142"],
        ["Sensors", "751", "688"],
        ["Field", "515", "488"],
    ],
    title="Larkspur Mills",
    caption="Units",
)
PROJECTS = grid_of(
    [
        ["Project", "Start date", "Budget", "Status"],
        ["Quay", "2024-08-05", "£500", "Not started"],
        ["Lock gate", "2023-05-15", "£300", "In progress"],
        ["Crane", "2022-02-01", "£200", "Complete"],
    ],
    title="Port register",
    caption="Projects",
)


def said(text: str, *grids: Grid) -> str:
    answer = answer_from_tables(text, grids, (), *NAMED)
    return answer.derived.text if answer is not None else ""


@pytest.mark.parametrize(
    ("text", "grids", "expected"),
    [
        ("Who is the oldest of the officers?", (ROOMS, STAFF), "Iris Cole"),
        ("What were the net sales of Valves in 2023?", (UNITS,), "1,142"),
        ("List the projects that have not been started.", (PROJECTS,), "Quay"),
        ("When does the Quay project start?", (PROJECTS,), "2024-08-05"),
    ],
)
def test_what_fits_is_given(text: str, grids: tuple[Grid, ...], expected: str) -> None:
    assert said(text, *grids) == expected


def test_years_by_which_rows_are_chosen_are_not_those_that_are_asked_of() -> None:
    """A reader gives the cells of such a row the row's own year as their period."""
    films = grid_of([["Year", "Film", "Credit"], ["2008", "Ada", "Producer"], ["2011", "Bo", "Producer"]])
    rows = tuple(tuple(replace(cell, period=row[0].text) for cell in row) for row in films.rows)
    assert said("How many films came after 2010?", replace(films, rows=rows)) == "1"


@pytest.mark.parametrize(
    ("text", "grids"),
    [
        ("Who is the oldest of the officers?", (ROOMS,)),  # the least square metres are no age
        ("What were the net sales of Valves in 2021?", (UNITS,)),
        ("What was the gross profit of Valves in 2024?", (UNITS,)),
        ("What is the completion date of the Quay project?", (PROJECTS,)),
        ("When was the Quay project completed?", (PROJECTS,)),
        ("What is the budget of the Harbour project?", (PROJECTS,)),
        ("What percentage of net sales did Valves make in 2024?", (UNITS,)),
    ],
)
def test_what_does_not_fit_is_no_answer(text: str, grids: tuple[Grid, ...]) -> None:
    assert not said(text, *grids)


def test_a_table_over_two_pages_is_one_and_each_row_is_cited_on_its_own() -> None:
    first = replace(PROJECTS, key="page/1")
    rows = [["Project", "Start date", "Budget", "Status"], ["Shed", "2021-01-01", "£90", "Complete"]]
    second = replace(grid_of(rows, title="Port register", caption="Projects"), key="page/2")
    (whole,) = joined([first, second])
    answer = answer_from_tables("How many projects have the status Complete?", [whole], (), *NAMED)
    assert answer is not None
    assert answer.derived.text == "2"
    cited = {(cell.passage.key, cell.words.text) for cell in answer.cells}
    assert {("page/1", "Complete"), ("page/2", "Complete")} <= cited
    assert all(
        cell.passage.text[cell.words.start : cell.words.end] == cell.words.text for cell in answer.cells
    )


def test_tables_with_other_heads_or_of_another_document_are_not_joined() -> None:
    assert len(joined([replace(PROJECTS, key="a/page/1"), replace(PROJECTS, key="b/page/2")])) == 2
    assert len(joined([replace(PROJECTS, key="page/1"), replace(UNITS, key="page/2")])) == 2
