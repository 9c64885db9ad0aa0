"""Whether a line item or a derived figure rose or fell between two periods: "Did revenue increase in 2022?" → yes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from provgraph.derivation.result import Derived, Step
from provgraph.derivation.tables.cell_periods import PART_OF_YEAR, YEAR_BEFORE, without_years, years_in
from provgraph.derivation.tables.grid import Grid
from provgraph.derivation.tables.item_names import Names
from provgraph.derivation.tables.item_questions import line_item_answer
from provgraph.derivation.tables.line_items import LineItems
from provgraph.language.fiscal_years import year_before

_ASKS: Final = re.compile(r"\s*(?:did|has|have|is|are|was|were|does|do)\b", re.IGNORECASE)
_UP: Final = re.compile(
    r"\b(?:increas\w+|grow\w*|grew|ris(?:e|en|ing)|rose|improv\w+|expand\w*|higher|gone up|go(?:es)? up|"
    r"went up|climb\w*|more)\b",
    re.IGNORECASE,
)
_DOWN: Final = re.compile(
    r"\b(?:decreas\w+|declin\w+|fall\w*|fell|drop\w*|worsen\w*|shrink\w*|shrank|lower|gone down|"
    r"go(?:es)? down|went down|reduc\w*|fewer|less)\b",
    re.IGNORECASE,
)
_THAN: Final = re.compile(r"\b(?:higher|lower|more|fewer|less)\b", re.IGNORECASE)
"""Compares with another thing where no other year is named."""
_LEADING: Final = re.compile(
    r"\b(?:an?|there|profile|trend|year[- ]over[- ]year|yoy|compared (?:to|with)|than|versus|vs\.?|from|"
    r"between|as of)\b",
    re.IGNORECASE,
)
_AMOUNT: Final = re.compile(r"-?[^\d\s-]?(\d[\d,]*(?:\.\d+)?)")


@dataclass(frozen=True)
class Movement:
    """`item` is what a question asks of, `up` whether it asks for a rise; `years` are two, or none that it names,
    `part` a quarter or half of them."""

    item: str
    up: bool
    years: tuple[str, ...]
    part: str = ""


def movement_asked(text: str) -> Movement | None:
    """What a yes/no question asks to have risen or fallen; None where it asks something else."""
    question = text.partition("?")[0]
    up, down = _UP.search(question), _DOWN.search(question)
    asks = _ASKS.match(question)
    if asks is None or (up is None) == (down is None):
        return None
    years = years_in(question)
    compares = _THAN.search((up or down)[0]) is not None  # type: ignore[index]
    if compares and len(years) < 2 and not YEAR_BEFORE.search(question):
        return None
    if len(years) == 1:
        years = [year_before(years[0]), *years]
    bare = YEAR_BEFORE.sub(" ", _DOWN.sub(" ", _UP.sub(" ", question[asks.end() :])))
    for year in years:
        bare = re.sub(
            rf"\b(?:in |for |of |by |during |over |at |within )?(?:the )?(?:FY|fiscal(?: year)? ?)?{year}\b",
            " ",
            bare,
            flags=re.IGNORECASE,
        )
    item = " ".join(_LEADING.sub(" ", without_years(bare)).split())
    part = PART_OF_YEAR.search(item)
    if part is not None:
        item = " ".join(PART_OF_YEAR.sub(" ", item).split())
    said = part[0].strip().removeprefix("in ").strip() if part is not None else ""
    return Movement(item, up is not None, tuple(years[:2]), said) if item else None


def movement_answer(movement: Movement, grids: Sequence[Grid], names: Names = ()) -> Derived | None:
    """Yes or no, with the values of both periods; None where one of them is missing."""
    latest = LineItems(grids, names).latest
    years = movement.years or ((year_before(latest), latest) if latest else ())
    of = f"{movement.part} " if movement.part else ""
    asked = [f"What was the {movement.item} in {of}{year}?" for year in years]
    values = [line_item_answer(each, grids, names) for each in asked]
    old, new = values if len(values) == 2 else (None, None)
    if old is None or new is None or _amount(old) is None or _amount(new) is None:
        return None
    before, after = _amount(old), _amount(new)
    assert before is not None
    assert after is not None
    moved = "did not change" if before == after else "rose" if after > before else "fell"
    holds = moved == ("rose" if movement.up else "fell")
    shift = len(old.steps)
    later = (replace(step, uses=tuple(use + shift for use in step.uses)) for step in new.steps)
    said = f"It {moved} from {old.text} in {years[0]} to {new.text} in {years[1]}."
    last = Step("compare", "yes" if holds else "no", said, (), (shift - 1, shift + len(new.steps) - 1))
    sure = min(old.confidence, new.confidence)
    return Derived("yes" if holds else "no", "yes-no", (*old.steps, *later, last), sure, said)


def _amount(answer: Derived) -> Decimal | None:
    match = _AMOUNT.match(answer.text)
    if match is None:
        return None
    number = Decimal(match[1].replace(",", ""))
    return -number if answer.text.startswith("-") else number
