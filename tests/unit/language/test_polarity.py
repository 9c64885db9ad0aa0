"""A question for what is not so is never answered with what is."""

from __future__ import annotations

import pytest

from provgraph.language.polarity import asked_polarity, denied_share, is_denied_only, may_answer

DUTY = "The Carrier shall be responsible for the cargo."
NO_DUTY = "The Carrier shall not be responsible for delays by customs."


@pytest.mark.parametrize(
    ("question", "polarity"),
    [
        ("What is the Carrier not responsible for?", "denied"),
        ("Which goods are forbidden?", "denied"),
        ("What can the Shipper do if it is not paid?", "affirmed"),
        ("What is the Carrier responsible for?", "affirmed"),
        ("When does the fee fall due?", "either"),
    ],
)
def test_what_is_denied_is_the_question_and_not_its_condition(question: str, polarity: str) -> None:
    assert asked_polarity(question) == polarity


def test_the_opposite_is_no_answer() -> None:
    question = "What is not the responsibility of the Carrier?"
    assert may_answer(question, NO_DUTY)
    assert not may_answer(question, DUTY)
    assert may_answer("What is the Carrier responsible for?", DUTY)
    assert is_denied_only("What is the Carrier responsible for?", NO_DUTY)
    excepted = "The Carrier shall not be responsible for glass, except where its staff breaks it."
    assert denied_share("What is the Carrier responsible for?", excepted) == 0.5
    assert not denied_share(
        "What is the Carrier responsible for?", "It shall insure food, but not the drinks."
    )


def test_an_exception_may_answer_what_is_not_so() -> None:
    assert may_answer("When is the fee not due?", "The fee is due on arrival, unless the cargo is lost.")
