"""Whether the cells of an answer are of what a question asks: of its years, and of the measure that it names.

A value of the right row says nothing where its column is of another year, or measures another thing: "gross profit" is
no cell below "Net sales", "the completion date" none below "Start date".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from provgraph.derivation.tables.candidate import Candidate
from provgraph.derivation.tables.cell_periods import year_of, years_in
from provgraph.derivation.tables.column_selection import PLACES
from provgraph.derivation.tables.grid import Grid
from provgraph.derivation.tables.item_names import names_in
from provgraph.derivation.tables.linking import alike, measures_of
from provgraph.derivation.tables.question_words import TableQuestion
from provgraph.derivation.tables.rows import Place
from provgraph.language.fiscal_years import ending_year
from provgraph.language.terms import FUNCTION_WORDS, terms

_TELLS_LITTLE: Final = frozenset(
    terms(
        "number numbers amount amounts total value values figure figures sum date dates day year years fiscal fy q1 q2 "
        "q3 q4 quarter half period actual unit units thousand thousands million millions count "
        "note notes first last no reported restated"
    )
)
"""Words of a column's head that do not say what is measured."""
_ENDS: Final = (
    frozenset(terms("start started begin began open opened launch launched")),
    frozenset(
        terms(
            "end ended finish finished complete completed completion close closed due payable expire expires"
        )
    ),
)
_PLANS: Final = frozenset(terms("budget forecast target plan"))
_HEADS: Final = frozenset(
    terms("date number price cost rate share name time fee budget salary revenue income profit")
)
"""Words that say what is measured only with the word before them: a start date is no completion date."""

_QUALITIES: Final = frozenset(terms("expensive costly populous populated attended"))
"""Words behind "most" and "least" that say which column is compared."""
_WHAT_DATE: Final = re.compile(r"\b(?:what|which) (?:exact )?(?:date|day)\b", re.IGNORECASE)
_DATE_OF: Final = re.compile(
    r"\b(?:date|day|year) of (?P<event>birth|death|[a-z]+(?:ing|tion|ment|ure|al|sion))\b"
)
_WHAT_PART: Final = re.compile(r"\b(?:what|which) (?:\w+ )?(?:quarter|month)\b", re.IGNORECASE)
_HAS_PART: Final = re.compile(
    r"quarter|\bQ[1-4]\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\d-\d", re.IGNORECASE
)
_MORE_THAN: Final = re.compile(
    r"\bhow (?:many|much) (?:[a-z]+ ){0,2}(?:more|less|fewer|(?:old|young|long|short|tall|high|low|warm|cold|cheap|"
    r"heavi|light|wid|deep|larg|small|fast|slow)e?r)\b(?! than \W?\d).*\bthan\b",
    re.IGNORECASE,
)
_GAINS: Final = re.compile(
    r"\bhow many \w+(?: \w+)? (?:did|does|do)\b.{1,80}\b(?:lose|gain|shed|add)\b", re.IGNORECASE
)
_HAS: Final = re.compile(
    r"\bhow many \w+(?: \w+)? (?:did|does|do|has|had)\b.{1,80}\b(?:have|employ|had|has)\b", re.IGNORECASE
)
_KINDS: Final = tuple(
    frozenset(terms(group))
    for group in (
        "profit loss income surplus deficit ebit",
        "sales revenue revenues turnover income takings",
        "cost costs expense expenses expenditure",
        "assets",
        "liabilities debt borrowings loans",
        "tax taxes",
        "dividend dividends",
        "headcount employees staff workforce fte",
        "salary salaries remuneration wages",
        "depreciation amortisation amortization",
    )
)
"""What figures of companies measure, in the words that mean the same of it."""


def is_of_what_is_asked(
    candidate: Candidate, question: TableQuestion, grid: Grid, elsewhere: frozenset[str] = frozenset()
) -> bool:
    """Whether an answer is of the years, the measure, the names and the kind that the question asks for."""
    return (
        is_of_asked_years(candidate, question, grid)
        and is_of_asked_measure(candidate, question, grid)
        and is_of_asked_extreme(candidate, question, grid)
        and is_of_asked_kind(candidate, question, grid)
        and has_asked_names(candidate, question, grid, elsewhere)
        and has_asked_numbers(candidate, question, grid)
    )


