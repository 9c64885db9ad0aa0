"""Facts of table cells: what the row is of, what the column is of, and the cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Final

from provgraph.documents.amounts import is_empty, is_unit
from provgraph.documents.table_model import Cell
from provgraph.documents.table_rows import TableRow
from provgraph.extraction.facts import Entity, Fact, Value
from provgraph.extraction.labels import clean_label
from provgraph.extraction.stored_values import read_value

CONFIDENCE: Final = 0.9
MOST_WORDS: Final = 6
LONGEST_NAME: Final = 80
"""A longer first cell is no name, and a longer cell is prose, which is read as such."""


def row_facts(rows: Iterable[TableRow]) -> Iterator[Fact]:
    """A fact for each cell below a header, with the span of its whole row; none for a cell that is empty."""
    for row in rows:
        subject = clean_label(row.subject)
        if len(subject) > LONGEST_NAME or not any(map(str.isalnum, subject)):
            continue
        for cell in row.cells:
            label = _relation(cell)
            if (
                label
                and len(label) <= LONGEST_NAME
                and len(cell.text) <= LONGEST_NAME
                and not is_empty(cell.text)
            ):
                named = Entity(subject, local=row.is_line_item)
                yield Fact(named, label, _object(cell), CONFIDENCE, row.start, row.end)


def _relation(cell: Cell) -> str:
    """The heads of the column, without those that are only a unit: the value has it."""
    heads = [head for head in cell.column_header if not is_unit(head)]
    return clean_label(" ".join(heads or cell.column_header))


def _object(cell: Cell) -> Entity | Value:
    """An amount in whole units; a date, a number or a quantity; a name, where it looks like one; else words."""
    words = " ".join(cell.text.split())
    if cell.amount is not None and (cell.unit or cell.scale > 1):
        lexical = _plain(cell.amount)
        return (
            Value("quantity", f"{lexical} {cell.unit}", words)
            if cell.unit
            else Value("number", lexical, words)
        )
    value = read_value(words)
    if value is not None:
        return value
    if cell.number is not None:
        return Value("number", _plain(cell.number), words)
    named = words[0].isupper() and len(words.split()) <= MOST_WORDS and clean_label(words) == words
    return Entity(words) if named else Value("text", words, words)


def _plain(number: Decimal) -> str:
    """Digits without an exponent and without zeros that say nothing."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
