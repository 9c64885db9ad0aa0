"""Line items of statements over periods: "capital expenditure in FY2022" → the cell, its unit and scale.

A row is found by the words of its label or by another name of the same line item, the column by the period. Changes
between two periods, sums and differences of line items, and derived figures (formulas.txt) are computed from cells,
each cited, with the formula as a step.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from provgraph.derivation.evidence import ReadPassage, Support
from provgraph.derivation.result import Derived, Step
from provgraph.derivation.tables.amounts import amount_text
from provgraph.derivation.tables.candidate import number_text
from provgraph.derivation.tables.formulas import Formula, formula_in, formulas
from provgraph.derivation.tables.grid import Grid, GridCell
from provgraph.language.terms import FUNCTION_WORDS, terms
from provgraph.reading.propositions import Reading, Span

_PERIOD: Final = re.compile(
    r"\b(?:FY|CY|fiscal(?: year)?|year)?\s?'?((?:19|20)\d\d)\b|\bFY\s?'?(\d\d)\b", re.IGNORECASE
)
_CHANGE: Final = re.compile(
    r"\b(?:chang\w*|grow\w*|grew|increas\w*|decreas\w*|declin\w*|rise|rose|fell|fall|drop\w*|compare[sd]?|difference|improv\w*)\b",
    re.IGNORECASE,
)
_RELATIVE: Final = re.compile(
    r"\b(?:per ?cent\w*|%|rate of|growth|year[- ]over[- ]year|yoy)\b", re.IGNORECASE
)
_SHARE: Final = re.compile(r"\bas an? (?:share|percentage|percent|%) of\b|\bdivided by\b", re.IGNORECASE)
_RATIO: Final = re.compile(r"\bratio of (.+?) to (.+)", re.IGNORECASE)
_OUTFLOW: Final = re.compile(
    r"\b(?:spending|spent|expenditures?|capex|purchases?|payments?|paid|dividends?|repurchases?|acquisitions?|additions)\b",
    re.IGNORECASE,
)
_PRIMARY: Final = re.compile(r"consolidated|statements? of|balance sheets?", re.IGNORECASE)
_PRIMARY_BONUS: Final = 0.02
_NEGATIVE: Final = 0.03
_AMBIGUOUS: Final = 0.85
_SAYING_LITTLE: Final = FUNCTION_WORDS - frozenset("other before after no not all under over".split())
_PARTS: Final = re.compile(r"\b(?:less|minus|plus|net of)\b", re.IGNORECASE)
_STATEMENTS: Final = re.compile(
    r"\b(?:(?:from|in|on|of|using) )?(?:the )?(?:consolidated )?(?:(?:cash flow|income|profit and loss|p&l) "
    r"statements?|balance sheets?|statements? of (?:cash flows?|income|operations|earnings|financial position)|p&l)\b",
    re.IGNORECASE,
)
_OTHER_ASKING: Final = re.compile(
    r"\s*(?:who|which|why|where|when|does|do|did|is|are|was|were|has|have|what (?:drove|are the|were the))\b",
    re.IGNORECASE,
)
_NOISE: Final = frozenset(
    term
    for word in "fy fiscal year usd us dollar dollars million millions billion billions thousand thousands amount "
    "total end ended ending answer company much report reported value figure annual inc corp co".split()
    for term in terms(word)
)
_OWNED: Final = re.compile(r"['’]s?\b")
_LEAST: Final = 0.7
_SURE: Final = 0.9

Names = Sequence[Sequence[str]]
"""For each line item, its names."""


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


def period_of_head(text: str) -> str:
    """The year of a column's head; empty where it is none, or several."""
    years = {match[1] or f"20{match[2]}" for match in _PERIOD.finditer(text)}
    return years.pop() if len(years) == 1 else ""


