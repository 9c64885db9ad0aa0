"""Values: canonical forms of dates, numbers and quantities, and what is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provgraph.extraction.facts import Value
from provgraph.extraction.stored_values import read_value


@pytest.mark.parametrize(
    ("text", "kind", "lexical"),
    [
        ("1903", "date", "1903"),
        ("December 1903", "date", "1903-12"),
        ("10 December 1903", "date", "1903-12-10"),
        ("December 10, 1903", "date", "1903-12-10"),
        ("10th of December 1903", "date", "1903-12-10"),
        ("Dec. 10, 1903", "date", "1903-12-10"),
        ("1903-12-10", "date", "1903-12-10"),
        ("42", "number", "42"),
        ("4.50", "number", "4.5"),
        ("-3", "number", "-3"),
        ("1,200", "number", "1200"),
        ("3 million", "number", "3000000"),
        ("4.5%", "quantity", "4.5 %"),
        ("4.5 percent", "quantity", "4.5 %"),
        ("$12 million", "quantity", "12000000 USD"),
        ("US$ 12 million", "quantity", "12000000 USD"),
        ("12 million dollars", "quantity", "12000000 USD"),
        ("€5bn", "quantity", "5000000000 EUR"),
        ("37 °C", "quantity", "37 °C"),
        ("350 kilometres", "quantity", "350 km"),
        ("12 square miles", "quantity", "12 mi²"),
        ("3 years", "quantity", "3 years"),
        ("12,000 inhabitants", "quantity", "12000 inhabitant"),
        ("12 apples", "quantity", "12 apple"),
    ],
)
def test_a_value_has_one_canonical_form(text: str, kind: str, lexical: str) -> None:
    value = read_value(text)
    assert isinstance(value, Value)
    assert (value.kind, value.lexical, value.label) == (kind, lexical, text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "31 February 1903",
        "1903-13-01",
        "1.2.3",
        "C3",
        "10 Downing Street",
        "seven",
        "about 30",
        "5th",
        "the 1990s",
        "1,20",
        "million",
        "%",
    ],
)
def test_what_is_no_value_is_left_to_be_a_name(text: str) -> None:
    assert read_value(text) is None


@given(st.integers(-(10**12), 10**12))
def test_integers_keep_their_value(number: int) -> None:
    value = read_value(f"{number:,}")
    assert value is not None
    assert (value.kind, int(value.lexical)) in (("number", number), ("date", number))
