"""What derivation is made of: fitting values, compositions of kinship, statements of questions, relevance."""

from __future__ import annotations

from dataclasses import replace

import pytest

from provgraph.derivation.compositions import composed_relation, named_in_place
from provgraph.derivation.fitting import counts, fits
from provgraph.derivation.plan import type_by_words
from provgraph.derivation.relevance import can_answer
from provgraph.derivation.yes_no import statement_of
from provgraph.reading.propositions import Argument, Span
from provgraph.reading.value_reading import find_values
from provgraph.reading.values import Quantity
from unit.derivation.shelf import PARSER


def value(text: str, noun: str = "") -> Argument:
    span, found = Span(0, len(text), text), find_values(text)[0].value
    if noun and isinstance(found, Quantity):
        found = replace(found, noun=noun)
    return Argument("object", text, span, span, "value", value=found)


def name(text: str, kind: str = "") -> Argument:
    span = Span(0, len(text), text)
    return Argument("object", text, span, span, "entity", entity_type=kind)


@pytest.mark.parametrize(
    ("relation", "argument", "does"),
    [
        ("area", value("54 square kilometres"), True),
        ("area", value("61 metres"), False),
        ("height", value("61 metres"), True),
        ("length", value("118 minutes"), True),
        ("population", value("4,300", "people"), True),
        ("population", value("4,300", "sheep"), False),
        ("father", name("Clara Munro", "Person"), False),
        ("father", name("Anton Weil", "Person"), True),
        ("mother", name("Otter Films", "Organization"), False),
        ("headquarters", name("French"), False),
    ],
)
def test_a_value_fits_a_relation_by_unit_type_and_gender(
    relation: str, argument: Argument, does: bool
) -> None:
    assert fits(relation, argument) is does


def test_a_number_counts_what_is_asked() -> None:
    assert counts("employee", value("30", "employees"))
    assert not counts("daughter", value("30", "employees"))


@pytest.mark.parametrize(
    ("text", "relation", "named"),
    [
        (
            "Where did the paternal grandfather of Ida Holm live?",
            "paternal grandfather",
            "Where did Nils live?",
        ),
        ("Where did Ida Holm's brother in law live?", "brother-in-law", "Where did Nils live?"),
        ("Who is the mayor of Graz?", "", ""),
    ],
)
def test_a_composed_relation_is_found_and_can_be_replaced_by_a_name(
    text: str, relation: str, named: str
) -> None:
    assert composed_relation(text) == relation
    assert (named_in_place(text, relation, "Nils") if relation else "") == named


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Did Ada Novak live in Graz?", "Ada Novak did live in Graz."),
        ("Is Otter Films a company?", "Otter Films is a company."),
        ("Who lived in Graz?", ""),
    ],
)
def test_a_question_is_put_as_a_statement(question: str, statement: str) -> None:
    assert statement_of(question, PARSER) == statement


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("The film was shot in what city?", "Place"),
        ("The bridge was opened in which year?", "Date"),
        ("The opera was composed by whom?", "Person"),
        ("It is made of what?", ""),
    ],
)
def test_what_is_asked_at_the_end_has_a_type(question: str, kind: str) -> None:
    assert type_by_words(question) == kind


def test_sentences_that_do_not_speak_of_the_relation_are_no_answer() -> None:
    directed = "Night Ferry is a film directed by Anna Sorel."
    assert can_answer("Who directed Night Ferry?", [directed], PARSER)
    assert not can_answer("Who wrote Night Ferry?", [directed], PARSER)
    assert not can_answer("When did Anna Sorel die?", ["Anna Sorel died in Lyon."], PARSER)
