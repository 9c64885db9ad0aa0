"""Questions about line items → an amount, a change between two periods, or a derived figure.

Sums and differences of line items and the figures of formulas.txt are computed from cells, each cited, with the formula
as a step.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from provgraph.derivation.result import Derived, Step
from provgraph.derivation.tables.amounts import amount_text
from provgraph.derivation.tables.candidate import number_text
from provgraph.derivation.tables.cell_periods import (
    DAY,
    PART_OF_YEAR,
    YEAR_BEFORE,
    part_of_year_in,
    without_years,
    years_in,
)
from provgraph.derivation.tables.definitions import defined_in
from provgraph.derivation.tables.formulas import Formula, formula_in, formulas_in
from provgraph.derivation.tables.grid import Grid
from provgraph.derivation.tables.item_names import (
    Names,
    content_of,
    groups_of,
    names_in,
    other_names,
    wanted_names,
)
from provgraph.derivation.tables.line_items import (
    Line,
    LineItems,
    amount_said,
    is_outflow,
    is_statement,
    support,
)
from provgraph.language.fiscal_years import year_before
from provgraph.language.terms import terms

_CHANGE: Final = re.compile(
    r"\b(?:chang\w*|grow\w*|grew|increas\w*|decreas\w*|declin\w*|rise|rose|rising|risen|fell|fall|fallen|drop\w*|"
    r"(?:go|goes|gone|went) (?:up|down)|climb\w*|shr[aiu]nk\w*|reduc\w*|los[et]|lost|gain\w*|compare[sd]?|"
    r"difference|improv\w*|"
    r"(?:more|fewer|less|higher|lower)(?=\b.*\bthan in (?:FY)?\W?(?:19|20)\d\d)|(?<=\d) than in)\b",
    re.IGNORECASE,
)
_FALL: Final = re.compile(
    r"\bhow (?:much|many|far)\b.*\b(?:decreas\w*|declin\w*|fell|fall\w*|drop\w*|(?:go|gone|went) down|shr[aiu]nk\w*|"
    r"reduc\w*|los[et]|lost|fewer|less|lower)\b",
    re.IGNORECASE,
)
_RELATIVE: Final = re.compile(
    r"\b(?:per ?cent\w*|%|rate of|growth|year[- ]over[- ]year|yoy)\b", re.IGNORECASE
)
_SHARE: Final = re.compile(r"\bas an? (?:share|percentage|percent|%) of\b|\bdivided by\b", re.IGNORECASE)
_RATIO: Final = re.compile(r"\bratio of (.{1,200}?) to (.+)", re.IGNORECASE)
_BETWEEN: Final = re.compile(
    r"\bdifference between (?:the )?(?P<one>.{1,100}?) and (?:the )?(?P<other>.{1,100}?)"
    r"(?: (?:for|of|in) (?:the )?(?P<item>.{1,300}))?$",
    re.IGNORECASE,
)
_PARTS: Final = re.compile(r"\b(?:less|minus|plus|net of)\b", re.IGNORECASE)
_STATEMENTS: Final = re.compile(
    r"\b(?:(?:from|in|on|of|using) )?(?:the )?(?:consolidated )?(?:(?:cash flow|income|profit and loss|p&l) "
    r"statements?|balance sheets?|statements? of (?:cash flows?|income|operations|earnings|financial position)|p&l)\b",
    re.IGNORECASE,
)
_HOW_FAR: Final = re.compile(
    r"^\s*(?:(?:and|so|then)\s+)?(?:(?:by )?how (?:much|far) (?:did|has|have|was|were)\b|how (?:did|has|have)\b|"
    r"(?:by )?(?:what|which) (?:percent\w*|share|rate|amount)\b(?! of\b)|"
    r"what (?:is|was|were) the (?:[\w-]+ ){0,3}?(?:chang\w*|increas\w*|decreas\w*|declin\w*|growth|rise|drop|"
    r"difference)\b)",
    re.IGNORECASE,
)
"""Asks how far something moved, so that one year is meant beside the year before."""
_PART_OF: Final = re.compile(
    r"\b(?:what|which|how much) (?:percent\w*|share|proportion|fraction|part|%)(?: of)?(?: the)? (?P<whole>.{1,200}?) "
    r"(?:(?:came|comes?|(?:was|were|is|are) (?:derived|earned|generated|made)|derived|resulted) "
    r"(?:from|by|in)|(?:was|were|is|are) from|(?:goes|go|went|(?:is|was|are|were) spent) (?:to|on)) (?P<part>.+)",
    re.IGNORECASE,
)
"""Asks for the share that a part has of a whole: "What percentage of revenue came from Europe?"."""
_OTHER_ASKING: Final = re.compile(
    r"\s*(?:(?:in |for |from |at |on )?which|who|name|list|why|where|when|does|do|did|is|are|was|were|has|have|"
    r"what drove|"
    r"what (?:are|were) the (?:key|main|major|primary|reasons?|factors?|drivers?|types?|names?)|"
    r"what (?:are|were) the\b.*\bthat)\b",
    re.IGNORECASE,
)
EXTREME: Final = re.compile(
    r"\b(?:(?P<most>largest|biggest|highest|greatest|main)|(?P<least>smallest|lowest|least))\b", re.IGNORECASE
)
"""Asks for the row with the most or least."""
_LED_BY: Final = re.compile(
    r"\b(?:spen[dt]|ow(?:e[ds]?|ing)|pa(?:y|id)|earn\w*|ma[kd]e|generat\w+|report\w*|record\w*|incur\w*|post\w*|have|had|invest\w*)"
    r"(?=\s+(?:by (?:[A-Z]\S{0,40}\s+){1,6})?(?:on|in|for|as|at)\b|\s*$)",
    re.IGNORECASE,
)
"""Verbs of a question that are no part of a line item's name: "How much did it spend on research?"."""
_OF_TWO: Final = re.compile(r"\b(?:ratio|margin|turnover ratio|coverage)\b", re.IGNORECASE)
"""Names figures that no single line item is."""
_LONGEST_ITEM: Final = 8
"""The most words that a line item without another name has."""
_SURE: Final = 0.9