def is_of_asked_years(candidate: Candidate, question: TableQuestion, grid: Grid) -> bool:
    """Whether the cells of an answer are of the years that the question names, as far as heads or the caption tell."""
    asked = _with_ends(_spanned(years_in(question.text)))
    if not asked:
        return True
    put_to_rows = _is_put_to_rows(question)
    told = [_years_of(grid, place, put_to_rows) for place in _deciding(candidate)]
    of_caption = _with_ends(years_in(grid.caption.rpartition(" › ")[2]))
    if not any(told):
        return not of_caption or bool(of_caption & asked) or _holds(grid, asked)
    return all(not years or years & asked for years in told)


def _deciding(candidate: Candidate) -> Iterable[Place]:
    """The cells of the answer itself, and those that it was computed from."""
    return (*candidate.cells, *candidate.steps[-1].cells)


def _is_put_to_rows(question: TableQuestion) -> bool:
    """Whether years of the question are those by which rows are chosen: "after 2010", "the same as in 1964"."""
    is_bound = any(bound.date is not None and bound.sign[0] in "<>" for bound in question.bounds)
    return is_bound or bool(question.operators.keys() & {"same", "next", "previous"})


def _years_of(grid: Grid, place: Place, put_to_rows: bool) -> frozenset[str]:
    """The years of a cell by what stands over it, or by its row where the question does not choose rows by years."""
    row, column = place
    year = year_of(grid.cell(row, column))
    is_of_row = year in grid.rows[row][0].text or (bool(grid.columns) and grid.columns[0].kind == "date")
    if year and is_of_row and put_to_rows:
        return frozenset()
    return _with_ends([year] if year else years_in(grid.headers[column].text))


def _with_ends(years: Iterable[str]) -> frozenset[str]:
    """The years, and for those that lie in two the one that they end in."""
    return frozenset(each for year in years for each in (year, ending_year(year) if "/" in year else year))


def _spanned(years: Sequence[str]) -> list[str]:
    """The years, and those between where there are two: "from 2020 to 2023"."""
    if len(years) != 2 or not all(map(str.isdigit, years)):
        return list(years)
    return [str(year) for year in range(int(years[0]), int(years[1]) + 1)]


def _holds(grid: Grid, years: frozenset[str]) -> bool:
    """Whether the rows tell years themselves."""
    return any(year in cell.text for row in grid.rows for cell in row for year in years)


def is_of_asked_measure(candidate: Candidate, question: TableQuestion, grid: Grid) -> bool:
    """Whether the column of a number or date measures what the question names, as far as its head tells."""
    if candidate.kind in ("entity", "list"):
        first = min(question.focus, default=-1)
        if (
            question.asks == "what"
            and first in _behind_what(question)
            and _is_of_another_column(candidate, question, first, grid)
        ):
            return False
        figures = {question.words[n].term for n in question.focus if n <= first + 1}
        return question.asks != "what" or not any(kind & figures for kind in _KINDS)
    if candidate.kind not in ("number", "date") or not candidate.cells:
        return True
    columns = {column for _, column in candidate.steps[-1].cells} - candidate.rows.columns
    asked = {word.term for word in question.words}
    return all(
        _measures(column, candidate, question, grid) and not _is_of_another_kind(asked, row, column, grid)
        for row, column in candidate.steps[-1].cells
        if column in columns
    )


def _behind_what(question: TableQuestion) -> set[int]:
    """The word that stands right behind "what", if there is one: "what mileage"."""
    whats = [n for n, word in enumerate(question.words) if word.text.casefold() == "what"]
    return {n + 1 for n in whats}


