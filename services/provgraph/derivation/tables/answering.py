"""A question and tables in, a short answer with its steps, its cells and a statement of completeness out.

    answer_from_tables(question, grids) → TableAnswer | None

Of many tables those are tried that share most with the question by title, caption, headers and cells.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from provgraph.derivation.evidence import Support
from provgraph.derivation.plain_kinds import is_of_plain_other_kind
from provgraph.derivation.result import Derived, Step
from provgraph.derivation.tables.amounts import amount_text
from provgraph.derivation.tables.asked_cells import (
    is_of_asked_extreme,
    is_of_what_is_asked,
    qualities_behind_most,
)
from provgraph.derivation.tables.asked_operations import carries_out
from provgraph.derivation.tables.asked_tables import askable, computable, share_said
from provgraph.derivation.tables.averages import average_answer, average_asked
from provgraph.derivation.tables.candidate import Candidate
from provgraph.derivation.tables.cell_support import support_of
from provgraph.derivation.tables.column_filters import BESIDE_OWN, THAN_OWN
from provgraph.derivation.tables.computed_answers import SURE, ComputedAnswers
from provgraph.derivation.tables.extremes import extreme_line_item
from provgraph.derivation.tables.grid import Grid, headed, transposed
from provgraph.derivation.tables.item_names import Names
from provgraph.derivation.tables.item_questions import asked_items, asks_share, line_item_answer
from provgraph.derivation.tables.linking import Links
from provgraph.derivation.tables.movements import movement_answer, movement_asked
from provgraph.derivation.tables.operands import Computed
from provgraph.derivation.tables.question_words import OPERATORS, TableQuestion
from provgraph.derivation.tables.row_changes import change_answer, change_asked
from provgraph.derivation.tables.row_filters import NEGATED
from provgraph.derivation.tables.rows import Rows, TableStep
from provgraph.derivation.tables.scoring import about, by_answer, confidence, features_of, model, score
from provgraph.derivation.tables.timetables import Timetable
from provgraph.derivation.tables.value_programs import ValuePrograms
from provgraph.language.terms import terms

THRESHOLD: Final = 0.55
"""The least confidence with which an answer is given: at it three of four answers are right (docs/table-answers.md)."""

ABOUT: Final = 0.5
"""The least likelihood that the question is one to the table, where nobody says of which tables it is asked."""

NAMED: Final = (0.5, 0.1)
"""`THRESHOLD` and `ABOUT` where somebody says of which document it is asked: of 115 questions 67 of 88 answers are
right, and of 230 questions to another table 15 are given an answer."""

_TIED: Final = 0.9
"""Of two tables with other answers that are so nearly as likely, nobody can tell which is meant."""

LEAST_LINE_ITEM: Final = 0.7
"""The same for line items of statements."""

_CHOICE: Final = re.compile(
    r"(?:which|who|what|whose)\b[^,:]*[,:]\s*+(?:the )?(?P<one>[^,?]{1,200}?) or "
    r"(?:the )?(?P<other>[^,?]{1,200}?)[\s?]*$",
    re.IGNORECASE,
)
_THAT_IS: Final = re.compile(
    r"(?<=\bthe )[a-z][a-z -]{2,60},? \(?(?:i\.e\.|that is|in other words),? ", re.IGNORECASE
)
"""A figure that a question defines behind it: "the gross margin, i.e. gross profit as a percentage of revenue"."""
_PERIODS: Final = frozenset(terms("years periods seasons quarters months editions"))
_OFTEN: Final = re.compile(r"\b(?:most|least) (?:often|frequently|common(?:ly)?|frequent)\b", re.IGNORECASE)
_HOW_MANY_MORE: Final = re.compile(r"\bhow (?:many|much) (?:more|fewer|less)\b.*\bthan\b", re.IGNORECASE)
"""Asks for the difference, not for what exceeds something."""
_ASKS_WHICH_THING: Final = re.compile(
    r"(?:in |at |for |from |on )?(?:who|whose|which (?!(?:\w+ ){0,2}(?:year|date|day|month|number|amount|price|season|"
    r"round|week|size|age|score|percentage|rank\b|position|place|time|share|value|figure|quarter|century|decade|rate)s?\b)"
    r"\w+)\b",
    re.IGNORECASE,
)
"""A question that no bare number answers: "which pump weighs most"."""
_MORE_THAN_IN_YEAR: Final = re.compile(
    r"\bhow (?:many|much) (?:\w+ )?(?:more|fewer|less)\b.*\bthan in (?:FY)?\W?(?:19|20)\d\d", re.IGNORECASE
)
"""Asks by how much something changed from year to year."""
_SHARE_ASKED: Final = re.compile(
    r"\s*(?:by |in )?(?:what|which) (?:percent\w*|share|proportion|fraction|part)\b(?! point)", re.IGNORECASE
)
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
            (support.passage.key, support.words): support
            for step in self.derived.steps
            for support in step.supports
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

    Where nobody says that it is asked of these tables, only those are asked that have half of the words that the
    question is about, and what it counts.

    `names` are, for each line item of statements, what it is called. `about_least` is less than `ABOUT` where somebody
    says so.
    """
    grids = [headed(grid) for grid in grids]
    statement = statement_answer(text, grids, names, least)
    if statement is not None:
        return statement
    is_named = about_least < ABOUT
    computed = _computed(text, computable(text, grids))
    if computed is not None:
        return computed
    if movement_asked(text) is not None or change_asked(text) is not None or _MORE_THAN_IN_YEAR.search(text):
        return None
    elsewhere = frozenset(
        term
        for grid in grids
        for row in (grid.headers, *(row[:1] for row in grid.rows))
        for c in row
        for term in c.value.words
    )
    answers = [
        (
            own,
            answer,
            own * answer.derived.confidence * math.sqrt(share_said(text, grid)),
        )
        for grid in askable(text, grids, is_named)
        for own, answer in _answers(text, grid, elsewhere)
        if not is_of_plain_other_kind(text, answer.derived.text)
    ]
    fitting = [
        answer for answer in answers if answer[0] >= about_least and answer[1].derived.confidence >= least
    ]
    if not fitting:
        return None
    _, best, likelihood = max(fitting, key=lambda each: each[2])
    rivals = (other for _, answer, other in answers if answer.derived.text != best.derived.text)
    is_tied = not is_named and any(other >= _TIED * likelihood for other in rivals)
    return None if is_tied else best