class LineItems:
    """Looks line items up in grids whose columns are periods."""

    def __init__(self, grids: Sequence[Grid], names: Names = ()) -> None:
        self.grids = [(grid, periods) for grid in grids if (periods := _periods(grid))]
        self._known = {term for grid in grids for term in terms(f"{grid.title} {grid.document}")}
        derived = {_content(name) for formula in formulas() for name in formula.names}
        groups = [[(name, _content(name)) for name in group] for group in names]
        self._names = [group for group in groups if not any(words in derived for _, words in group)]

    def line(self, item: str, year: str, *, amounts: bool = False, as_named: bool = False) -> Line | None:
        """The best row for a line item in a year; None where none is close enough. With `amounts` it is no share of a
        hundred; with `as_named` other names of the line item do not count."""
        best: list[Line] = []
        wanted = self._wanted(item)[: 1 if as_named else None]
        has_total = "total" in terms(item)
        for grid, periods in self.grids:
            if year not in periods:
                continue
            primary = _PRIMARY.search(grid.caption) is not None
            for row, cells in enumerate(grid.rows):
                cell = cells[periods[year]]
                if (
                    cell.value.number is None
                    or not cells[0].text.strip()
                    or (amounts and "%" in (cell.unit, cell.text[-1]))
                ):
                    continue
                score = max(_likeness(own, _content(cells[0].text)) * weight for own, weight in wanted)
                score += _PRIMARY_BONUS * (primary + (has_total == ("total" in cells[0].value.words)) - 2)
                if cell.text.strip("$€£ ").startswith(("(", "-")) and not _OUTFLOW.search(cells[0].text):
                    score -= _NEGATIVE
                if score > _LEAST:
                    best.append(Line(grid, row, periods[year], cells[0].words, score))
        return _one_of(best)

    def _wanted(self, item: str) -> list[tuple[tuple[str, ...], float]]:
        """The words of the line item as it is named, and by its other names."""
        own = tuple(term for term in _content(item) if term not in self._known) or _content(item)
        wanted = [(own, 1.0)]
        for group in self._names:
            if any(words and _within(words, own) for _, words in group):
                named = max(len(words) for _, words in group if words and _within(words, own))
                share = (named / len(own)) ** 0.5
                wanted += [
                    (words, share * (0.97 - 0.01 * place)) for place, (_, words) in enumerate(group) if words
                ]
        return wanted


def _one_of(lines: Sequence[Line]) -> Line | None:
    """The likeliest line; less likely where others as likely have another amount."""
    if not lines:
        return None
    best = max(lines, key=lambda line: line.score)
    rivals = {
        line.amount for line in lines if line.score >= best.score and abs(line.amount) != abs(best.amount)
    }
    return replace(best, score=best.score * _AMBIGUOUS) if rivals else best


def line_item_answer(text: str, grids: Sequence[Grid], names: Names = ()) -> Derived | None:
    """The amount, change or derived figure that a question about line items asks; None where it is no such question or
    no table has what it needs."""
    if _OTHER_ASKING.match(text):
        return None
    years = sorted({match[1] or f"20{match[2]}" for match in _PERIOD.finditer(text)})
    if not years:
        return None
    items = LineItems(grids, names)
    if not items.grids:
        return None
    bare = _STATEMENTS.sub(" ", _PERIOD.sub(" ", text.partition("?")[0]))
    formula = formula_in(bare)
    parts = _composed(bare)
    if parts is not None:
        return _derived(parts, items, years[-1])
    if formula is not None and len(years) == 1:
        direct = max(
            (line for name in formula.names if (line := items.line(name, years[0], as_named=True))),
            key=lambda line: line.score,
            default=None,
        )
        return (
            _looked_up(direct, years[0])
            if direct is not None and direct.score >= _SURE
            else _derived(formula, items, years[0])
        )
    if len(years) == 2 and _CHANGE.search(text):
        return _changed(
            _CHANGE.sub(" ", _RELATIVE.sub(" ", bare)),
            items,
            years[0],
            years[1],
            relative=_RELATIVE.search(text) is not None,
        )
    line = items.line(bare, years[-1])
    return _looked_up(line, years[-1]) if line is not None else None


def _composed(text: str) -> Formula | None:
    """ "X less Y", "X as a percentage of Y" as a formula of the two."""
    if (match := _RATIO.search(text)) is not None:
        one, other = (_plain_item(part) for part in match.groups())
        return Formula((f"{one} to {other}",), f"[{one}] / [{other}]", "ratio")
    for pattern, sign, unit in ((_SHARE, "/", "%"), (_PARTS, "", "")):
        match = pattern.search(text)
        if match is not None:
            one, other = (_plain_item(part) for part in (text[: match.start()], text[match.end() :]))
            if _content(one) and _content(other):
                operation = sign or ("+" if match[0].casefold() == "plus" else "-")
                left = formula_in(one)
                first = f"({left.expression})" if left is not None and not left.unit else f"[{one}]"
                return Formula((f"{one} {match[0]} {other}",), f"{first} {operation} [{other}]", unit)
    return None


def _plain_item(text: str) -> str:
    """A line item without what leads a question to it."""
    bare = " ".join(re.sub(r"[\[\]~|()?]", " ", text).split())
    bare = re.sub(r"\s+(?:in|for|of|at|during|as of)$", "", bare)
    return re.sub(
        r"^(?:what(?: is| was| were|'s)?|how much(?: is| was| were)?|give|calculate)(?: the)?\b\s*",
        "",
        bare,
        flags=re.IGNORECASE,
    ).strip(" ,.")


