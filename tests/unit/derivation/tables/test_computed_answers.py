"""What a question asks to be computed of a table's cells is computed of all that it names, or not answered."""

from __future__ import annotations

import pytest

from provgraph.derivation.tables.answering import NAMED, answer_from_tables
from provgraph.derivation.tables.grid import Grid, grid_of

ORCHARD = grid_of(
    [
        ["Variety", "Fruit", "Planted", "Trees", "Yield 2022 (kg)", "Yield 2023 (kg)", "Minimum yield (kg)",
         "Price per kg", "Organic"],
        ["Brannok Red", "apple", "1998", "120", "4200", "5040", "4500", "1.20", "yes"],
        ["Sunmere", "apple", "2010", "85", "3100", "2790", "3000", "1.45", "no"],
        ["Little Duchess", "pear", "1987", "40", "1600", "1720", "1500", "1.80", "yes"],
        ["Grey Friar", "plum", "2015", "64", "980", "1310", "1200", "2.10", "no"],
        ["Hobb's Early", "apple", "2004", "150", "6000", "5700", "5900", "1.10", "yes"],
        ["Morrow Gold", "pear", "2012", "55", "1900", "2090", "2000", "1.95", "yes"],
        ["Vesper", "plum", "2001", "30", "720", "690", "700", "2.40", "no"],
    ],
    title="Orchard",
    document="orchard.csv",
)  # fmt: skip
HOMES = grid_of(
    [
        ["Home", "Carers", "Women 2022", "Men 2022", "Women 2023", "Men 2023", "Garden (m²)"],
        ["Elm House", "6", "1,840", "1,205", "1,902", "1,333", "320"],
        ["Kite Court", "4", "1,120", "990", "1,064", "1,071", "210"],
        ["Quay Lodge", "3", "760", "815", "802", "790", "150"],
        ["Abbey View", "5", "1,377", "1,420", "1,401", "1,388", "275"],
        ["All homes", "18", "5,097", "4,430", "5,169", "4,582", "955"],
    ],
    title="Homes of the county",
    document="homes.md",
)
SHELVES = grid_of(
    [
        ["Ware", "In stock", "Unit price (€)", "Counted"],
        ["Cup, blue", "14", "2.5", "2024-02-12"],
        ["Kettle, copper", "3", "120", "2024-02-12"],
        ["Plate, flat", "40", "4", "2024-03-01"],
    ],
    title="Pottery",
    document="shelves.csv",
)
CREW = grid_of(
    [
        ["Name", "Base", "Start date", "Hours per week", "Annual pay"],
        ["Ana Pollard", "Corrin", "2011-03-01", "39", "$28,500"],
        ["Bo Castellan", "Hexley", "2007-10-15", "39", "$30,200"],
        ["Cy Drummond", "Corrin", "2019-06-01", "25", "$19,100"],
    ],
    title="Crew of Corrin",
    document="crew.csv",
)
RACE = grid_of(
    [
        ["Place", "Rider", "Team", "Time"],
        ["1", "Ilo Brandt", "Vale", "4:11.38"],
        ["2", "Una Pryce", "Moor", "4:12.05"],
        ["3", "Eva Lund", "Vale", "4:14.77"],
    ],
    title="Hill sprint",
    document="race.csv",
)
MONTHS = grid_of(
    [
        ["Month", "Guests 2022", "Guests 2023"],
        *[
            [month, str(100 + at), str(200 + at)]
            for at, month in enumerate("Jan Feb Mar Apr May Jun Jul Aug".split())
        ],
    ],
    title="Hostel",
    document="hostel.csv",
)


def said(text: str, grid: Grid) -> str:
    answer = answer_from_tables(text, [grid], (), *NAMED)
    return answer.derived.text if answer is not None else ""