def _computed(text: str, grids: Sequence[Grid]) -> TableAnswer | None:
    """What is computed of the cells that a question names, where all tables that have such cells give the same."""
    found = [each for each in (_computed_of(text, grid) for grid in grids) if each is not None]
    if not found or len({computed.text for computed, _ in found}) > 1:
        return None
    computed, grid = found[0]
    cell = grid.cell(*computed.steps[-1].cells[0])
    said = amount_text(computed.text, cell.unit, cell.scale) if computed.has_unit else computed.text
    complete = completeness(computed.rows, grid)
    return TableAnswer(Derived(said, computed.kind, cited_steps(computed.steps, grid), SURE, complete))


def _computed_of(text: str, grid: Grid) -> tuple[Computed, Grid] | None:
    """What is computed of one table, as a timetable where it is one."""
    question = _question_to(text, grid)
    for view in filter(None, (grid, transposed(grid))):
        if (of_run := Timetable(question, view).best()) is not None:
            return of_run, view
    computed = ComputedAnswers(question, grid).best()
    return None if computed is None else (computed, grid)


def _question_to(text: str, grid: Grid) -> TableQuestion:
    return TableQuestion(text, frozenset(terms(f"{grid.title} {grid.caption}")))


def statement_answer(
    text: str, grids: Sequence[Grid], names: Sequence[Sequence[str]] = (), least: float = LEAST_LINE_ITEM
) -> TableAnswer | None:
    """The answer where a question is about line items of statements, None where it is not."""
    text = _THAT_IS.sub("", text)
    answer = _of_statements(text, grids, names, least)
    return None if answer is not None and _lacks_share(text, answer.derived.text) else answer


def _lacks_share(text: str, said: str) -> bool:
    """Whether a share is asked for and an amount is told."""
    return _SHARE_ASKED.match(text) is not None and "%" not in said and "percentage point" not in said


