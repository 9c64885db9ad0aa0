"""Line items of statements by period: amounts with unit and scale, changes, and derived figures with their formula."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from provgraph.derivation.result import Derived
from provgraph.derivation.tables.averages import average_answer, average_asked
from provgraph.derivation.tables.formulas import formula_in, formulas
from provgraph.derivation.tables.grid import Grid, GridCell, grid_of
from provgraph.derivation.tables.item_questions import line_item_answer
from provgraph.derivation.tables.short_names import short_names_asked

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
            "20.0%",
        ),
        (
            "How much has the effective tax rate changed between FY2021 and FY2022?",
            "-2.5 percentage points",
        ),
        (
            "How much did operating profit change between 2021 and 2022?",
            "$110 million",
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


@pytest.mark.parametrize(
    ("text", "expected", "told"),
    [
        (
            "By what percentage did revenue grow in 2022?",
            "20.0%",
            "From $2,000 million in 2021 to $2,400 million",
        ),
        ("How much did operating profit increase in 2022?", "$110 million", "From $250 million in 2021"),
        ("What was the change in revenue in 2022?", "$400 million", "From $2,000 million in 2021"),
    ],
)
def test_a_change_in_one_year_is_from_the_year_before_with_both_cells(
    text: str, expected: str, told: str
) -> None:
    answer = answered(text)
    assert answer.text == expected
    assert answer.completeness.startswith(told)
    assert len([step for step in answer.steps if step.supports]) == 2


def test_a_row_that_is_itself_a_change_is_looked_up() -> None:
    grid = statement(
        [["", "2022", "2021"], ["Net increase in cash", "70", "20"], ["Cash at end of year", "190", "120"]],
        "Statements of cash flows",
    )
    answer = line_item_answer("What was the net increase in cash in 2022?", [grid])
    assert answer is not None
    assert answer.text == "$70 million"


def test_a_row_whose_name_has_net_of_is_one_line_item_also_in_the_words_of_its_company() -> None:
    rows = [
        ["", "2022", "2021"],
        ["Revenues net of interest expense", "500", "430"],
        ["Interest expense", "40", "30"],
    ]
    grids = [
        statement(rows, "Consolidated statements of income"),
        statement(
            [rows[0], ["Revenues net of interest expense", "90", "80"]], "Larkspur Mills services, selected"
        ),
    ]
    text = "What was the increase in Larkspur Mills' revenues net of interest expense from 2021 to 2022?"
    answer = line_item_answer(text, grids)
    assert answer is not None
    assert answer.text == "$70 million"


SEGMENTS = replace(
    statement(
        [
            ["", "2022", "2021"],
            ["Revenues:", "", ""],
            ["Mills", "300", "250"],
            ["Services", "100", "150"],
            ["Total revenues", "400", "400"],
        ],
        "Segments",
    ),
    sections=((), ("Revenues",), ("Revenues",), ()),
)


def test_the_share_of_a_part_is_of_the_whole_above_it() -> None:
    answer = line_item_answer("What percentage of revenues came from Mills in 2022?", [SEGMENTS])
    assert answer is not None
    assert (answer.text, len(answer.steps)) == ("75.0%", 3)


def test_the_share_of_what_no_table_has_is_not_taken_from_a_row_like_it() -> None:
    text = "What percentage of revenues came from export contracts in 2022?"
    other = statement([["", "2022", "2021"], ["Export revenues", "89%", "88%"]], "One segment")
    assert line_item_answer(text, [SEGMENTS, other]) is None


def test_no_margin_is_computed_from_the_cost_of_one_part_and_the_revenue_of_all() -> None:
    rows = [
        ["", "2022", "2021"],
        ["Products", "200", "190"],
        ["Premiums", "100", "90"],
        ["Total revenues", "300", "280"],
        ["Cost of products sold", "150", "140"],
    ]
    names = (("revenue", "total revenues"), ("cost of revenue", "cost of products sold"))
    grid = statement(rows, "Consolidated statements of income")
    assert line_item_answer("What was the gross margin in 2022?", [grid], names) is None


def test_of_tables_with_the_same_amount_the_statement_is_cited() -> None:
    review = statement(
        [["", "2022", "2021"], ["Net sales", "$ 2,400", "$ 2,000"]], "Consolidated results, reviewed"
    )
    answer = line_item_answer("What were net sales in 2022?", [replace(review, key="review"), *GRIDS], NAMES)
    assert answer is not None
    assert answer.steps[0].supports[0].passage.key != "review"


def test_a_sentence_before_a_table_of_a_note_is_no_name_of_a_statement() -> None:
    rows = [["", "2022", "2021"], ["Long-term debt", "14", "12"]]
    lease = statement(rows, "Supplemental balance sheet information related to leases is as follows:")
    sheet = statement([rows[0], ["Long-term debt", "504", "519"]], "Consolidated balance sheets")
    for grids in ([lease, sheet], [sheet, lease]):
        answer = line_item_answer("How much long-term debt was there in 2022?", grids)
        assert answer is not None
        assert answer.text == "$504 million"


DIVISIONS = statement(
    [
        ["", "2022 Sales", "2022 Profit", "2021 Sales", "2021 Profit"],
        ["Bakes", "$ 90", "$ 12", "$ 80", "$ 11"],
        ["Ovens", "60", "7", "55", "9"],
    ],
    "Segments",
)
_OF_PARTS = statement([["", "a", "b", "c"], ["Net sales", "30", "27", "85"]], "Statements of income")
PARTS_OF_YEARS = replace(
    _OF_PARTS,
    rows=(
        tuple(
            replace(cell, period=period)
            for cell, period in zip(
                _OF_PARTS.rows[0], ("", "P3M/2022-09-30", "P3M/2021-09-30", "P9M/2022-09-30"), strict=True
            )
        ),
    ),
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("What was the profit of Ovens in 2021?", "$9 million"),
        ("What were the sales of Bakes in 2022?", "$90 million"),
        ("What was the profit of the Boats segment in 2022?", ""),
    ],
)
def test_below_one_year_the_measure_tells_the_column(text: str, said: str) -> None:
    answer = line_item_answer(text, [DIVISIONS], NAMES)
    assert (answer.text if answer else "") == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("What were net sales in the third quarter of 2022?", "$30 million"),
        ("What were net sales for the nine months ended September 30, 2022?", "$85 million"),
        ("What were net sales in the second quarter of 2022?", ""),
        ("What were net sales in 2022?", ""),
    ],
)
def test_a_part_of_a_year_is_not_the_year(text: str, said: str) -> None:
    answer = line_item_answer(text, [PARTS_OF_YEARS], NAMES)
    assert (answer.text if answer else "") == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "What is the mill yield in 2022? Mill yield is defined as: 2022 operating income / 2022 net sales.",
            "0.15",
        ),
        (
            "What is the swing in 2022? Swing is defined as: 10 * (change in net sales between 2021 and 2022).",
            "$4,000 million",
        ),
        ("What is the haze in 2022? Haze is defined as: whatever / 0.", ""),
    ],
)
def test_a_figure_that_the_question_defines_is_computed(text: str, said: str) -> None:
    answer = line_item_answer(text, GRIDS, NAMES)
    assert (answer.text if answer else "") == said


def test_an_average_over_years_has_the_value_of_each() -> None:
    asked = average_asked("What is the 2021 to 2022 2 year average of capex as a % of net sales?")
    assert asked is not None
    answer = average_answer(asked, GRIDS, NAMES)
    assert answer is not None
    assert answer.text == "13.35%"
    assert answer.steps[-1].uses


def test_a_balance_is_not_taken_from_the_rows_of_its_changes() -> None:
    moves = statement([["", "2022", "2021"], ["Inventories", "(40)", "15"]], "Statements of cash flows")
    moves = replace(moves, sections=(("Changes in assets and liabilities",),))
    stock = statement([["", "2022", "2021"], ["Inventories, net of reserves of $5", "400", "360"]], "Other")
    answer = line_item_answer("What were the inventories in 2022?", [moves, stock], NAMES)
    assert answer is not None
    assert answer.text == "$400 million"


def test_what_was_spent_for_a_thing_is_not_what_it_is_worth_at_the_end_of_a_year() -> None:
    sheet = statement(
        [["", "2023", "2022"], ["Property, plant and equipment", "388.6", "371.2"]], "Balance sheet"
    )
    spending = [
        ["", "2023", "2022"],
        ["Purchases of property, plant and equipment", "(66.2)", "(58.1)"],
    ]
    names = (
        ("capital expenditure", "purchases of property, plant and equipment"),
        ("property, plant and equipment", "fixed assets"),
    )
    assert line_item_answer("What was capital expenditure in 2023?", [sheet], names) is None
    worth = line_item_answer("What were the fixed assets in 2023?", [sheet], names)
    spent = line_item_answer(
        "What was capital expenditure in 2023?", [sheet, statement(spending, "Cash flows")], names
    )
    assert worth is not None
    assert worth.text == "$388.6 million"
    assert spent is not None
    assert spent.text == "$66.2 million"


PARTS_OF_MILLS = statement(
    [["", "2022", "2021"], ["PFL(b)", "710", "650"], ["Kiln & Oven", "490", "480"]],
    "Operating profit/(loss) of each division",
)
DEFINITIONS = (
    "1) Pine Flooring Lines (PFL), which makes boards;\n2) Kiln & Oven (LKO). See the Annual Plan (PFP)."
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("What was PFL's operating profit in 2022?", "$710 million"),
        ("What was the operating profit of Pine Flooring Lines in 2021?", "$650 million"),
        ("What was the operating profit of LKO in 2022?", "$490 million"),
        ("What was the operating profit in 2022?", "$360 million"),
    ],
)
def test_a_part_of_a_company_has_its_own_rows_by_its_long_and_by_its_short_name(text: str, said: str) -> None:
    names = [*NAMES, *short_names_asked(text, [DEFINITIONS])]
    answer = line_item_answer(text, [*GRIDS, PARTS_OF_MILLS], names)
    assert answer is not None
    assert answer.text == said


def test_a_short_name_of_two_things_names_none() -> None:
    texts = [DEFINITIONS, "The Pension Fund Law (PFL) holds."]
    assert short_names_asked("What is PFL?", texts) == []
    assert [name.long for name in short_names_asked("What is LKO?", texts)] == ["Kiln & Oven"]


def test_a_change_asked_of_a_table_without_years_is_not_counted() -> None:
    grid = statement([["Region", "Sales", "Staff"], ["Norland", "16.5", "210"]], "Sales by region")
    assert line_item_answer("How much did sales in Norland rise?", [grid], NAMES) is None


BY_SEGMENT = [
    statement(
        [
            ["", "2022", "2021"],
            ["Mills", "300", "250"],
            ["Charter", "100", "150"],
            ["Total revenue", "400", "400"],
        ],
        "Revenue by segment",
    ),
    statement(
        [
            ["", "2022", "2021"],
            ["Mills", "60", "25"],
            ["Charter", "-10", "15"],
            ["Total operating income", "50", "40"],
        ],
        "Operating income by segment",
    ),
]


def test_the_share_of_a_total_is_of_the_rows_that_it_sums_up() -> None:
    answer = line_item_answer("What share of total revenue came from Mills in 2022?", BY_SEGMENT)
    assert answer is not None
    assert answer.text == "75.0%"


def test_a_margin_of_one_segment_is_not_that_of_the_totals() -> None:
    assert line_item_answer("What was the operating margin of Charter in 2022?", BY_SEGMENT) is None
    whole = line_item_answer("What was the operating margin in 2022?", BY_SEGMENT)
    assert whole is not None
    assert whole.text == "12.5%"