def asks_share(text: str) -> bool:
    """Whether a question asks for the share of a whole, which no amount is."""
    return _PART_OF.search(text) is not None


def asked_items(text: str, names: Names, titles: str) -> tuple[tuple[str, ...], ...]:
    """The words by which the line items of a question may be called in a table; none where it asks for no line item.

    It does where it gives a year, or where it names a line item that has other names, or a figure that is derived.
    """
    if _OTHER_ASKING.match(text):
        return ()
    bare = _bare(text)
    known = frozenset(terms(titles))
    groups = groups_of(names)
    derived = [
        formula
        for formula in (defined_in(text, bare), *formulas_in(bare), _composed(bare))
        if formula is not None
    ]
    items = [name for formula in derived for name in (*formula.items, *formula.names)] or [
        EXTREME.sub(" ", bare)
    ]
    named = [item_name.words for item in items for item_name in wanted_names(item, groups, known)]
    found = [*named, *(words for item in items for words in other_names(item, groups))]
    is_one = bool(derived or years_in(text)) or len(found) > 2
    words = dict.fromkeys(each for each in found if 0 < len(each) <= _LONGEST_ITEM)
    return tuple(words) if is_one else ()


def _bare(text: str) -> str:
    """The question without periods, statements and the verbs that lead to the line item."""
    asked = DAY.sub(" ", PART_OF_YEAR.sub(" ", text.partition("?")[0]))
    plain = YEAR_BEFORE.sub(" ", _STATEMENTS.sub(" ", without_years(asked)))
    return _LED_BY.sub(" ", " ".join(plain.split()))


def line_item_answer(text: str, grids: Sequence[Grid], names: Names = ()) -> Derived | None:
    """The amount, change or derived figure that a question about line items asks; None where it is no such question or
    no table has what it needs."""
    if _OTHER_ASKING.match(text):
        return None
    items = LineItems(grids, names)
    years = years_in(text) or [items.latest]
    if not items.grids:
        return None
    bare = _bare(text)
    if PART_OF_YEAR.search(text) is not None:
        line = items.line(bare, part_of_year_in(text))
        return _looked_up(line, part_of_year_in(text)) if line is not None else None
    part = _PART_OF.search(bare)
    if part is not None:
        return _share_of_whole(part["whole"], part["part"], items, years[-1])
    moved = _plain_item(_CHANGE.sub(" ", _RELATIVE.sub(" ", bare)))
    composed = _several(bare, moved, items, years[-1]) or defined_in(text, bare)
    if composed is not None:
        return _derived(composed, items, years[-1])
    if (moving := _years_moved(text, bare, items, years)) is not None:
        changed = _changed(moved, items, moving, text)
        if changed is not None or formula_in(bare) is None:
            return changed
    if formula_in(bare) is not None:
        return _of_formulas(bare, items, years[-1]) if len(years) == 1 else None
    line = items.line(bare, years[-1])
    if line is None or (_OF_TWO.search(bare) and not _OF_TWO.search(line.label)):
        return None
    return _looked_up(line, years[-1])