def _looked_up(line: Line, year: str) -> Derived:
    words, printed = line.cell.words, ""
    if words.lstrip("$€£ ").startswith("(") and _OUTFLOW.search(line.label):
        words, printed = words.replace("(", "").replace(")", ""), f", printed as {words}: an outflow"
    said = amount_text(words, line.cell.unit, line.cell.scale)
    step = Step("look up", said, f"“{line.label}” in {year}: {said}{printed}.", (support(line),))
    return Derived(said, "number", (step,), round(0.9 * line.score, 3))


def _changed(item: str, items: LineItems, first: str, last: str, relative: bool) -> Derived | None:
    old, new = items.line(item, first), items.line(item, last)
    if old is None or new is None or old.label.casefold() != new.label.casefold():
        return None
    steps = [_looked_up(old, first).steps[0], _looked_up(new, last).steps[0]]
    is_share = new.cell.unit == "%" or "%" in new.cell.text
    if relative and not is_share and old.amount:
        change = (new.amount - old.amount) / abs(old.amount) * 100
        said = f"{round(change, 1):f}%"
        formula = f"({steps[1].value} − {steps[0].value}) ÷ {steps[0].value} = {said}"
    else:
        change = new.amount / new.cell.scale - old.amount / old.cell.scale
        text = number_text(change, [new.cell.text, old.cell.text])
        said = (
            f"{text.rstrip('%')} percentage points"
            if is_share
            else amount_text(text, new.cell.unit, new.cell.scale)
        )
        formula = f"{steps[1].value} − {steps[0].value} = {said}"
    whole = f"{said} (from {steps[0].value} in {first} to {steps[1].value} in {last})"
    last_step = Step("difference", said, f"{formula}.", (), (0, 1))
    return Derived(whole, "number", (*steps, last_step), round(0.9 * min(old.score, new.score), 3))


def _derived(formula: Formula, items: LineItems, year: str) -> Derived | None:
    lines: list[Line] = []
    steps: list[Step] = []

    def look(item: str, mean: bool) -> Decimal | None:
        found = [
            items.line(item, each, amounts=True) for each in ([year, str(int(year) - 1)] if mean else [year])
        ]
        read = [line for line in found if line is not None]
        if not read:
            return None
        for line, each in zip(read, (year, str(int(year) - 1)), strict=False):
            step = _looked_up(line, each).steps[0]
            if step not in steps:
                steps.append(step)
                lines.append(line)
        amounts = [abs(line.amount) if line.cell.words.startswith("(") else line.amount for line in read]
        return sum(amounts, Decimal(0)) / len(amounts)

    value = formula.value(look)
    if value is None or not lines:
        return None
    if formula.unit == "%":
        said = f"{round(value * 100, 1):f}%"
    elif formula.unit == "ratio":
        said = f"{round(value, 2):f}"
    else:
        scale = lines[0].cell.scale
        said = amount_text(f"{(value / scale).normalize():,f}", lines[0].cell.unit, scale)
    words = formula.expression.replace("[", "").replace("]", "").replace("~", "average ")
    step = Step("compute", said, f"{formula.names[0]} = {words} = {said}.", (), tuple(range(len(steps))))
    return Derived(said, "number", (*steps, step), round(0.85 * min(line.score for line in lines), 3))


def support(line: Line) -> Support:
    """The row, and the cell in it."""
    passage = ReadPassage(line.grid.key, line.grid.document, line.grid.title, line.grid.text, Reading((), ()))
    row = [each for each in line.grid.rows[line.row] if each.end > each.start]
    start, end = min(each.start for each in row), max(each.end for each in row)
    cell = line.cell
    return Support(
        passage, Span(start, end, line.grid.text[start:end]), Span(cell.start, cell.end, cell.text)
    )


def _periods(grid: Grid) -> dict[str, int]:
    """By year, the first column that is of it."""
    found: dict[str, int] = {}
    for index, head in enumerate(grid.headers):
        year = period_of_head(head.text) if index else ""
        if year:
            found.setdefault(year, index)
    return found


def _content(text: str) -> tuple[str, ...]:
    """The words that tell a line item; all of them where only words that say little are there."""
    bare = [
        term
        for term in terms(_OWNED.sub("", text.replace("&", " and ")))
        if term not in _SAYING_LITTLE and not term.isdigit()
    ]
    return tuple(term for term in bare if term not in _NOISE) or tuple(bare)


def _likeness(asked: tuple[str, ...], label: tuple[str, ...]) -> float:
    """How far a label is what was asked: all of its words there, and few others asked for."""
    if not asked or not label:
        return 0.0
    own, other = set(asked), set(label)
    common = own & other
    return 2 * len(common) / (len(own) + len(other))


def _within(words: tuple[str, ...], text: tuple[str, ...]) -> bool:
    return any(text[at : at + len(words)] == words for at in range(len(text) - len(words) + 1))


__all__ = ["Line", "LineItems", "line_item_answer", "period_of_head"]
