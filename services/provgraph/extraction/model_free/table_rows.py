"""Facts of table rows: what the row is of, the label of a column, and the cell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from provgraph.documents.tables import rows
from provgraph.extraction.facts import Entity, Fact, Value
from provgraph.extraction.model_free.labels import clean_label
from provgraph.extraction.model_free.values import read_value

CONFIDENCE: Final = 0.9
MOST_WORDS: Final = 6
LONGEST_NAME: Final = 80
"""A longer first cell is no name, and a longer cell is prose, which is read as such."""

_EMPTY: Final = frozenset(("", "-", "–", "—", "n/a", "na", "none", "nil", ".", "…", "?", "¦"))


def row_facts(text: str) -> Iterator[Fact]:
    """A fact for each cell with a label, with the span of its whole row; none for a cell that is empty."""
    for row in rows(text):
        subject = clean_label(row.subject)
        if len(subject) <= LONGEST_NAME and any(map(str.isalnum, subject)):
            for cell in row.cells:
                label = clean_label(cell.label)
                if label and cell.value.casefold() not in _EMPTY and len(cell.value) <= LONGEST_NAME:
                    yield Fact(Entity(subject), label, _object(cell.value), CONFIDENCE, row.start, row.end)


def _object(value: str) -> Entity | Value:
    """A date, a number or a quantity; a name, where it looks like one; else words."""
    found = read_value(value)
    if found is not None:
        return found
    named = value[0].isupper() and len(value.split()) <= MOST_WORDS and clean_label(value) == value
    return Entity(value) if named else Value("text", value, value)