def _years_moved(text: str, bare: str, items: LineItems, years: Sequence[str]) -> tuple[str, str] | None:
    """The two years between which a question asks for a change; None where it asks for none."""
    if len(years) == 1 and years[0] and _asks_how_far(text, bare, items, years[0]):
        return year_before(years[0]), years[0]
    return (years[0], years[1]) if len(years) == 2 and _CHANGE.search(text) else None


def _several(bare: str, moved: str, items: LineItems, year: str) -> Formula | None:
    """What a question composes of line items; None where no row is composed, or one has the whole as its name."""
    parts = _composed(bare)
    return None if parts is not None and _is_one_name(moved, items, year) else parts


def _of_formulas(bare: str, items: LineItems, year: str) -> Derived | None:
    """The row that has a figure's name, else what the first of its formulas gives whose line items are there."""
    if _is_of_a_row(bare, items):
        return None
    formulas = formulas_in(bare)
    lines = [items.line(name, year, as_named=True) for formula in formulas for name in formula.names]
    direct = max((line for line in lines if line is not None), key=lambda line: line.score, default=None)
    if direct is not None and direct.score >= _SURE:
        return _looked_up(direct, year)
    return next(filter(None, (_derived(formula, items, year) for formula in formulas)), None)


def _is_of_a_row(bare: str, items: LineItems) -> bool:
    """Whether a derived figure is asked of what has rows of its own, as "the operating margin of Charter": that of the
    totals is another."""
    whom = content_of(_plain_item(bare.rpartition(" of ")[2])) if " of " in bare else ()
    labels = {content_of(row[0].text) for each in items.grids for row in each.grid.rows}
    named = names_in(f"- {bare}") - items.known
    return (bool(whom) and whom in labels) or any(label and named.issuperset(label) for label in labels)


def _asks_how_far(text: str, bare: str, items: LineItems, year: str) -> bool:
    """Whether a question of one year asks for a change, and no row has its name: "Net increase in cash" is a row."""
    if not (_HOW_FAR.search(text) and _CHANGE.search(text)):
        return False
    line = items.line(bare, year, as_named=True)
    return line is None or line.score < _SURE or _CHANGE.search(line.label) is None


def _is_one_name(item: str, items: LineItems, year: str) -> bool:
    """Whether what reads as two line items is the name of one row: "total revenues net of interest expense"."""
    line = items.line(item, year, as_named=True)
    return line is not None and line.score >= _SURE and _PARTS.search(line.label) is not None


def _share_of_whole(whole: str, part: str, items: LineItems, year: str) -> Derived | None:
    """The share of a part in a whole of the same table; None where no one table has both."""
    for grid in items.grids:
        own = items.of([grid.grid])
        one = own.line(_plain_item(part), year, amounts=True, as_named=True)
        other = own.line(_plain_item(whole), year, amounts=True)
        if one is None or other is None or min(one.score, other.score) < _SURE or one.row == other.row:
            continue
        if set(content_of(_plain_item(part))) <= set(content_of(one.label)) and (
            _headed_alike(one, other) or _sums_up(one, other)
        ):
            name, of_all = _plain_item(part), _plain_item(whole)
            formula = Formula((f"{name} of {of_all}",), f"[{name}] / [{of_all}]", "%")
            return _derived(formula, own, year)
    return None


def _headed_alike(part: Line, whole: Line) -> bool:
    """Whether the part's row stands among those that the whole sums up: its heading, or its label, names the whole."""
    above = part.grid.sections[part.row] if part.row < len(part.grid.sections) else ()
    named = set(content_of(whole.label))
    return any(named & set(content_of(each)) for each in (*above, part.label))


def _sums_up(part: Line, whole: Line) -> bool:
    """Whether the whole's amount is the sum of the rows right above it, the part's among them."""
    total = Decimal(0)
    for row in range(whole.row - 1, -1, -1):
        cell = whole.grid.cell(row, whole.column)
        total += cell.value.number or 0
        if row <= part.row < whole.row and part.column == whole.column and total == whole.cell.value.number:
            return True
    return False


def _composed(text: str) -> Formula | None:
    """ "X less Y", "X as a percentage of Y", "the difference between X and Y of Z" as a formula of the two."""
    if (match := _BETWEEN.search(text)) is not None:
        one, other = (_plain_item(f"{match[part]} {match['item'] or ''}") for part in ("one", "other"))
        if content_of(one) and content_of(other):
            return Formula((f"{one} less {other}",), f"[{one}] - [{other}]", "")
    if (match := _RATIO.search(text)) is not None:
        one, other = (_plain_item(part) for part in match.groups())
        return Formula((f"{one} to {other}",), f"[{one}] / [{other}]", "ratio")
    for pattern, sign, unit in ((_SHARE, "/", "%"), (_PARTS, "", "")):
        match = pattern.search(text)
        if match is not None:
            one, other = (_plain_item(part) for part in (text[: match.start()], text[match.end() :]))
            if content_of(one) and content_of(other):
                operation = sign or ("+" if match[0].casefold() == "plus" else "-")
                left = formula_in(one)
                first = f"({left.expression})" if left is not None and not left.unit else f"[{one}]"
                return Formula((f"{one} {match[0]} {other}",), f"{first} {operation} [{other}]", unit)
    return None


