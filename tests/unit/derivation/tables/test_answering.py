"""Questions to tables: the answer, its steps, the cells that are cited, and what is said of completeness."""

from __future__ import annotations

from dataclasses import replace

import pytest

from provgraph.derivation.tables.answering import NAMED, TableAnswer, answer_from_tables
from provgraph.derivation.tables.grid import Grid, grid_of

PEAKS = grid_of(
    [
        ["Mountain", "Country", "Height (m)", "First ascent"],
        ["Alto", "Peru", "6,100", "1932"],
        ["Brisk", "Nepal", "7,020", "3 May 1955"],
        ["Corno", "Peru", "5,990", ""],
        ["Dent", "Nepal", "n/a", "1971"],
        ["Total", "", "", ""],
    ],
    document="peaks.csv",
)
RACES = grid_of(
    [
        ["Year", "Race", "Location", "Winner", "Laps"],
        ["2001", "Harbour Cup", "Oslo", "Ida Berg", "30"],
        ["2002", "Island Tour", "Bergen", "Per Holm", "24"],
        ["2003", "Harbour Cup", "Oslo", "Ida Berg", "31"],
        ["2004", "Fjord Prize", "Oslo", "Liv Strand", "24"],
    ],
    document="races.csv",
)
DUES = grid_of(
    [["Member", "Dues", "Joined"], ["Ann", "$40", "2010"], ["Bob", "$25", "2012"], ["Cid", "$35", "2009"]]
)


PUMPS = grid_of(
    [
        ["Pump", "Maker", "Length (km)", "Failures", "Leaves"],
        ["TX-1", "Orr", "1 250", "0", "08:25"],
        ["TX-2", "Holt", "3 531", "4", "10:02"],
        ["TX-3", "Orr", "2 850", "2", "09:10"],
        ["TX-4", "Orr", "980", "0", "23:30"],
    ],
    document="pumps.csv",
)


def answered(text: str, *grids: Grid) -> TableAnswer:
    answer = answer_from_tables(text, grids)
    assert answer is not None
    return answer


@pytest.mark.parametrize(
    ("text", "grid", "expected"),
    [
        ("Which mountain is the highest?", PEAKS, "Brisk"),
        ("How many mountains are in Peru?", PEAKS, "2"),
        ("How many mountains are there?", PEAKS, "4"),
        ("When was Brisk first climbed?", PEAKS, "3 May 1955"),
        ("In what year was Brisk climbed?", PEAKS, "1955"),
        ("What is the difference in height between Alto and Corno?", PEAKS, "110"),
        ("Which is taller, Alto or Brisk?", PEAKS, "Brisk"),
        ("List the mountains over 6,000 m", PEAKS, "Alto; Brisk"),
        ("What is the average height of the mountains in Peru?", PEAKS, "6,045"),
        ("Who won the Harbour Cup in 2003?", RACES, "Ida Berg"),
        ("How many races were held in Oslo?", RACES, "3"),
        ("Which race was held after the Island Tour?", RACES, "Harbour Cup"),
        ("Which race had at least 31 laps?", RACES, "Harbour Cup"),
        ("What was the last race in Oslo?", RACES, "Fjord Prize"),
        ("Which winner has won the most races?", RACES, "Ida Berg"),
        ("How many different winners are there?", RACES, "3"),
        ("What are the total dues of all members?", DUES, "$100"),
        ("Which member has the lowest dues?", DUES, "Bob"),
    ],
)
def test_a_question_is_answered_from_rows(text: str, grid: Grid, expected: str) -> None:
    assert answered(text, grid).derived.text == expected


def test_every_cell_that_was_used_is_cited_with_its_exact_characters() -> None:
    answer = answered("What is the difference in height between Alto and Corno?", PEAKS)
    cited = {PEAKS.text[each.words.start : each.words.end] for each in answer.cells}
    assert cited == {"Alto", "Corno", "6,100", "5,990"}
    assert all(
        each.sentence.start <= each.words.start < each.words.end <= each.sentence.end for each in answer.cells
    )


def test_steps_name_their_operation_and_what_they_used() -> None:
    steps = answered("How many mountains are in Peru?", PEAKS).derived.steps
    assert [(step.operation, step.value, step.uses) for step in steps] == [
        ("filter rows", "2", ()),
        ("count", "2", (0,)),
    ]


