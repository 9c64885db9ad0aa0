"""What a question takes over from the one before."""

from __future__ import annotations

import pytest

from provgraph.flows.research.conversations import carried


def test_a_question_that_points_back_takes_the_names_before() -> None:
    assert carried("Which data set is it trained on?", ["What is LayFormer based on?"]) == ("LayFormer",)


def test_the_last_question_with_a_name_counts() -> None:
    earlier = ["What is LayFormer based on?", "What does it outperform?"]
    assert carried("Is it fast?", earlier) == ("LayFormer",)


@pytest.mark.parametrize(
    "question", ["What is TabReader trained on?", "Which proteins fold slowly?", "Does it use PubTabNet?"]
)
def test_a_question_that_stands_by_itself_takes_nothing(question: str) -> None:
    assert carried(question, ["What is LayFormer based on?"]) == ()


def test_the_first_question_has_nothing_to_take() -> None:
    assert carried("What does it outperform?", []) == ()
