"""What a question describes and does not name is found, with the question for it."""

from __future__ import annotations

import pytest

from provgraph.derivation.inner_phrases import inner_phrases
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