def _is_of_another_column(candidate: Candidate, question: TableQuestion, first: int, grid: Grid) -> bool:
    """Whether the first word behind "what" heads a column of numbers, and the answer is of another one."""
    columns = {column for _, column in candidate.steps[-1].cells}
    meant = {
        column.index
        for column in grid.columns
        if column.kind == "number"
        and any(alike(question.words[first].term, term) for term in column.header_terms)
    }
    return bool(meant) and not columns & meant


def _is_of_another_kind(asked: set[str], row: int, column: int, grid: Grid) -> bool:
    """Whether what stands over or beside a cell measures another kind of figure than the question names."""
    above = grid.sections[row] if row < len(grid.sections) else ()
    beside = " ".join((grid.headers[column].text, grid.cell(row, 0).text, *above))
    said = set(terms(f"{beside} {grid.caption.rpartition(' › ')[2]}"))
    kinds = [kind for kind in _KINDS if kind & asked]
    return bool(kinds) and any(not kind & said for kind in kinds) and any(kind & said for kind in _KINDS)


def is_of_asked_kind(candidate: Candidate, question: TableQuestion, grid: Grid) -> bool:
    """Whether the answer is what such a question is answered by: yes or no, a date; and no count of rows where it is
    asked how many somebody has."""
    if question.is_yes_no and candidate.kind != "yes-no" and "or" not in question.operators:
        return False
    if candidate.steps[-1].operation == "exists" and question.content - candidate.covered:
        return False
    if candidate.kind == "date" and not _is_of_event(candidate, question, grid):
        return False
    if _WHAT_DATE.search(question.text):
        return candidate.kind == "date"
    if candidate.kind == "count" and _HAS.search(question.text):
        return "filter value share" in candidate.features and not _counts_one(candidate, question, grid)
    if candidate.kind == "number" and _MORE_THAN.search(question.text):
        return candidate.steps[-1].operation == "difference"
    if _WHAT_PART.search(question.text) and not _HAS_PART.search(" ".join(candidate.texts)):
        return False
    return candidate.kind != "count" or not (
        _GAINS.search(question.text) or _counts_one(candidate, question, grid)
    )


def _is_of_event(candidate: Candidate, question: TableQuestion, grid: Grid) -> bool:
    """Whether a date is of what the question asks the date of: the "date of birth" stands below no "Start date"."""
    event = _DATE_OF.search(question.text)
    if event is None:
        return True
    heads = {term for _, column in candidate.steps[-1].cells for term in grid.columns[column].header_terms}
    return any(alike(term, head) for term in terms(event["event"]) for head in heads)


def _counts_one(candidate: Candidate, question: TableQuestion, grid: Grid) -> bool:
    """Whether what is counted is the one row that the question names, and not what it asks how many of: the line that
    is called "Engineering" for its staff."""
    name = grid.name_column
    if candidate.texts != ("1",) or name is None or name not in candidate.rows.columns:
        return False
    counted = [question.words[n].term for n in question.counted]
    return not any(alike(term, head) for term in counted for head in grid.columns[name].header_terms)


def has_asked_names(
    candidate: Candidate, question: TableQuestion, grid: Grid, elsewhere: frozenset[str]
) -> bool:
    """Whether a number, or date, is of all that the question names, as far as tables know it (`elsewhere` are the words
    of heads and labels of all of them): net sales of a segment are not those in Europe."""
    if candidate.kind not in ("number", "date", "count"):
        return True
    above = {term for head in grid.headers for term in head.value.words} | set(
        terms(f"{grid.title} {grid.caption}")
    )
    met = {question.words[n].term for n in candidate.covered}
    return not (names_in(question.text) & elsewhere) - above - met


def has_asked_numbers(candidate: Candidate, question: TableQuestion, grid: Grid) -> bool:
    """Whether every number of the question that is a head, or names a row, was used: the run "1203" of a timetable."""
    heads = {head.words for head in grid.headers} | {row[0].words for row in grid.rows}
    places = [place for step in candidate.steps for place in step.cells]
    used = {
        words
        for row, column in places
        for words in (grid.headers[column].words, grid.cell(row, column).words)
    }
    numbers = {word.text for word in question.words if word.text.isdigit()}
    return candidate.kind not in ("number", "date", "entity") or not (numbers & heads) - used


