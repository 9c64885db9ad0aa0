"""By how much two differ and which of two has more, where one sentence tells of both."""

from __future__ import annotations

import pytest

from provgraph.derivation.result import Derived
from provgraph.derivation.two_values import alternatives, asks_for_difference, two_told
from unit.derivation.shelf import Shelf

WARD = {
    "Wenlow ward": "By night the ward sees few patients, at a cost of £211 each, against £68 by day. There are six "
    "parking spaces, whereas the standard demands eighteen. Ten of the fourteen carriages that were ordered are ready. "
    "Five of the members of the board were chosen by shipowners, four by the town councils. The lifeboat station was "
    "finished in 1913 and the bridge in 1931. Debts were cut from 9.7 billion rand to 2.9 billion. Answering a bell "
    "takes 11 minutes at night, as against 3 by day. Captan needs 21 days before picking and spinosad 7. The town has "
    "41,000 members in fourteen parishes.",
}


async def told(question: str) -> Derived | None:
    return two_told(question, await Shelf(WARD).found(question))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How much more does a patient cost the ward by night than by day?", "£143"),
        ("How many parking spaces is the ward short of the standard?", "12"),
        ("How many of the carriages ordered for the ward are not ready?", "4"),
        ("How many minutes longer does answering a bell take at night than by day?", "8 minutes"),
        ("By how much were the debts cut?", "6.8 billion rand"),
        ("Who had more members of the board, shipowners or town councils?", "shipowners"),
        ("Who chose fewer members of the board, shipowners or town councils?", "town councils"),
        ("Which was finished first, the bridge or the lifeboat station?", "the lifeboat station"),
        ("Which needs longer before picking, spinosad or captan?", "captan"),
    ],
)
async def test_two_values_of_one_sentence_are_subtracted_or_compared(question: str, answer: str) -> None:
    found = await told(question)
    assert found is not None
    assert found.text == answer
    (step,) = found.steps
    assert step.operation in ("subtract", "compare")
    assert len(step.supports) == 1


@pytest.mark.parametrize(
    "question",
    [
        "How many more members does the town have than the city?",
        "How much more did it cost in 2019 than in 2020?",
        "How many members does the town have?",
        "Which is older, the mill or the quarry?",
        "Who leads the board?",
    ],
)
async def test_what_no_sentence_tells_of_two_is_not_counted(question: str) -> None:
    assert await told(question) is None


def test_what_lets_choose_is_told_from_what_does_not() -> None:
    assert alternatives("Was the river higher in 1953 or in 2019?") == ("in 1953", "in 2019")
    assert alternatives("Were there more egrets or kites among the birds?") == ("egrets", "kites")
    assert alternatives("Who runs it?") is None
    assert asks_for_difference("By how much did it rise?")
    assert not asks_for_difference("How much is the rent?")
