"""Answers that are plainly of no kind that is asked for."""

from __future__ import annotations

import pytest

from provgraph.derivation.plain_kinds import is_of_plain_other_kind


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where was turnout highest?", "83.1%"),
        ("Who won the medal in 1974?", "person"),
        ("What did the library cost to build?", "1971"),
        ("What was the budget of the film?", "1988"),
        ("What was the final score of the cup tie?", "23,417"),
        ("What nationality was the leader of the expedition?", "Conrad Falk"),
        ("Which instrument did her successor play?", "Norwegian chemist"),
        ("At which university does Thomas Okoro work?", "Uganda"),
    ],
)
def test_what_is_plainly_of_another_kind(question: str, answer: str) -> None:
    assert is_of_plain_other_kind(question, answer)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where was turnout highest?", "Little Skarn"),
        ("Where does she live?", "12 High Street"),
        ("Who won the medal in 1974?", "a committee of three"),
        ("What did the library cost to build?", "£1,971"),
        ("How much did they pay for it?", "1,500 crowns"),
        ("What was the final score of the cup tie?", "2–1"),
        ("What nationality was the leader of the expedition?", "Danish"),
        ("What nationality was her mother by birth?", "Norwegian by birth"),
        ("Which instrument did her successor play?", "the cello"),
        ("Which company built it?", "Falk & Sons"),
    ],
)
def test_what_may_be_asked_for(question: str, answer: str) -> None:
    assert not is_of_plain_other_kind(question, answer)