def is_of_asked_extreme(candidate: Candidate, question: TableQuestion, grid: Grid) -> bool:
    """Whether what is compared is what the word for the most measures: the oldest has no least "Square feet"; and
    whether what is named is no place where it is asked who."""
    if question.asks.startswith("who") and candidate.kind in ("entity", "list"):
        heads = {term for _, column in candidate.cells for term in grid.columns[column].header_terms}
        if heads & PLACES:
            return False
    compared = {
        question.words[n].term for name in ("most", "least") for n in question.operators.get(name, ())
    }
    special = [term for term in compared if measures_of(term)] + qualities_behind_most(question)
    for step in candidate.steps:
        if step.operation in ("maximum", "minimum") and step.cells:
            column = grid.columns[step.cells[0][1]]
            if (
                column.kind == "number"
                and special
                and column.header_terms
                and not any(alike(term, head) for term in special for head in column.header_terms)
            ):
                return False
    return True


def qualities_behind_most(question: TableQuestion) -> list[str]:
    """What the word behind "most" or "least" measures, where it is a quality: "most expensive" is of a price."""
    at = question.operators.get("most", frozenset()) | question.operators.get("least", frozenset())
    behind = [question.words[n + 1].term for n in at if n + 1 < len(question.words)]
    return [term for term in behind if term in _QUALITIES]


def _measures(column: int, candidate: Candidate, question: TableQuestion, grid: Grid) -> bool:
    head = [term for term in grid.columns[column].header_terms if not term.isdigit()]
    telling = [term for term in head if term not in _TELLS_LITTLE | _PLANS]
    if candidate.kind == "date" and _is_other_end(telling, {word.term for word in question.words}):
        return False
    if not telling:
        return True
    asked = [word.term for word in question.words]
    met = [term for term in telling if any(alike(each, term) for each in asked)]
    if question.asks == "when" and candidate.kind == "date":
        return not _is_other_end(telling, set(asked))
    if not met:
        return not _names_another(candidate, question, grid)
    return set(met) - _HEADS != set() or not _is_narrowed(met, telling, question)


def _is_other_end(telling: Iterable[str], asked: set[str]) -> bool:
    """Whether a head tells when something began and the question asks when it ended, or the other way round."""
    said = set(telling)
    return any(one & said and other & asked and not one & asked for one, other in (_ENDS, _ENDS[::-1]))


def _names_another(candidate: Candidate, question: TableQuestion, grid: Grid) -> bool:
    """Whether a word that says what is asked for stands neither over the table and its columns nor in a cell by which
    the rows were chosen."""
    chosen = (grid.cell(*place) for step in candidate.rows.steps for place in step.cells)
    held = {term for cell in (*grid.headers, *chosen) for term in cell.value.words} | set(terms(grid.caption))
    heads = {term for head in grid.headers for term in head.value.words}
    names = names_in(question.text)
    asked = {
        question.words[n].term for n in question.focus | _budgets(question) if question.words[n].is_content
    }
    return any(
        term not in held | _TELLS_LITTLE and not any(alike(term, head) for head in heads)
        for term in asked - names
    )


def _budgets(question: TableQuestion) -> frozenset[int]:
    """The words that say which of several amounts is meant: what is budgeted, what is planned."""
    return frozenset(n for n, word in enumerate(question.words) if word.term in _PLANS)


def _is_narrowed(met: list[str], telling: list[str], question: TableQuestion) -> bool:
    """Whether head and question each have another word before the same one."""
    for number, word in enumerate(question.words):
        if word.term not in met or not number:
            continue
        before = question.words[number - 1]
        own = telling.index(next(term for term in telling if term == word.term))
        is_told = before.is_content and before.text.casefold() not in FUNCTION_WORDS
        if own and is_told and not any(alike(before.term, term) for term in telling):
            return True
    return False
