"""Which relations have one value at most, and which values exclude each other."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode

from provgraph.catalogue.contradictions import (
    AttributeKind,
    attributes,
    excludes,
    kind_of,
    relation_words,
    same_name,
)
from provgraph.rdf import literals
from provgraph.rdf.iris import entity_iri
from provgraph.rdf.vocabulary import TG

DATES = st.dates(date(1000, 1, 1), date(2999, 12, 31)).flatmap(
    lambda day: st.sampled_from([day.isoformat()[:4], day.isoformat()[:7], day.isoformat()]).map(
        literals.date
    )
)
VALUES = st.one_of(
    DATES,
    st.integers().map(lambda number: literals.number(str(number))),
    st.tuples(st.integers(0, 99), st.sampled_from(["m", "km"])).map(
        lambda q: literals.quantity(f"{q[0]} {q[1]}")
    ),
    st.text(min_size=1, max_size=8).map(literals.text),
)


@given(VALUES, VALUES)
def test_exclusion_goes_both_ways_and_no_value_excludes_itself(one: Literal, other: Literal) -> None:
    assert not excludes(one, one)
    if kind_of(one) is kind_of(other):
        assert excludes(one, other) == excludes(other, one)


@given(st.dates(date(1000, 1, 1), date(2999, 12, 31)))
def test_a_coarser_date_that_holds_a_finer_one_excludes_it_never(day: date) -> None:
    said = [literals.date(day.isoformat()[:length]) for length in (4, 7, 10)]
    assert not any(excludes(one, other) for one in said for other in said)


@given(st.dates(date(1000, 1, 1), date(2998, 12, 31)))
def test_a_date_of_another_year_is_excluded_at_every_precision(day: date) -> None:
    said = [literals.date(day.isoformat()[:length]) for length in (4, 7, 10)]
    later = literals.date(f"{day.year + 1}")
    assert all(excludes(one, later) for one in said)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (literals.date("1867-11-07"), literals.date("1867-11-08"), True),
        (literals.date("1867-11"), literals.date("1867-12-01"), True),
        (literals.number("3"), literals.number("3.0"), False),
        (literals.number("3"), literals.number("4"), True),
        (literals.quantity("350 km"), literals.quantity("351 km"), True),
        (literals.quantity("350 km"), literals.quantity("217 mi"), False),
        (literals.text("Physicist "), literals.text("physicist"), False),
        (Literal("Varsovie", language="fr"), Literal("Warsaw", language="en"), False),
    ],
)
def test_what_excludes_what(one: Literal, other: Literal, expected: bool) -> None:
    assert excludes(one, other) is expected


@pytest.mark.parametrize(
    ("relation", "kind", "expected"),
    [
        (entity_iri("was born on"), AttributeKind.DATE, ["date of birth"]),
        (entity_iri("was born in"), AttributeKind.DATE, ["date of birth"]),
        (entity_iri("was born in"), AttributeKind.THING, ["place of birth"]),
        (NamedNode("http://schema.org/birthDate"), AttributeKind.DATE, ["date of birth"]),
        (NamedNode("http://dbpedia.org/ontology/birthPlace"), AttributeKind.THING, ["place of birth"]),
        (entity_iri("died in"), AttributeKind.THING, ["place of death"]),
        (entity_iri("has mother"), AttributeKind.THING, ["mother"]),
        (entity_iri("discovered"), AttributeKind.THING, []),
        (entity_iri("was founded by"), AttributeKind.THING, []),
        (entity_iri("is the mother of"), AttributeKind.THING, []),
        (entity_iri("visited in"), AttributeKind.DATE, []),
    ],
)
def test_what_a_relation_tells(relation: NamedNode, kind: AttributeKind, expected: list[str]) -> None:
    assert [attribute.name for attribute in attributes(relation, kind)] == expected


def test_names_of_one_relation_are_one_in_words() -> None:
    names = ("birthDate", "birth_date", "has birth date", "Birth-Date", "the birth date")
    assert {relation_words(name) for name in names} == {"birth date"}


def test_a_name_that_says_more_may_be_the_same_thing() -> None:
    assert same_name(["Warsaw"], ["Warsaw, Poland"])
    assert same_name(["Curie, Marie"], ["Marie Curie"])
    assert not same_name(["Warsaw"], ["Paris"])


def test_kinds_of_values() -> None:
    assert kind_of(NamedNode("urn:x")) is AttributeKind.THING
    assert kind_of(literals.date("1867")) is AttributeKind.DATE
    assert kind_of(literals.quantity("1 m")) is AttributeKind.QUANTITY
    assert kind_of(literals.typed("x", TG.concept)) is AttributeKind.TEXT
