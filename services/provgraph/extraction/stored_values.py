"""Values as facts hold them: from what the reading says of a phrase to `extraction.facts.Value`."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from provgraph.extraction.facts import Value
from provgraph.reading.parser.lemmas import lemma
from provgraph.reading.value_reading import counted, find_values
from provgraph.reading.values import Date, Ordinal, Quantity
from provgraph.reading.values import Value as ReadValue

_COUNTED: Final = re.compile(r"\s([a-z]{3,})\Z")


def stored_value(value: ReadValue, label: str) -> Value:
    """A date, a number or a quantity that is exact, in the form that compares; else the words."""
    if isinstance(value, Date) and value.lexical:
        return Value("date", value.lexical, label)
    if isinstance(value, Quantity) and value.exact:
        number = replace(value, unit="", amount=value.amount + 0).lexical  # -0 is 0
        unit = value.unit or value.noun
        return Value("quantity", f"{number} {unit}", label) if unit else Value("number", number, label)
    return Value("text", label, label)


def read_value(label: str) -> Value | None:
    """The date, number or quantity that the whole of `label` is, its counted noun included; None where it is none."""
    values = find_values(label)
    if len(values) != 1 or values[0].start or not any(map(str.isdigit, label)):
        return None
    value, rest = values[0].value, label[values[0].end :]
    noun = _COUNTED.fullmatch(rest)
    if noun and isinstance(value, Quantity) and not value.unit:
        value = counted(value, lemma(noun[1], "NNS", "NOUN"))
    elif rest:
        return None
    known = not isinstance(value, Ordinal) and (
        bool(value.lexical) if isinstance(value, Date) else value.exact
    )
    return stored_value(value, label) if known else None