def _of_statements(
    text: str, grids: Sequence[Grid], names: Sequence[Sequence[str]], least: float
) -> TableAnswer | None:
    movement = movement_asked(text)
    if movement is not None:
        moved = movement_answer(movement, grids, names)
        return TableAnswer(moved) if moved is not None and moved.confidence >= LEAST_LINE_ITEM else None
    average = average_asked(text)
    if average is not None:
        mean = average_answer(average, grids, names)
        return TableAnswer(mean) if mean is not None and mean.confidence >= LEAST_LINE_ITEM else None
    change = change_asked(text)
    if change is not None:
        changed = change_answer(text, change, grids)
        return TableAnswer(changed) if changed is not None else None
    extreme = extreme_line_item(text, grids)
    if extreme is not None:
        return TableAnswer(extreme)
    answer = line_item_answer(text, grids, names)
    if answer is None or answer.confidence < max(least, LEAST_LINE_ITEM):
        return None
    searched = "1 table was" if len(grids) == 1 else f"{len(grids)} tables were"
    complete = " ".join(filter(None, (answer.completeness, f"{searched} searched for these line items.")))
    return TableAnswer(replace(answer, completeness=complete))


def asked_line_items(text: str, names: Names, titles: str) -> tuple[tuple[str, ...], ...]:
    """The words by which the line items that a question is about may be called; none where it is about none."""
    of_years = movement_asked(text) or average_asked(text)
    if of_years is None:
        return asked_items(text, names, titles)
    return asked_items(f"What was the {of_years.item} in {(of_years.years or ('2000',))[-1]}?", names, titles)


def _chosen_from(text: str) -> tuple[str, str] | None:
    """The two that a question gives to choose from: "Which is heavier, the TX-40 or the TX-60?"."""
    match = _CHOICE.match(text.strip())
    return (match["one"].strip(), match["other"].strip()) if match else None


def _keeps_to(question: TableQuestion, candidate: Candidate, grid: Grid) -> bool:
    """Whether a program takes out what the question takes out, no more, and sums what "overall" asks of a column."""
    if (
        bool(_OFTEN.search(question.text))
        and candidate.kind != "count"
        and "frequent" not in candidate.features
    ):
        return False
    if _HOW_MANY_MORE.search(question.text) and "exceeding" in candidate.features:
        return False
    is_beside_own = BESIDE_OWN in candidate.features and "extreme" not in candidate.features
    if THAN_OWN.search(question.text) and not is_beside_own:
        return False
    negated = candidate.features.get(NEGATED, 0.0)
    said = len(OPERATORS["not"].findall(question.text)) if "not" in question.operators else 0
    if not negated and said and question.operators["not"] <= candidate.covered:
        said = 0  # it is a word of a value, as in "Not started"
    if bool(negated) != bool(said) or negated > said:
        return False
    counted = {question.words[n].term for n in question.counted}
    name = grid.name_column
    counts_rows = name is not None and bool(counted & set(grid.columns[name].header_terms))
    if counts_rows and "sum" not in question.operators and _sums(candidate):
        return False
    numeric = {t for column in grid.columns if column.kind == "number" for t in column.header_terms}
    return candidate.kind != "count" or "sum" not in question.operators or not counted & numeric


def _sums(candidate: Candidate) -> bool:
    return any(step.operation == "sum" for step in candidate.steps)


def _is_echo(candidate: Candidate, question: TableQuestion) -> bool:
    """Whether an answer in words says nothing that the question does not."""
    if candidate.kind in ("number", "count", "date", "yes-no"):
        return False
    asked = {word.term for word in question.words}
    said = set(terms(" ".join(candidate.texts)))
    return {term for term in said if len(term) > 1} <= asked


