"""An answer with the program that gave it, and how values of cells are said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from provgraph.derivation.result import AnswerKind
from provgraph.derivation.tables.grid import Column
from provgraph.derivation.tables.rows import Features, Place, Rows, TableStep, added


@dataclass(frozen=True)
class Candidate:
    """An answer with the program that gave it. `rows` are the rows it was taken from, `features` what speaks for it."""

    texts: tuple[str, ...]
    kind: AnswerKind
    cells: tuple[Place, ...]
    steps: tuple[TableStep, ...]
    covered: frozenset[int]
    used: frozenset[str]
    features: Features
    rows: Rows


@dataclass(frozen=True)
class Account:
    """What the last step of a program accounts for beyond its rows: the question's words by position, and operators."""

    covered: frozenset[int] = frozenset()
    used: frozenset[str] = frozenset()
    features: Features = field(default_factory=dict)


def candidate(
    rows: Rows, step: TableStep, kind: AnswerKind, account: Account, texts: tuple[str, ...] = ()
) -> Candidate:
    """The answer that `step` gives from the rows: its value, or these texts where they are several."""
    return Candidate(
        texts or (step.value,),
        kind,
        step.cells,
        (*rows.steps, step),
        rows.covered | account.covered,
        rows.used | account.used,
        added(rows.features, account.features),
        rows,
    )


def number_text(value: Decimal, originals: list[str]) -> str:
    """A computed number as the cells print theirs: with their currency, per cent and grouping."""
    places = max((len(t.rstrip("%").strip().rpartition(".")[2]) for t in originals if "." in t), default=0)
    grouped = any("," in text for text in originals)
    rounded = round(value, min(places + 2, 4)).normalize()
    plain = f"{rounded:,f}" if grouped else f"{rounded:f}"
    first = originals[0].strip()
    before = first[0] if first[:1] in "$€£¥" else ""
    return f"{before}{plain}{'%' if first.endswith('%') else ''}"


def spread(keys: Sequence[Decimal | tuple[int, int, int]]) -> Decimal:
    """The most less the least; of dates in years."""
    numbers = [Decimal(key[0]) if isinstance(key, tuple) else key for key in keys]
    return max(numbers) - min(numbers)


def kind_of(column: Column) -> AnswerKind:
    if column.kind == "date":
        return "date"
    return "number" if column.kind == "number" else "entity"
