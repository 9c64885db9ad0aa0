"""The table behind a verdict, as lines: element of the claim, what the evidence says, and what follows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

HEADS: Final = ("Element", "The evidence says", "So it is")
WIDEST: Final = 48
"""Characters of a column; what is longer ends in an ellipsis."""


def element_lines(elements: Sequence[dict[str, Any]]) -> Iterator[str]:
    """A line for each element, below their headings; nothing where there is no element."""
    rows = [HEADS, *(_row(each) for each in elements)]
    if len(rows) == 1:
        return
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    for row in rows:
        yield f"  {row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]}"


def _row(each: dict[str, Any]) -> tuple[str, str, str]:
    evidence = each.get("evidence")
    said = f"“{_short(evidence['text'])}”" if evidence else "–"
    return f"“{_short(each['element'])}”", said, each["relation"]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= WIDEST else f"{line[: WIDEST - 1].rstrip()}…"
