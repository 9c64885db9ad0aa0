"""Which computation a question asks of a table's cells, and whether an answer carries it out.

"How many pupils per teacher" asks a quotient: the number of teachers is no answer to it, however well its cell fits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from provgraph.derivation.tables.candidate import Candidate
from provgraph.derivation.tables.grid import Grid
from provgraph.derivation.tables.named_cells import NamedCells
from provgraph.derivation.tables.question_words import TableQuestion
from provgraph.language.terms import terms

_COMPARED: Final = (
    r"(?:old|young|long|short|tall|high|low|warm|cold|cheap|dear|heavi|light|wid|deep|larg|big|small|fast|slow|late|"
    r"earli|far)(?:[a-z]?e)?r|more expensive|farther|further"
)
_NUMBERS: Final = "one|two|three|four|five|six|seven|eight|nine|ten"
_MOVES: Final = (
    r"grow|grew|grown|rise|risen|rose|fall|fell|fallen|increase|decrease|decline|drop|change|shrink|shrank|climb|"
    r"go (?:up|down)|went (?:up|down)"
)
_PATTERNS: Final = {
    "percent change": rf"\b(?:by |at )?(?:what|how many) per ?cent(?:age)?\b(?! points?)(?=.*\b(?:{_MOVES})\w*)|"
    rf"\bper ?cent(?:age)? (?:change|increase|decrease|rise|fall|growth|drop|decline)\b",
    "times": r"\bhow many times\b(?=.*\b(?:as\b.+\bas|than|the [a-z]+ of)\b)",
    "per": r"\bhow (?:many|much) (?P<measure>(?:[\w-]+ ){1,4}?)(?:per|for each|for every)\b|\bdensity\b|"
    r"\b(?:ratio of|average number of) (?P<other>(?:[\w-]+ ){1,4}?)(?:per|to)\b",
    "share": r"\b(?:what|which) (?:part|share|percentage|per ?cent|proportion|fraction)\b(?! points?)|\bin per ?cent\b",
    "difference": rf"\bby how (?:much|many)\b|\bhow (?:much|many)(?P<measure>(?: [\w-]+){{0,2}}?) "
    rf"(?:more|less|fewer|{_COMPARED})\b(?=.*\bthan\b)(?! than (?:\W?\d|{_NUMBERS}))|\bdifference\b|"
    r"\bhow (?:many|much) (?P<other>(?:[a-z]+ )?)"
    r"(?:separate[ds]?|(?:are|is|was|were|lie|lies|lay) (?:there )?between)\b|\bthe gap between\b|\bmargin between\b",
    "average": r"\b(?:on )?average\b|\bmean\b",
    "product": r"\b(?:worth|total value|value of (?:all|the stock))\b|"
    r"\bat (?:their|its|the) (?:(?:selling|sale|list|unit|purchase|cost) )?(?:price|cost)s?\b",
    "sum": r"\btotals?\b|\bcombined\b|\baltogether\b|\bsum\b|\boverall\b|\bin all\b|\badded (?:together|up)\b|"
    r"\btogether\b|\bcumulative\b|\btaken together\b",
    "count": r"\bhow many\b|\b(?:the )?number of\b",
}
OPERATIONS: Final = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _PATTERNS.items()}
"""By operation, the words that ask for it; of several the first is meant."""
_CARRIED_OUT: Final = {
    "percent change": frozenset(("percent change",)),
    "times": frozenset(("quotient",)),
    "per": frozenset(("quotient",)),
    "difference": frozenset(("difference",)),
    "average": frozenset(("average",)),
    "product": frozenset(("product",)),
    "sum": frozenset(("sum", "count", "count distinct", "count items", "repeated values", "difference")),
}
"""The steps that carry an operation out."""
_HALF: Final = 0.5
_TOLD: Final = {
    "percent change": frozenset(terms("change growth increase decrease rise fall")),
    "difference": frozenset(terms("change growth increase decrease rise fall difference margin gap")),
    "average": frozenset(terms("average mean avg median per")),
    "sum": frozenset(terms("total sum overall combined all cumulative altogether whole group")),
    "product": frozenset(terms("worth value")),
    "per": frozenset(terms("per density ratio each")),
}
"""Words of a head, a label or a caption that tell that a cell says the outcome itself."""


@dataclass(frozen=True)
class AskedOperation:
    """An operation by name, and the positions of the words that ask for it."""

    name: str
    positions: frozenset[int]


def asked_operation(question: TableQuestion) -> AskedOperation | None:
    """The computation that a question asks for; None where it asks for what some cell says."""
    for name, pattern in OPERATIONS.items():
        matches = list(pattern.finditer(question.text))
        if matches:
            positions = [
                question.positions(*match.span())
                - frozenset[int]().union(
                    *(
                        question.positions(*match.span(group))
                        for group, said in match.groupdict().items()
                        if said
                    )
                )
                for match in matches
            ]
            return AskedOperation(name, frozenset[int]().union(*positions))
    return None


def carries_out(candidate: Candidate, question: TableQuestion, grid: Grid) -> bool:
    """Whether an answer computes what the question asks to be computed, or its cell is said to be the outcome."""
    asked = asked_operation(question)
    if asked is None or question.is_yes_no or candidate.kind in ("yes-no", "list"):
        return True
    if question.asks == "how many" and candidate.kind not in ("number", "count"):
        return False
    named = NamedCells(question, grid)
    if asked.name == "sum" and candidate.kind == "count" and not _counts_rows(candidate, named):
        return False
    is_plain = candidate.steps[-1].operation in ("count", "select column") and candidate.kind != "entity"
    if is_plain and _is_told_by_cells(candidate, named):
        return False
    wanted = _CARRIED_OUT.get(asked.name)
    if wanted is None or question.asks.startswith(("which", "who", "where", "when")):
        return True
    is_carried_out = any(step.operation in wanted for step in candidate.steps)
    if is_carried_out and candidate.steps[-1].operation in ("sum", "average"):
        operators = frozenset[int]().union(*question.operators.values())
        return named.is_accounted(candidate.covered, asked.positions | operators)
    return is_carried_out or _is_told(asked, candidate, grid) or _is_total_of_one(asked, candidate, question)


def _is_total_of_one(asked: AskedOperation, candidate: Candidate, question: TableQuestion) -> bool:
    """Whether a "total" is asked for of one row alone: "the total area of Lake Sils" is what its cell says."""
    is_total = asked.name == "sum" and {question.words[n].text.casefold() for n in asked.positions} == {
        "total"
    }
    chosen, last = candidate.rows.steps, candidate.steps[-1]
    is_one = len(candidate.rows.numbers) == 1 and bool(chosen)
    by_words = all(step.operation in ("filter rows", "intersect rows") for step in chosen)
    return is_total and is_one and by_words and last.operation == "select column"


def _is_told(asked: AskedOperation, candidate: Candidate, grid: Grid) -> bool:
    """Whether what stands over or beside the cells of an answer, or a word of them, says that it is the outcome."""
    telling = _TOLD.get(asked.name, frozenset())
    cells = candidate.steps[-1].cells
    said = {term for row, column in cells for term in terms(grid.headers[column].text)}
    said |= {term for row, _ in cells for term in terms(grid.labels[row])}
    said |= {term for row, _ in cells for cell in grid.rows[row][:2] for term in cell.value.words}
    return bool(said & telling)


def _counts_rows(candidate: Candidate, named: NamedCells) -> bool:
    """Whether rows were chosen for what is counted, or it is what the rows are: miles are no rows of a timetable."""
    counted = named.question.counted
    return bool(candidate.rows.steps) or bool(counted & named.row_nouns) or not counted


def _is_told_by_cells(candidate: Candidate, named: NamedCells) -> bool:
    """Whether what is counted heads a column of numbers of which nothing was used: cats below "Cats 2022"."""
    columns, counted = named.grid.columns, named.question.counted - candidate.rows.covered - named.row_nouns
    counts_rows = candidate.steps[-1].operation == "count"
    used = frozenset[int]() if counts_rows else frozenset(column for _, column in candidate.steps[-1].cells)
    return any(
        counted & link.positions
        and columns[column].kind == "number"
        and not columns[column].is_serial
        and link.score >= _HALF
        for column, link in named.links.headers.items()
        if column not in candidate.rows.columns | used
    )