def _plain_item(text: str) -> str:
    """A line item without what leads a question to it."""
    bare = " ".join(re.sub(r"[\[\]~|()?]", " ", text).split())
    bare = re.sub(r"(?<!\s)\s+(?:in|for|of|at|during|as of)$", "", bare)
    return re.sub(
        r"^(?:what(?: is| was| were|'s)?|how much(?: is| was| were)?|give|calculate)(?: the)?\b\s*",
        "",
        bare,
        flags=re.IGNORECASE,
    ).strip(" ,.")


def _looked_up(line: Line, year: str) -> Derived:
    said = amount_said(line)
    printed = f", printed as {line.cell.words}: an outflow" if is_outflow(line) else ""
    step = Step("look up", said, f"“{line.label}” in {year}: {said}{printed}.", (support(line),))
    return Derived(said, "number", (step,), round(0.9 * line.score, 3))


def _changed(item: str, items: LineItems, years: tuple[str, str], question: str) -> Derived | None:
    """The change of a line item, relative where the question asks for per cent; a fall without its sign where it asks
    by how much it fell."""
    (first, last), relative = years, _RELATIVE.search(question) is not None
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
    last_step = Step("difference", said, f"{formula}.", (), (0, 1))
    told = f"From {steps[0].value} in {first} to {steps[1].value} in {last}."
    sure = round(0.9 * min(old.score, new.score), 3)
    is_fall = _FALL.search(question) or _asks_more_before(question, years)
    return Derived(said.removeprefix("-") if is_fall else said, "number", (*steps, last_step), sure, told)


def _asks_more_before(question: str, years: tuple[str, str]) -> bool:
    """Whether a question asks how much more there was in the first of two years: "more in 2022 than in 2023"."""
    before, than, behind = question.partition(" than in ")
    return (
        bool(than)
        and years[0] in before
        and years[1] in behind
        and re.search(r"\bmore|higher\b", before) is not None
    )


def _is_of_a_part(line: Line, lines: Sequence[Line]) -> bool:
    """Whether a row is of one part only of what another, a total of the same table, sums up: "Cost of products sold"
    below "Products", "Premiums" and "Total revenues"."""
    totals = [each for each in lines if each.grid is line.grid and "total" in terms(each.label)]
    if not totals or line in totals:
        return False
    own = set(content_of(line.label))
    above = (row[0].words for row in line.grid.rows[: min(total.row for total in totals)])
    return any(label and set(content_of(label)) < own for label in above)


def _derived(formula: Formula, items: LineItems, year: str) -> Derived | None:
    lines: list[Line] = []
    steps: list[Step] = []

    def look(item: str, mark: str) -> Decimal | None:
        years = [year, year_before(year)] if mark else [year]
        read = [line for year in years if (line := items.line(item, year, amounts=True)) is not None]
        if not read or (mark == "^" and len(read) < 2):
            return None
        for line, each in zip(read, (year, year_before(year)), strict=False):
            step = _looked_up(line, each).steps[0]
            if all(step.explanation != known.explanation for known in steps):
                steps.append(step)
                lines.append(line)
        amounts = [abs(line.amount) if is_outflow(line) else line.amount for line in read]
        return amounts[0] - amounts[1] if mark == "^" else sum(amounts, Decimal(0)) / len(amounts)

    value = formula.value(look)
    if value is None or not lines or any(_is_of_a_part(line, lines) for line in lines):
        return None
    if len({line.grid.key for line in lines}) > 1 and not all(is_statement(line.grid) for line in lines):
        return None  # what only one table of a note has goes with nothing of another
    if formula.unit == "%":
        said = f"{round(value * 100, 1):f}%"
    elif formula.unit == "ratio":
        said = f"{round(value, 2):f}"
    else:
        scale = lines[0].cell.scale
        said = amount_text(f"{(value / scale).normalize():,f}", lines[0].cell.unit, scale)
    words = (
        formula.expression.replace("[", "")
        .replace("]", "")
        .replace("~", "average ")
        .replace("^", "change in ")
    )
    step = Step("compute", said, f"{formula.names[0]} = {words} = {said}.", (), tuple(range(len(steps))))
    return Derived(said, "number", (*steps, step), round(0.85 * min(line.score for line in lines), 3))
