"""Line items in the tables of statements: the cell for "capital expenditure" in 2022, of however many tables.

A row is found by the words of its label, and of what heads it, or by another name of the same line item; the column by
its period. Where several tables have such a row, the statement of the whole company counts most.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Final

from provgraph.derivation.evidence import Support
from provgraph.derivation.tables.amounts import CURRENCIES, amount_text
from provgraph.derivation.tables.cell_periods import PeriodicGrid
from provgraph.derivation.tables.cell_support import support_of
from provgraph.derivation.tables.grid import Grid, GridCell
from provgraph.derivation.tables.item_names import (
    OTHERWISE,
    ItemName,
    Names,
    content_of,
    groups_of,
    places_in,
    wanted_names,
)
from provgraph.derivation.tables.short_names import ShortName
from provgraph.language.fiscal_years import ending_year
from provgraph.language.terms import terms

_OUTFLOW: Final = re.compile(
    r"\b(?:spending|spent|expenditures?|capex|purchases?|payments?|paid|dividends?|repurchases?|acquisitions?|additions|"
    r"expenses?|costs?|charges?|research and development|liabilit(?:y|ies)|borrowings?|payables?|loans?|debt|"
    r"provisions?|obligations?)\b",
    re.IGNORECASE,
)
_PRIMARY: Final = re.compile(r"consolidated|statements? of|balance sheets?", re.IGNORECASE)
_STATEMENT_NAME: Final = re.compile(
    r"\bstatements? of (?:consolidated )?(?:income|operations|earnings|profit|loss|cash flows?|financial (?:position|"
    r"condition)|comprehensive income)|\bbalance sheets?|\b(?:income|cash flow) statements?",
    re.IGNORECASE,
)
_OF_PARTS: Final = re.compile(
    r"\b(?:parent|guarantors?|segments?|unallocated|subsidiar\w+ only)\b", re.IGNORECASE
)
_ABOUT_ONE_THING: Final = re.compile(
    r"\b(?:information|related to|relating to|as follows|following|summary of|components? of)\b",
    re.IGNORECASE,
)
"""What a sentence before a table of a note says, and no title of a statement."""
_STATEMENT_COUNTS: Final = 3
"""So many tables a statement of the whole company counts for."""
_PRIMARY_BONUS: Final = 0.02
_NEGATIVE: Final = 0.03
_AMBIGUOUS: Final = 0.85
_AS_WELL: Final = 0.05
"""Lines whose scores differ by less fit as well as each other."""
_TAIL: Final = re.compile(
    r"(?<=\w)(?:,?\s+(?:\(?net of|\(?less|\(?including|\(?excluding|of which)\b.*|,\s*net)\s*\Z",
    re.IGNORECASE | re.DOTALL,
)
"""What a label says of how its amount was reckoned."""
_FOOTNOTES: Final = re.compile(r"(?<!\s)(?:\s*\((?:[a-z]|\d{1,2})\)){1,20}\Z")
_SHORT_NAME: Final = re.compile(r"(?<=\w) \((?P<name>[A-Z][A-Z&]{1,9})\)\Z")
"""What a label calls its line item in short."""
_LEFT_OUT: Final = re.compile(
    r",? ?\b(?:excluding|leaving out|not counting|not including|without|other than|exclusive of) (?:the )?"
    r"(?P<what>[\w -]{1,60})",
    re.IGNORECASE,
)
"""What a question leaves out of a line item: "long-term debt, excluding the current portion"."""
_SAID_OF_ANY: Final = frozenset(terms("expense expenses"))
"""Words of a label that a question may leave out."""
_PLANS: Final = frozenset(terms("budget budgeted plan planned forecast target estimate actual"))
"""Words of a title that may tell columns from each other: "Budget 2023" with the columns "Budget" and "Actual"."""
_MOVES: Final = re.compile(r"\b(?:changes?|increase|decrease)\b.*\bin\b|\badjustments?\b", re.IGNORECASE)
"""Heads rows of what an amount changed by, and not of the amount."""
_PER_SHARE: Final = re.compile(r"\bper (?:\w+ )?share\b|\bEPS\b", re.IGNORECASE)
_COUNTED: Final = frozenset(("shares", "count"))
_COUNTS: Final = re.compile(
    r"\bhow many\b|\bnumbers? of\b|\bshares outstanding\b|\bheadcount\b|\bemployees\b", re.IGNORECASE
)
_LEAST: Final = 0.7


@dataclass(frozen=True)
class Line:
    """A row of a grid for one period: the label's words, and the cell."""

    grid: Grid
    row: int
    column: int
    label: str
    score: float

    @property
    def cell(self) -> GridCell:
        return self.grid.cell(self.row, self.column)

    @property
    def amount(self) -> Decimal:
        number = self.cell.value.number
        assert number is not None
        return number * self.cell.scale