def test_what_was_not_read_is_said() -> None:
    answer = answered("Which mountain is the highest?", PEAKS)
    assert (
        answer.derived.completeness
        == "4 of 5 rows were read; 1 with totals left out; 1 has no number in “Height (m)”."
    )


def test_of_several_tables_the_one_that_the_words_stand_in_answers() -> None:
    answer = answered("Who won the Fjord Prize?", PEAKS, DUES, RACES)
    assert answer.derived.text == "Liv Strand"
    assert {each.passage.document for each in answer.cells} == {"races.csv"}


@pytest.mark.parametrize(
    "text",
    [
        "Who painted the Night Watch?",
        "Where was the composer of the opera born?",
        "Is the treaty still in force?",
        "",
    ],
)
def test_a_question_to_something_else_is_refused(text: str) -> None:
    assert answer_from_tables(text, [PEAKS, RACES, DUES]) is None


def test_odd_tables_do_not_fail() -> None:
    empty = Grid((), ())
    ragged = grid_of([["A"], ["1", "2", "3"], []])
    assert answer_from_tables("Which A is the highest?", [empty, ragged]) is None
    assert answer_from_tables("Which is highest?", []) is None


def test_years_across_the_top_are_read_as_rows() -> None:
    grid = grid_of(
        [
            ["Output", "2019", "2020", "2021"],
            ["Steel (t)", "410", "380", "455"],
            ["Glass (t)", "60", "71", "64"],
        ]
    )
    assert answered("Which year had the largest output of steel?", grid).derived.text == "2021"


def test_a_misspelt_name_is_found() -> None:
    assert answered("How many races did Ida Beerg win?", RACES).derived.text == "2"


def test_a_cell_of_a_column_read_as_a_row_is_cited_in_its_own_line() -> None:
    grid = grid_of(
        [
            ["Output", "2019", "2020", "2021"],
            ["Steel (t)", "410", "380", "455"],
            ["Glass (t)", "60", "71", "64"],
        ]
    )
    answer = answered("Which year had the largest output of steel?", grid)
    assert "Steel (t) | 410 | 380 | 455" in {each.sentence.text for each in answer.cells}
    assert not any("\n" in each.sentence.text for each in answer.cells)


@pytest.mark.parametrize(
    "text", ["What was the last race in Oslo?", "Who won the first two races?", "Which race was held first?"]
)
def test_every_step_has_cells_or_earlier_steps(text: str) -> None:
    answer = answer_from_tables(text, [RACES], least=0, about_least=0)
    assert answer is not None
    assert all(step.supports or step.uses for step in answer.derived.steps)


TOWNS = grid_of(
    [
        ["Official name", "Kind", "Area km2", "Matches"],
        ["Arden", "Town", "41", "12"],
        ["Belmore", "Village", "12", "7"],
        ["Cray", "Town", "130", "9"],
        ["Total", "", "183", "28"],
    ],
    document="towns.csv",
)


@pytest.mark.parametrize(
    "text",
    [
        "How many lakes have an area less than 100 km?",
        "What is the total number of boats?",
        "What is the total number of her second place finishes?",
    ],
)
def test_a_table_that_does_not_know_what_is_counted_gives_no_answer(text: str) -> None:
    assert answer_from_tables(text, [TOWNS]) is None


def test_what_is_not_so_is_taken_out() -> None:
    assert answered("How many names are not of a town?", TOWNS).derived.text == "1"


def test_overall_asks_for_the_sum_of_a_column_of_numbers() -> None:
    assert answered("How many matches were there overall?", TOWNS).derived.text == "28"


FERRIES = grid_of(
    [
        ["Sailing", "From", "To", "Departs", "Boat"],
        ["1", "Ardle", "Ryde", "06:40", "Gannet"],
        ["2", "Ryde", "Ardle", "08:30", "Gannet"],
        ["3", "Ardle", "Skarn", "09:15", "Tern"],
        ["4", "Ardle", "Ryde", "13:20", "Tern"],
    ],
    document="ferries.csv",
)
BIKES = grid_of(
    [
        ["Code", "Bike", "Weight", "Gears"],
        ["B-1", "Meadow", "17.5", "3"],
        ["B-2", "Swift", "8.1", "22"],
        ["B-3", "Kiddo", "9.6", "1"],
    ],
    document="bikes.csv",
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How many sailings go from Ardle to Ryde?", "2"),
        ("When does the ferry from Ardle to Skarn leave?", "09:15"),
    ],
)
def test_a_value_is_of_the_column_that_the_word_before_it_names(text: str, expected: str) -> None:
    assert answered(text, FERRIES).derived.text == expected


