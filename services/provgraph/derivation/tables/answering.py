"""A question and tables in, a short answer with its steps, its cells and a statement of completeness out.

    answer_from_tables(question, grids) → TableAnswer | None

Of many tables those are tried that share most with the question by title, caption, headers and cells.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from provgraph.derivation.evidence import ReadPassage, Support
from provgraph.derivation.result import Derived, Step
from provgraph.derivation.tables.amounts import CURRENCIES, amount_text
from provgraph.derivation.tables.averages import average_answer, average_asked
from provgraph.derivation.tables.candidate import Candidate
from provgraph.derivation.tables.cell_periods import period_of_head
from provgraph.derivation.tables.extremes import extreme_line_item
from provgraph.derivation.tables.formulas import Formula, formula_in
from provgraph.derivation.tables.grid import Grid, GridCell, transposed
from provgraph.derivation.tables.item_names import Names
from provgraph.derivation.tables.item_questions import asked_items, line_item_answer
from provgraph.derivation.tables.linking import Links, alike
from provgraph.derivation.tables.movements import movement_answer, movement_asked
from provgraph.derivation.tables.question_words import OPERATORS, TableQuestion
from provgraph.derivation.tables.row_filters import NEGATED
from provgraph.derivation.tables.rows import Place, TableStep
from provgraph.derivation.tables.scoring import about, by_answer, confidence, features_of, model, score
from provgraph.derivation.tables.value_programs import ValuePrograms
from provgraph.language.terms import FUNCTION_WORDS, terms
from provgraph.reading.propositions import Span, TextReading

THRESHOLD: Final = 0.55
"""The least confidence with which an answer is given: at it three of four answers are right (docs/table-answers.md)."""

ABOUT: Final = 0.5
"""The least likelihood that the question is one to the table, where nobody says of which tables it is asked."""

_TIED: Final = 0.9
"""Of two tables with other answers that are so nearly as likely, nobody can tell which is meant."""

LEAST_LINE_ITEM: Final = 0.7
"""The same for line items of statements."""

_CODE: Final = re.compile(r"\b(?=[\w-]*[A-Za-z])(?=[\w-]*\d)[A-Za-z][\w]*-\d[\w-]*|\b[A-Z]{2,}\d+\b")
_CHOICE: Final = re.compile(
    r"(?:which|who|what|whose)\b[^,:]*[,:]\s*(?:the )?(?P<one>[^,?]+?) or (?:the )?(?P<other>[^,?]+?)\s*\?*$",
    re.IGNORECASE,
)
_ASKS_WHICH_THING: Final = re.compile(
    r"(?:who|whose|which (?!(?:\w+ ){0,2}(?:year|date|day|month|number|amount|price|season|round|week|size|age|score|"
    r"percentage|rank|position|place|time|share|value|figure|quarter|century|decade|rate)s?\b)\w+)\b",
    re.IGNORECASE,
)
"""A question that no bare number answers: "which pump weighs most"."""
_HALF: Final = 0.5
_ANY_ROW: Final = frozenset(
    terms("game match time row entry item record event person people thing case occurrence member")
)
"""Words for what a row may be in any table."""
_OF_ANY_TABLE: Final = frozenset(
    terms(
        "table chart list listed row column entry shown given according amount number total year date month day"
    )
)
"""Words that say nothing of which table is meant."""
_MOST_TABLES: Final = 6
MOST_LOOKED_AT: Final = 1_600_000
"""Columns that are looked at for all candidates of a table together: pairs of columns grow with the square, and each
looks at the others. A table of 80 columns, or of 80 rows that is turned, has no more."""
_LEAST_COLUMNS: Final = 80

MOST_CELLS: Final = 60
"""The most cells that one step cites."""


@dataclass(frozen=True)
class TableAnswer:
    """`derived.steps` cite each cell that was used with its characters; `derived.completeness` says what was read of
    the table and what could not be."""

    derived: Derived

    @property
    def cells(self) -> tuple[Support, ...]:
        """Every cell that was used, each once: its row, and its own characters."""
        found = {
            (each.passage.key, each.words): each for step in self.derived.steps for each in step.supports
        }
        return tuple(found.values())


def answer_from_tables(
    text: str,
    grids: Sequence[Grid],
    names: Sequence[Sequence[str]] = (),
    least: float = THRESHOLD,
    about_least: float = ABOUT,
) -> TableAnswer | None:
    """The likeliest answer that is at least so likely, None where there is none.

    Where it is not known to be one to these tables, only those are asked that have half of the words that the question
    is about, and what it counts.

    `names` are, for each line item of statements, what it is called. `about_least` is 0 where the question is known to
    be one to these tables.
    """
    statement = statement_answer(text, grids, names, least)
    if statement is not None:
        return statement
    derived = formula_in(text)
    fit = [
        grid
        for grid in relevant(text, grids)
        if (not _is_of_report(grid) or _share_said(text, _under_own_caption(grid)) == 1)
        and (about_least == 0 or _share_said(text, grid) >= _HALF)
        and (about_least == 0 or _has_counted(text, grid))
        and (derived is None or _names(derived, grid))
        and _has_codes(text, grid)
    ]
    answers = [
        (
            own,
            answer,
            own * answer.derived.confidence * math.sqrt(_share_said(text, grid) if about_least else 1),
        )
        for grid in fit
        for own, answer in _answers(text, grid)
    ]
    fitting = [each for each in answers if each[0] >= about_least and each[1].derived.confidence >= least]
    if not fitting:
        return None
    _, best, likelihood = max(fitting, key=lambda each: each[2])
    rivals = (other for _, answer, other in answers if answer.derived.text != best.derived.text)
    is_tied = about_least > 0 and any(other >= _TIED * likelihood for other in rivals)
    return None if is_tied else best


def statement_answer(
    text: str, grids: Sequence[Grid], names: Sequence[Sequence[str]] = (), least: float = LEAST_LINE_ITEM
) -> TableAnswer | None:
    """The answer where a question is about line items of statements, None where it is not."""
    movement = movement_asked(text)
    if movement is not None:
        moved = movement_answer(movement, grids, names)
        return TableAnswer(moved) if moved is not None and moved.confidence >= LEAST_LINE_ITEM else None
    average = average_asked(text)
    if average is not None:
        mean = average_answer(average, grids, names)
        return TableAnswer(mean) if mean is not None and mean.confidence >= LEAST_LINE_ITEM else None
    extreme = extreme_line_item(text, grids)
    if extreme is not None:
        return TableAnswer(extreme)
    answer = line_item_answer(text, grids, names)
    if answer is None or answer.confidence < max(least, LEAST_LINE_ITEM):
        return None
    searched = "1 table was" if len(grids) == 1 else f"{len(grids)} tables were"
    return TableAnswer(replace(answer, completeness=f"{searched} searched for these line items."))


def asked_line_items(text: str, names: Names, titles: str) -> tuple[tuple[str, ...], ...]:
    """The words by which the line items that a question is about may be called; none where it is about none."""
    of_years = movement_asked(text) or average_asked(text)
    if of_years is None:
        return asked_items(text, names, titles)
    return asked_items(f"What was the {of_years.item} in {(of_years.years or ('2000',))[-1]}?", names, titles)


def relevant(text: str, grids: Sequence[Grid]) -> list[Grid]:
    """The tables that share most with the question, best first; a word that few tables have counts more."""
    asked = {term for term in terms(text) if term not in FUNCTION_WORDS}
    shared = [(_vocabulary(grid) & asked, grid) for grid in grids]
    frequency = Counter(term for having, _ in shared for term in having)
    weighed = [
        (sum(math.log(1 + len(grids) / frequency[term]) for term in having), -number, grid)
        for number, (having, grid) in enumerate(shared)
        if having
    ]
    return [grid for *_, grid in sorted(weighed, key=lambda each: each[:2], reverse=True)[:_MOST_TABLES]]


def _vocabulary(grid: Grid) -> set[str]:
    heads = [term for head in grid.headers for term in head.value.words]
    return {
        *terms(f"{grid.title} {grid.caption}"),
        *heads,
        *(t for row in grid.rows for c in row for t in c.value.words),
    }


def _has_codes(text: str, grid: Grid) -> bool:
    """Whether all designations of the question ("TX-45") stand in the table or what heads it."""
    held = f"{grid.title} {grid.caption} " + " ".join(
        cell.words for cells in (grid.headers, *grid.rows) for cell in cells
    )
    return all(code.casefold() in held.casefold() for code in _CODE.findall(text))


def _chosen_from(text: str) -> tuple[str, str] | None:
    """The two that a question gives to choose from: "Which is heavier, the TX-40 or the TX-60?"."""
    match = _CHOICE.match(text.strip())
    return (match["one"].strip(), match["other"].strip()) if match else None


def _is_of_report(grid: Grid) -> bool:
    """Whether its columns are periods and its numbers of a currency or scale: many such tables have the same words."""
    is_periodic = sum(bool(period_of_head(head.text)) for head in grid.headers) > 1
    return is_periodic and any(cell.scale > 1 or cell.unit in CURRENCIES for row in grid.rows for cell in row)


def _under_own_caption(grid: Grid) -> Grid:
    """The grid without the headings of the sections that it stands in, which say much that is not of it."""
    return replace(grid, caption=grid.caption.rpartition(" › ")[2])


def _names(derived: Formula, grid: Grid) -> bool:
    """Whether a head or a cell has a name of a derived figure, which nothing else in a table tells."""
    names = [set(terms(name)) for name in derived.names]
    said = (
        *(head.value.words for head in grid.headers),
        *(c.value.words for row in grid.rows for c in row[:1]),
    )
    return any(name <= set(words) for words in said for name in names)


def _share_said(text: str, grid: Grid) -> float:
    """How many of the words that a question is about stand in the table or what heads it (0…1)."""
    question = TableQuestion(text)
    codes = set(terms(" ".join(_CODE.findall(text))))
    content = question.content - frozenset[int]().union(*question.operators.values())
    terms_asked = [question.words[number].term for number in content]
    said = [_is_known(term, grid) for term in terms_asked if term not in codes | _OF_ANY_TABLE]
    return sum(said) / len(said) if said else 1.0


def _keeps_to(question: TableQuestion, made: Candidate, grid: Grid) -> bool:
    """Whether a program takes out what the question takes out, no more, and sums what "overall" asks of a column."""
    negated = made.features.get(NEGATED, 0.0)
    said = len(OPERATORS["not"].findall(question.text)) if "not" in question.operators else 0
    if bool(negated) != bool(said) or negated > said:
        return False
    counted = {question.words[n].term for n in question.counted}
    name = grid.name_column
    counts_rows = name is not None and bool(counted & set(grid.columns[name].header_terms))
    if counts_rows and "sum" not in question.operators and _sums(made):
        return False
    numeric = {t for column in grid.columns if column.kind == "number" for t in column.header_terms}
    return made.kind != "count" or "sum" not in question.operators or not counted & numeric


def _sums(made: Candidate) -> bool:
    return any(step.operation == "sum" for step in made.steps)


def _is_echo(made: Candidate, question: TableQuestion) -> bool:
    """Whether an answer in words says nothing that the question does not."""
    if made.kind in ("number", "count", "date", "yes-no"):
        return False
    asked = {word.term for word in question.words}
    return set(terms(" ".join(made.texts))) <= asked


def _has_counted(text: str, grid: Grid) -> bool:
    """Whether the table knows what "how many" counts, or that is what any row may be: lakes are not municipalities."""
    question = TableQuestion(text)
    counted = [
        question.words[n].term for n in sorted(question.counted) if question.words[n].term not in _ANY_ROW
    ]
    return (
        len(counted) < len(question.counted) or any(_is_known(term, grid) for term in counted) or not counted
    )


def _is_known(term: str, grid: Grid) -> bool:
    heads = {word for head in grid.headers for word in head.value.words}
    return term in _vocabulary(grid) or any(alike(term, head) for head in heads)


def _answers(text: str, grid: Grid) -> Iterator[tuple[float, TableAnswer]]:
    """The likeliest answer of a table, with how likely the question is one to it."""
    question = TableQuestion(text, frozenset(terms(f"{grid.title} {grid.caption}")))
    weights, made = model(), []
    views: dict[int, Grid] = {}
    for number, view in enumerate((grid, transposed(grid))):
        if view is None or not view.rows:
            continue
        links = Links(question, view)
        candidates = ValuePrograms(question, view).candidates()
        for candidate in islice(candidates, MOST_LOOKED_AT // max(_LEAST_COLUMNS, len(view.columns))):
            if not links.led <= candidate.covered:
                continue
            features = {**features_of(candidate, question, links), "transposed": float(number)}
            views[id(candidate)] = view
            made.append((score(features, weights), features, candidate))
    made = [each for each in made if _keeps_to(question, each[2], views[id(each[2])])]
    if either := _chosen_from(text):
        wanted = {each.casefold() for each in either}
        made = [each for each in made if _text(each[2], views[id(each[2])]).casefold() in wanted]
    if _ASKS_WHICH_THING.match(text.strip()):
        made = [each for each in made if each[2].kind not in ("number", "count")]
    if question.asks and "or" not in question.operators and not question.is_yes_no:
        made = [each for each in made if not _is_echo(each[2], question)]
    scored = by_answer(made)
    if not scored:
        return
    best = scored[0].candidate
    view = views[id(best)]
    sure = round(confidence(scored, weights), 3)
    said = _text(best, view)
    complete = completeness(best, view)
    answer = Derived(said, best.kind, cited_steps(best.steps, view), sure, complete)
    yield about(scored, weights), TableAnswer(answer)


def _text(candidate: Candidate, grid: Grid) -> str:
    """The answer as it is said: a single number with its unit and scale."""
    if candidate.kind == "number" and len(candidate.texts) == 1 and candidate.cells:
        cell = grid.cell(*candidate.cells[0])
        return amount_text(candidate.texts[0], cell.unit, cell.scale)
    return "; ".join(candidate.texts)


def cited_steps(steps: Iterable[TableStep], grid: Grid) -> tuple[Step, ...]:
    """The steps with the cells they read as support; a step uses those before it that nothing used yet."""
    passage = ReadPassage(grid.key, grid.document, grid.title, grid.text, TextReading((), ()))
    made: list[Step] = []
    open_steps: list[int] = []
    for number, step in enumerate(steps):
        uses = () if step.operation == "filter rows" else tuple(open_steps)
        open_steps = [*(each for each in open_steps if each not in uses), number]
        supports = tuple(_support(passage, grid, place) for place in step.cells[:MOST_CELLS])
        made.append(Step(step.operation, step.value, step.explanation, supports, uses))
    return tuple(made)


def _support(passage: ReadPassage, grid: Grid, place: Place) -> Support:
    """The row as the sentence, the cell as the words that decide."""
    cell = grid.cell(*place)
    row = [each for each in grid.rows[place[0]] if each.end > each.start] or [cell]
    start, end = min(each.start for each in row), max(each.end for each in row)
    if "\n" in grid.text[start:end]:
        start, end = _line(grid.text, cell)
    return Support(passage, Span(start, end, grid.text[start:end]), Span(cell.start, cell.end, cell.text))


def _line(text: str, cell: GridCell) -> tuple[int, int]:
    """The line in which a cell stands, without the bars around it."""
    start = text.rfind("\n", 0, cell.start) + 1
    end = text.find("\n", cell.end)
    line = text[start : end if end >= 0 else len(text)]
    bare = line.strip("| ")
    begin = start + line.index(bare)
    return min(begin, cell.start), max(begin + len(bare), cell.end)


def completeness(candidate: Candidate, grid: Grid) -> str:
    """What was read, in a sentence or two: "11 of 11 rows were read; 2 have no number in “Points”."."""
    total, left_out = len(grid.rows), len(grid.total_rows)
    parts = [f"{total - left_out} of {total} rows were read"]
    if left_out:
        parts.append(f"{left_out} with totals left out")
    for column, missing in dict(candidate.rows.unread).items():
        if missing:
            kind = "date" if grid.columns[column].kind == "date" else "number"
            have = "has" if missing == 1 else "have"
            parts.append(f"{missing} {have} no {kind} in “{grid.columns[column].header}”")
    return f"{'; '.join(parts)}."
