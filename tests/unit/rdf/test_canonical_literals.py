"""Literals as they are made: those that a store gives back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Quad, Store

from provgraph.rdf import literals
from provgraph.rdf.vocabulary import XSD

zones = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
moments = st.datetimes(timezones=zones).filter(lambda moment: 1 < moment.year < 9999)
numbers = st.from_regex(r"-?[0-9]{1,20}(\.[0-9]{1,10})?", fullmatch=True)
made: st.SearchStrategy[Literal] = st.one_of(
    st.text().map(literals.text),
    st.booleans().map(literals.boolean),
    st.integers().map(literals.integer),
    st.floats(0, 1e9).map(literals.decimal),
    moments.map(literals.date_time),
    numbers.map(literals.number),
    st.dates().map(lambda day: literals.date(day.isoformat())),
    st.dates().map(lambda day: literals.date(day.isoformat()[:7])),
    st.dates().map(lambda day: literals.date(day.isoformat()[:4])),
    st.builds(lambda number, unit: literals.quantity(f"{number} {unit}"), numbers, st.text(min_size=1)),
)


@given(made)
def test_a_literal_is_the_one_that_a_store_gives_back(literal: Literal) -> None:
    node = NamedNode("urn:example:n")
    store = Store()
    store.add(Quad(node, node, literal))
    assert [quad.object for quad in store] == [literal]


@pytest.mark.parametrize(
    ("literal", "lexical", "datatype"),
    [
        (literals.decimal(1.50), "1.5", XSD.decimal),
        (literals.decimal(1 / 3), "0.333333", XSD.decimal),
        (literals.number("007"), "7", XSD.integer),
        (literals.number("4.50"), "4.5", XSD.decimal),
        (literals.date("1903"), "1903", XSD.g_year),
        (literals.date("1903-12"), "1903-12", XSD.g_year_month),
        (literals.date("1903-12-10"), "1903-12-10", XSD.date),
        (
            literals.date_time(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
            "2026-01-02T03:04:05Z",
            XSD.date_time,
        ),
    ],
)
def test_literals_have_canonical_forms_and_datatypes(
    literal: Literal, lexical: str, datatype: NamedNode
) -> None:
    assert (literal.value, literal.datatype) == (lexical, datatype)


@given(moments)
def test_a_moment_is_said_in_utc(moment: datetime) -> None:
    assert literals.date_time(moment).value.endswith("Z")