def test_no_program_leaves_out_a_value_that_is_led_to_its_column() -> None:
    assert answer_from_tables("When does the ferry from Skarn to Ryde leave?", [FERRIES]) is None


def test_a_superlative_is_of_the_column_of_its_adjective_and_a_code_is_no_name() -> None:
    assert answered("Which bike is the lightest?", BIKES).derived.text == "Swift"


def test_a_question_that_two_tables_answer_otherwise_is_refused() -> None:
    other = grid_of(
        [["Code", "Bike", "Weight", "Gears"], ["C-1", "Harbour", "22", "8"], ["C-2", "Otter", "7", "1"]]
    )
    assert answer_from_tables("Which bike is the lightest?", [BIKES, other]) is None


def test_the_heading_of_a_section_lends_its_words_to_no_statement() -> None:
    rows = [["", "2022", "2021"], ["Prepaid expenses", "$ 8,770", "$ 8,100"], ["Inventories", "400", "300"]]
    grid = grid_of(rows, caption="Market for our stock › Balance sheets")
    grid = replace(grid, rows=tuple(tuple(replace(cell, unit="USD") for cell in row) for row in grid.rows))
    assert answer_from_tables("What was the marketing expense in 2022?", [grid]) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What is the second longest pump?", "TX-3"),
        ("Is TX-1 longer than TX-4?", "yes"),
        ("Is TX-1 longer than TX-2?", "no"),
        ("How many makers are there?", "2"),
        ("How many pumps had more than three failures?", "1"),
        ("Which pumps had no failures?", "TX-1; TX-4"),
        ("When does TX-2 leave?", "10:02"),
    ],
)
def test_orders_comparisons_and_what_is_counted_are_read(text: str, expected: str) -> None:
    assert answered(text, PUMPS).derived.text == expected


def test_of_a_table_that_was_named_what_its_rows_are_need_not_be_said_there() -> None:
    text = "How many machines are longer than 2,000 km?"
    assert answer_from_tables(text, [PUMPS]) is None
    named = answer_from_tables(text, [PUMPS], (), *NAMED)
    assert named is not None
    assert named.derived.text == "2"
    assert answer_from_tables("How many lakes are there?", [PUMPS], (), *NAMED) is None


TOOLS = grid_of(
    [
        ["Item no.", "Tool", "Kind", "In stock", "Reorder level"],
        ["T-104", "Cordless drill", "Power tools", "14", "6"],
        ["T-118", "Sander", "Power tools", "3", "5"],
        ["T-131", "Claw hammer", "Hand tools", "52", "20"],
        ["T-171", "Ear defenders", "Protection", "0", "0"],
        ["T-190", "Pipe cutter", "Hand tools", "11", "6"],
    ]
)
SCORERS = grid_of(
    [
        ["Player", "Position", "Born", "Goals", "Assists"],
        ["Aksel Dahl", "Forward", "1996", "27", "19"],
        ["Rikard Lind", "Forward", "2001", "18", "22"],
        ["Teemu Harju", "Defence", "1989", "6", "15"],
        ["Otso Laine", "Defence", "1999", "3", "12"],
    ]
)


@pytest.mark.parametrize(
    ("grid", "question", "expected"),
    [
        (TOOLS, "Which tool is out of stock?", "Ear defenders"),
        (TOOLS, "Which tools have fewer in stock than their reorder level?", "Sander"),
        (TOOLS, "How many more claw hammers than pipe cutters are in stock?", "41"),
        (TOOLS, "What is the total number of items in stock of hand tools?", "63"),
        (TOOLS, "How many different kinds are there?", "3"),
        (SCORERS, "Who is the oldest player?", "Teemu Harju"),
        (SCORERS, "Who had more assists, Dahl or Lind?", "Rikard Lind"),
        (SCORERS, "What is the total number of goals of the defenders?", "9"),
    ],
)
def test_plain_questions_to_a_list_of_things_are_answered(grid: Grid, question: str, expected: str) -> None:
    answer = answer_from_tables(question, [grid], (), *NAMED)
    assert answer is not None
    assert answer.derived.text == expected