@pytest.mark.parametrize(
    ("text", "grid", "expected"),
    [
        ("How many kilograms did the pear varieties yield in 2023 altogether?", ORCHARD, "3810"),
        ("How many trees do Vesper and Sunmere have together?", ORCHARD, "115"),
        ("How many organic varieties were planted before 2005?", ORCHARD, "3"),
        ("Which varieties yielded less than their minimum yield in 2023?", ORCHARD, "Sunmere; Hobb's Early; Vesper"),
        ("By what percentage did the yield of Grey Friar rise between 2022 and 2023?", ORCHARD, "33.7%"),
        ("How many kilograms per tree did Brannok Red yield in 2023?", ORCHARD, "42"),
        ("How many times as many trees as Vesper does Hobb's Early have?", ORCHARD, "5"),
        ("What is the third most expensive variety?", ORCHARD, "Morrow Gold"),
        ("How much more did Sunmere yield in 2022 than in 2023?", ORCHARD, "310"),
        ("How many women and men together lived at Kite Court in 2023?", HOMES, "2,135"),
        ("How many women per carer did Quay Lodge have in 2023?", HOMES, "267"),
        ("How many people per square metre of garden, women and men, did Elm House have in 2023?", HOMES, ""),
        ("What share of the women in 2023 lived at Elm House?", HOMES, "36.8%"),
        ("How many men did all homes have in 2022?", HOMES, "4,430"),
        ("By how many did the men at Elm House grow from 2022 to 2023?", HOMES, "128"),
        ("What are all the blue cups in stock worth at their unit price?", SHELVES, "35.00"),
        ("What is the price of a copper kettle?", SHELVES, "120"),
        ("What does the crew of the Corrin base earn a year on average?", CREW, "$23,800"),
        ("What is the total garden in m² of Quay Lodge?", HOMES, "150"),
        ("Who has worked there longest?", CREW, "Bo Castellan"),
        ("How many seconds separated first and second place?", RACE, "0.67"),
        ("Who won the hill sprint?", RACE, "Ilo Brandt"),
        ("What was the average monthly number of guests in the first half of 2023?", MONTHS, "202.5"),
    ],
)  # fmt: skip
def test_an_operation_is_carried_out_on_all_cells_that_are_named(
    text: str, grid: Grid, expected: str
) -> None:
    assert said(text, grid) == expected


@pytest.mark.parametrize(
    ("text", "grid"),
    [
        ("How many litres of juice did Sunmere yield?", ORCHARD),
        ("What is the total number of dwarf trees?", ORCHARD),
        ("How many horses per carer did Elm House have in 2023?", HOMES),
        ("How many children did Elm House have in 2023?", HOMES),
        ("How many children does Bo Castellan have?", CREW),
        ("What is Ana Pollard's date of birth?", CREW),
        ("On what date is Ana Pollard's annual pay due?", CREW),
        ("Who won the long jump?", RACE),
    ],
)
def test_one_cell_is_no_answer_where_a_condition_or_a_measure_is_not_in_the_table(
    text: str, grid: Grid
) -> None:
    assert said(text, grid) == ""


def test_the_steps_cite_each_cell_that_was_computed_of() -> None:
    answer = answer_from_tables(
        "How many women and men together lived at Kite Court in 2023?", [HOMES], (), *NAMED
    )
    assert answer is not None
    assert [step.operation for step in answer.derived.steps] == ["filter rows", "sum"]
    assert {cell.words.text for cell in answer.cells} == {"Kite Court", "1,064", "1,071"}


FILMS = grid_of(
    [
        ["Year", "Film", "Lake", "Notes", "Prizes", "Total"],
        ["2009", "Dusk", "Sils", "Short film", "0", "4"],
        ["2011", "Ebb", "Thun", "First film in colour", "2", "7"],
        ["2012", "Flint", "Sils", "", "0", "5"],
        ["2014", "Gorse", "Brienz", "Last", "1", "3"],
    ],
    title="A director",
    document="films.csv",
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How many films were made after 2010?", "3"),
        ("What is the total number of prizes of Ebb?", ""),
        ("How many prizes did the films get altogether?", "3"),
    ],
)
def test_a_word_for_what_the_rows_are_chooses_no_rows_and_a_total_is_of_what_it_names(
    text: str, expected: str
) -> None:
    assert said(text, FILMS) == expected


def test_a_sum_over_all_rows_is_no_answer_where_rows_are_taken_out() -> None:
    assert said("What is the total number of films that did not win prizes?", FILMS) != "22"
