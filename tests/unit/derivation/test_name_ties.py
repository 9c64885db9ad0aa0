"""What a question names has to be what its answer is said of."""

from __future__ import annotations

import pytest

from unit.derivation.shelf import short

VALLEY = {
    "Harlow": "The football club, Harlow Rovers, plays in red. Its ground, the Nettings, holds 7,800 spectators. The "
    "club was founded in 1902. A match between Harlow Rovers and Castle United was called off in January.",
    "Ilse Verrin": "Ilse Verrin was a physicist. She was the third child of the schoolmaster Peter Verrin. She died in "
    "Castleby in 1957. In 1932 she received the Copeland Medal.",
    "Orrin Pumps": "Orrin Pumps makes pumps in Harlow. The company bought Larkfield Valves in 2024. Larkfield has 64 "
    "employees and will keep its name.",
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many employees does Larkfield have?", "64"),
        ("Where did Ilse Verrin die?", "Castleby"),
    ],
)
async def test_what_is_said_of_the_name_is_an_answer(question: str, answer: str) -> None:
    assert (await short(question, VALLEY)).startswith(answer)


@pytest.mark.parametrize(
    "question",
    [
        "How many spectators does the ground of Castle United hold?",
        "How many employees does Orrin Pumps have?",
        "Where did Peter Verrin die?",
        "Which medal did Ilse Verrin receive in 1948?",
    ],
)
async def test_what_is_said_of_something_else_is_none(question: str) -> None:
    assert await short(question, VALLEY) == ""