class LineItems:
    """Looks line items up in grids whose columns are periods."""

    def __init__(self, grids: Sequence[Grid], names: Names = ()) -> None:
        self.grids = [periodic_grid for periodic_grid in map(PeriodicGrid, grids) if periodic_grid.places]
        titled = frozenset(term for grid in grids for term in terms(f"{grid.title} {grid.document}"))
        self.known = titled - (_PLANS & frozenset(word for grid in self.grids for word in grid.measured))
        self._names = groups_of(names)
        labels = {content_of(_FOOTNOTES.sub("", row[0].text)) for grid in grids for row in grid.rows}
        parts = [name for name in names if isinstance(name, ShortName)]
        self._parts = [part for part in parts if not labels.isdisjoint(map(content_of, part))]

    def of(self, grids: Sequence[Grid]) -> LineItems:
        """The same names in some of the grids."""
        own = LineItems(grids)
        own._names, own.known, own._parts = self._names, self.known, self._parts
        return own

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        """The words of all labels, heads and captions."""
        return frozenset(
            term
            for grid in self.grids
            for text in (
                grid.grid.caption,
                *(head.text for head in grid.grid.headers),
                *(row[0].text for row in grid.grid.rows),
                *(heading for above in grid.grid.sections for heading in above),
            )
            for term in terms(text)
        )

    @cached_property
    def latest(self) -> str:
        """The year of most tables' newest column; of those as frequent the latest. Empty without tables."""
        counts = Counter(max(grid.years) for grid in self.grids if grid.years)
        return max(counts, key=lambda year: (counts[year], year), default="")

    def _otherwise_named(self, grid: PeriodicGrid, year: str) -> str:
        """The year in which a fiscal year ends, where no table has one of that name: "2023/24" is the year ended
        March 31, 2024."""
        if "/" not in year or any(each.named(year) for each in self.grids):
            return ""
        return grid.named(ending_year(year))

    def line(self, item: str, year: str, *, amounts: bool = False, as_named: bool = False) -> Line | None:
        """The best row for a line item in a year; None where none is close enough. With `amounts` it is no share of a
        hundred; with `as_named` other names of the line item do not count."""
        left_out = _LEFT_OUT.search(item)
        item = _LEFT_OUT.sub(" ", item)
        item_names = wanted_names(item, self._names, self.known, self._vocabulary)[: 1 if as_named else None]
        asked = replace(
            _Asked.of(item, item_names, self.known, self._parts),
            left_out=frozenset(content_of(left_out["what"])) if left_out else frozenset(),
        )
        lines = [
            Line(grid.grid, row, column, grid.grid.labels[row], score)
            for grid in self.grids
            if (period := grid.named(year) or self._otherwise_named(grid, year))
            for (row, column), measure in grid.measures(period).items()
            if not (amounts and _is_share(grid.grid.cell(row, column)))
            and (score := asked.score(grid.grid, row, column, measure)) > _LEAST
        ]
        return _one_of(lines)


@dataclass(frozen=True)
class _Asked:
    """A line item as a question has it: its names, the places that it is asked of, the parts of the company that have
    rows of their own, whether it is for each share, whether it counts shares or other things, and what is left out of
    it."""

    wanted: Sequence[ItemName]
    places: frozenset[str]
    parts: Sequence[ShortName]
    is_total: bool
    is_per_share: bool
    counts: bool
    left_out: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls, item: str, wanted: Sequence[ItemName], known: frozenset[str], parts: Sequence[ShortName]
    ) -> _Asked:
        asked = [part for part in parts if part.is_in(content_of(item))]
        return cls(
            wanted,
            places_in(item) - known - {term for part in asked for name in part for term in terms(name)},
            asked,
            "total" in terms(item),
            _PER_SHARE.search(item) is not None,
            _COUNTS.search(item) is not None,
        )

    def score(self, grid: Grid, row: int, column: int, measure: tuple[str, ...] = ()) -> float:
        """How far a cell is what is asked for, 0…1; `measure` are words that tell its column from others."""
        label, cell = grid.labels[row], grid.cell(row, column)
        is_amount = cell.value.number is not None and bool(label.strip())
        is_amount = is_amount and (self.counts or cell.unit not in _COUNTED)
        if not is_amount or (self.is_per_share and (cell.unit not in CURRENCIES or cell.scale != 1)):
            return 0.0
        unnoted = _FOOTNOTES.sub("", label)
        whole, core = content_of(unnoted), content_of(_TAIL.sub("", OTHERWISE.sub("", unnoted)))
        bare = tuple(term for term in core if term not in _SAID_OF_ANY)
        short = [content_of(each) for each in _short_labels(unnoted)]
        readings = [(*words, *measure) for words in dict.fromkeys((whole, core, bare, *short)) if words]
        beside = _context(grid, row, column)
        said = beside.union(*readings[:1])
        if self.left_out and self.left_out <= {*core, *beside}:
            return 0.0
        if not readings or not self.places <= said or not all(part.is_in(said) for part in self.parts):
            return 0.0
        fit = max(name.likeness(words, beside) for name in self.wanted for words in readings)
        of_total = self.is_total == ("total" in terms(label))
        is_negative = cell.text.strip("$€£ ").startswith(("(", "-")) and not _OUTFLOW.search(label)
        moves = _MOVES.search(" ".join(_above(grid, row))) is not None and not _MOVES.search(label)
        return (
            fit + _PRIMARY_BONUS * (is_statement(grid) + of_total - 2) - _NEGATIVE * (is_negative + 2 * moves)
        )


