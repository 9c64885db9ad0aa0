"""Questions with something said beside a name."""

from __future__ import annotations

import pytest

from provgraph.derivation.asides import asides
from unit.derivation.shelf import short

PEOPLE = {
    "Jonas Mali": "Jonas Mali (18 January 1954 – 13 May 2013) was a fashion photographer known for his pictures of "
    "stage singers. He was the father of the actress Antara Mali.",
    "Tova Lind": "Tova Lind was a painter. She was the mother of Per Lind.",
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Jonas Mali, known for pictures of singers, is father to which actress?", "Antara Mali"),
        ("Who was the son of Tova Lind, who was a painter?", "Per Lind"),
        ("Who was the son of Tova Lind, known for sailing alone around Antarctica?", ""),
    ],
)
async def test_the_question_is_asked_without_what_is_known_of_the_name(question: str, answer: str) -> None:
    assert await short(question, PEOPLE) == answer


def test_nothing_that_asks_is_left_out() -> None:
    assert [aside.question for aside in asides("Jonas Mali, who had which daughter?")] == []
    (aside,) = asides("Jonas Mali, known for pictures, is father to whom?")
    assert aside.question == "Jonas Mali is father to whom?"