def _answers(
    text: str, grid: Grid, elsewhere: frozenset[str] = frozenset()
) -> Iterator[tuple[float, TableAnswer]]:
    """The likeliest answer of a table, with how likely the question is one to it."""
    question = _question_to(text, grid)
    weights, made = model(), list[_Made]()
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
    scored = by_answer(_kept(text, question, made, views))
    if not scored:
        return
    best = scored[0].candidate
    view = views[id(best)]
    if not carries_out(best, question, view):
        return
    if not is_of_what_is_asked(best, question, view, elsewhere) or _lacks_share(text, _text(best, view)):
        return
    sure = round(confidence(scored, weights), 3)
    said = _text(best, view)
    complete = completeness(best.rows, view)
    answer = Derived(said, best.kind, cited_steps(best.steps, view), sure, complete)
    yield about(scored, weights), TableAnswer(answer)


_Made = tuple[float, dict[str, float], Candidate]


def _kept(
    text: str, question: TableQuestion, made: Sequence[_Made], views: Mapping[int, Grid]
) -> Sequence[_Made]:
    """The programs that take out what the question takes out, and give what it asks for."""
    made = [each for each in made if _keeps_to(question, each[2], views[id(each[2])])]
    made = [each for each in made if not (each[1]["transposed"] and _counts_periods(each[2], question))]
    beside_own = [
        each for each in made if BESIDE_OWN in each[2].features and "extreme" not in each[2].features
    ]
    made = beside_own or made
    if either := _chosen_from(text):
        wanted = [set(terms(each)) for each in either]
        texts = [set(terms(_text(each[2], views[id(each[2])]))) for each in made]
        made = [
            each for each, said in zip(made, texts, strict=True) if any(one and one <= said for one in wanted)
        ]
    if qualities_behind_most(question):
        made = [each for each in made if is_of_asked_extreme(each[2], question, views[id(each[2])])]
    if asks_share(text):
        made = [each for each in made if _is_share(each[2], views[id(each[2])])]
    if _ASKS_WHICH_THING.match(text.strip()):
        made = [each for each in made if each[2].kind not in ("number", "count")]
    if question.asks and "or" not in question.operators and not question.is_yes_no:
        made = [each for each in made if not _is_echo(each[2], question)]
    return made


def _counts_periods(candidate: Candidate, question: TableQuestion) -> bool:
    """Whether periods are counted where something else is asked for: columns as rows are years."""
    counted = {question.words[n].term for n in question.counted}
    return candidate.kind == "count" and bool(counted) and not counted & _PERIODS


def _is_share(candidate: Candidate, grid: Grid) -> bool:
    cells = [grid.cell(*place) for place in candidate.cells]
    return any(cell.unit == "%" or "%" in cell.text for cell in cells) or "%" in " ".join(candidate.texts)


def _text(candidate: Candidate, grid: Grid) -> str:
    """The answer as it is said: a single number with its unit and scale."""
    if candidate.kind == "number" and len(candidate.texts) == 1 and candidate.cells:
        cell = grid.cell(*candidate.cells[0])
        return amount_text(candidate.texts[0], cell.unit, cell.scale)
    return "; ".join(candidate.texts)


def cited_steps(steps: Iterable[TableStep], grid: Grid) -> tuple[Step, ...]:
    """The steps with the cells they read as support; a step uses those before it that nothing used yet."""
    made: list[Step] = []
    open_steps: list[int] = []
    for number, step in enumerate(steps):
        uses = () if step.operation == "filter rows" else tuple(open_steps)
        open_steps = [*(open_step for open_step in open_steps if open_step not in uses), number]
        supports = tuple(support_of(grid, place) for place in step.cells[:MOST_CELLS])
        made.append(Step(step.operation, step.value, step.explanation, supports, uses))
    return tuple(made)


def completeness(rows: Rows, grid: Grid) -> str:
    """What was read, in a sentence or two: "11 of 11 rows were read; 2 have no number in “Points”."."""
    total, left_out = len(grid.rows), len(grid.total_rows)
    parts = [f"{total - left_out} of {total} rows were read"]
    if left_out:
        parts.append(f"{left_out} with totals left out")
    for column, missing in dict(rows.unread).items():
        if missing:
            kind = "date" if grid.columns[column].kind == "date" else "number"
            have = "has" if missing == 1 else "have"
            parts.append(f"{missing} {have} no {kind} in “{grid.columns[column].header}”")
    return f"{'; '.join(parts)}."
