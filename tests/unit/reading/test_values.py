"""Dates, quantities and ordinals are found in a text and compared."""

from __future__ import annotations

import pytest

from provgraph.reading.value_reading import find_values, read_value
from provgraph.reading.values import Date, Ordinal, Quantity, Value, contains, excludes, order, same


def value(words: str) -> Value:
    found = read_value(words)
    assert found is not None, words
    return found


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("3,500 g", "3.5 kg", True),
        ("2 km", "2,000 metres", True),
        ("1.7 million pounds", "1,700,000 pounds", True),
        ("7 November 1867", "November 7, 1867", True),
        ("1867", "7 November 1867", None),
        ("1867", "1868", False),
        ("30 %", "30 km", None),
        ("$5 million", "€5 million", None),
        ("second", "2nd", True),
        ("the first", "the last", False),
    ],
)
def test_values_are_the_same_across_units_and_precisions(one: str, other: str, expected: bool | None) -> None:
    assert same(value(one), value(other)) is expected


@pytest.mark.parametrize(
    ("wider", "narrower", "expected"),
    [
        ("the 1990s", "1994", True),
        ("1994", "3 May 1994", True),
        ("3 May 1994", "1994", None),
        ("the 19th century", "1850", True),
        ("the 19th century", "1950", False),
        ("at least 25", "30", True),
        ("more than 100", "50", False),
        ("more than 100", "100", False),
        ("about 500", "498", True),
        ("from 1990 to 1995", "1993", True),
        ("early 1990s", "1998", False),
    ],
)
def test_a_wider_value_contains_a_narrower(wider: str, narrower: str, expected: bool | None) -> None:
    assert contains(value(wider), value(narrower)) is expected


def test_numbers_of_different_things_do_not_exclude_each_other() -> None:
    employees = Quantity(30, "30", noun="employee", low=30, high=30)  # type: ignore[arg-type]
    engineers = Quantity(40, "40", noun="engineer", low=40, high=40)  # type: ignore[arg-type]
    assert excludes(employees, engineers) is None


def test_order_is_open_where_values_overlap() -> None:
    assert order(value("1867"), value("1901")) == -1
    assert order(value("5 km"), value("300 m")) == 1
    assert order(value("the 1990s"), value("1994")) is None


def test_bounds_and_scales_are_read() -> None:
    found = value("more than 1.7 million")
    assert isinstance(found, Quantity)
    assert found.low == 1_700_000
    assert found.high is None
    assert found.strict_low


def test_dates_keep_their_precision() -> None:
    month, before = value("December 1903"), value("before 1990")
    assert isinstance(month, Date)
    assert (month.precision, month.lexical) == ("month", "1903-12")
    assert isinstance(before, Date)
    assert before.bound == "before"
    assert before.lexical == ""


def test_values_stand_where_they_were_written() -> None:
    text = "In 1903 the firm paid $3.2 billion for the second mill."
    found = find_values(text)
    assert [text[each.start : each.end] for each in found] == ["1903", "$3.2 billion", "second"]
    assert isinstance(found[2].value, Ordinal)


@pytest.mark.parametrize("words", ["", "version 1.2.3", "31 February 1990", "no figure here"])
def test_what_is_no_date_is_not_read_as_one(words: str) -> None:
    assert not any(
        isinstance(each.value, Date) and each.value.precision == "day" for each in find_values(words)
    )


def test_a_range_of_years_leaves_the_dates_before_it_dates() -> None:
    text = "It was founded in 1954 and led from 1960 to 1970 by Ada; it closed in 1980."
    assert [text[each.start : each.end] for each in find_values(text)] == [
        "1954",
        "from 1960 to 1970",
        "1980",
    ]
    assert all(isinstance(each.value, Date) for each in find_values(text))