def _short_labels(label: str) -> list[str]:
    """A label without the unit at its end, "Delivered, MWh", and what it calls itself in brackets apart: "Operating
    result (EBIT)"."""
    bare, _, unit = label.rpartition(",")
    found = [bare] if bare and len(unit.split()) == 1 else []
    if (match := _SHORT_NAME.search(label)) is not None:
        found += [label[: match.start()], match["name"]]
    return found


def _is_share(cell: GridCell) -> bool:
    return "%" in (cell.unit, cell.text[-1:])


def _one_of(lines: Sequence[Line]) -> Line | None:
    """The likeliest line: of those that fit as well the one whose amount most tables have; less likely where as many
    have another amount."""
    if not lines:
        return None
    highest = max(line.score for line in lines)
    fitting = [line for line in lines if line.score >= highest - _AS_WELL]
    weights: dict[Decimal, dict[str, int]] = {}
    for line in fitting:
        weight = _STATEMENT_COUNTS if is_statement(line.grid) else 1
        weights.setdefault(abs(line.amount), {})[line.grid.key] = weight
    tables = {amount: sum(of_tables.values()) for amount, of_tables in weights.items()}
    best = max(
        fitting, key=lambda line: (tables[abs(line.amount)], is_named_statement(line.grid), line.score)
    )
    rivals = [
        amount
        for amount, count in tables.items()
        if amount != abs(best.amount) and count >= tables[abs(best.amount)]
    ]
    return replace(best, score=best.score * _AMBIGUOUS) if rivals else best


def is_statement(grid: Grid) -> bool:
    """Whether a table is a statement of the company as a whole."""
    own = grid.caption.rpartition(" › ")[2]
    is_one = bool(_PRIMARY.search(grid.caption)) and not _OF_PARTS.search(grid.caption)
    return is_one and not _ABOUT_ONE_THING.search(own)


def is_named_statement(grid: Grid) -> bool:
    """Whether a table is one of a company's statements by the name that stands over it: what is said of figures
    elsewhere in a report is taken from these."""
    over = " ".join((grid.caption.rpartition(" › ")[2], *(head.text for head in grid.headers)))
    return bool(_STATEMENT_NAME.search(over)) and is_statement(grid)


def amount_said(line: Line) -> str:
    """The amount with its unit and scale; an outflow that is printed in parentheses is no negative one."""
    words = re.sub("[()−-]", "", line.cell.words) if is_outflow(line) else line.cell.words
    return amount_text(words, line.cell.unit, line.cell.scale)


def is_outflow(line: Line) -> bool:
    return (
        line.cell.words.lstrip("$€£ ").startswith(("(", "-", "−")) and _OUTFLOW.search(line.label) is not None
    )


def support(line: Line) -> Support:
    """The row, and the cell in it."""
    return support_of(line.grid, (line.row, line.column))


def _above(grid: Grid, row: int) -> tuple[str, ...]:
    return grid.sections[row] if row < len(grid.sections) else ()


def _context(grid: Grid, row: int, column: int) -> frozenset[str]:
    """What the headings above a row, the head of the column and the last part of the caption say of a cell."""
    said = (*_above(grid, row), grid.headers[column].text, grid.caption.rpartition(" › ")[2])
    return frozenset(term for text in said for term in content_of(text))
