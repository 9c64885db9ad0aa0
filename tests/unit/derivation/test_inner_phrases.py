"""What a question describes and does not name is found, with the question for it."""

from __future__ import annotations

import pytest

from provgraph.derivation.inner_phrases import asked_within, inner_phrases
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
