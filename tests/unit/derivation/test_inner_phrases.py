"""What a question describes and does not name is found, with the question for it."""

from __future__ import annotations

import pytest

from provgraph.derivation.inner_phrases import asked_within, in_order, inner_phrases
from unit.derivation.shelf import PARSER


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        (
            "Who was the first mayor of the town where Ilona Brandt was born?",
            ["What is the town where Ilona Brandt was born?"],
        ),
        ("When did the author of Grey Water die?", ["Who is the author of Grey Water?"]),
        ("What is Oskar Lind's sister's profession?", []),
        ("Which river is the longest?", []),
        ("Who is the director of Silver Harbour?", []),
        (
            "What is the capital of the country Ilona Brandt is from?",
            ["What is the country Ilona Brandt is from?"],
        ),
        ("Who owns a ship that sank near Kotka?", []),
    ],
)
def test_what_is_described_is_asked_for(question: str, asked: list[str]) -> None:
    assert [each.question for each in inner_phrases(question, PARSER)][:1] == asked


def test_a_name_takes_the_place_of_the_description() -> None:
    question = "When did the author of Grey Water die?"
    phrase = inner_phrases(question, PARSER)[0]
    assert phrase.replaced(question, "Oskar Lind") == "When did Oskar Lind die?"


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        (
            "Orrin Hall is a hall in a university located in what city?",
            "Orrin Hall is a hall in what university?",
            "Ostra is located in what city?",
        ),
        (
            "Grey Water is in the hand of a musician whose godfather is whom?",
            "Grey Water is in the hand of what musician?",
            "Ostra's godfather is whom?",
        ),
        (
            "Kate Rook is a character of a series that was made by who?",
            "Kate Rook is a character of what series?",
            "Ostra was made by who?",
        ),
    ],
)
def test_a_clause_that_asks_is_asked_of_its_thing_by_name(question: str, first: str, last: str) -> None:
    phrase = asked_within(question, PARSER)
    assert phrase is not None
    assert phrase.question == first
    assert phrase.replaced(question, "Ostra") == last


def test_a_question_that_begins_with_what_it_asks_has_no_such_clause() -> None:
    assert asked_within("Who owns a ship that sank near Kotka?", PARSER) is None


@pytest.mark.parametrize(
    ("question", "described"),
    [
        ("What time does the state where Orrin Hall is stop selling beer?", "the state where Orrin Hall is"),
        (
            "When did the area where Orrin Hall is located become a state?",
            "the area where Orrin Hall is located",
        ),
        (
            "Where is the district that Orrin is part of located in Velm?",
            "the district that Orrin is part of",
        ),
        (
            "What is the country where Orrin Hall is located named after?",
            "the country where Orrin Hall is located",
        ),
        (
            "Who leads the group that took the town where Ida Lund was born?",
            "the town where Ida Lund was born",
        ),
        ("What is the population of the town where Ida Lund was born?", "the town where Ida Lund was born"),
        ("Where was the teacher of Ida Lund born?", "the teacher of Ida Lund"),
        (
            "Who is the singer of the band whose album cover Stellan Roos made?",
            "the band whose album cover Stellan Roos made",
        ),
    ],
)
def test_a_clause_ends_before_the_verb_of_the_question(question: str, described: str) -> None:
    assert [phrase.text for phrase in inner_phrases(question, PARSER)][:1] == [described]


def test_a_clause_within_a_clause_has_its_own_verb() -> None:
    question = "What borders the country where the town where Ida Lund was born is located?"
    assert [phrase.text for phrase in inner_phrases(question, PARSER)] == [
        "the town where Ida Lund was born",
        "the country where the town where Ida Lund was born is located",
    ]


@pytest.mark.parametrize(
    "question", ["Who directed the film The Lantern Keeper?", "Who led the village of Orrin in 1902?"]
)
def test_what_is_named_with_its_noun_is_not_described(question: str) -> None:
    assert not inner_phrases(question, PARSER)


@pytest.mark.parametrize(
    ("question", "ordered"),
    [
        (
            "In what year was the club founded whose ground is Ashby Park?",
            "In what year was the club whose ground is Ashby Park founded?",
        ),
        (
            "When was the battle fought in which Axel Thorne lost an eye?",
            "When was the battle in which Axel Thorne lost an eye fought?",
        ),
        ("The Lurcher and the Collie were developed in which century?", None),
        ("Who said that Orrin Hall was sold?", None),
    ],
)
def test_a_clause_is_put_to_the_noun_that_it_tells_of(question: str, ordered: str | None) -> None:
    assert in_order(question, PARSER) == (ordered or question)
