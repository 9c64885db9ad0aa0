"""The reason that a sentence gives, for a question why."""

from __future__ import annotations

import pytest

from unit.derivation.shelf import short

ORME = {
    "The Orme": "Salmon disappeared from the Orme in the 1960s because of the paper mills at Brack and came back in "
    "1998. The ferry was closed in 1970, because too few people used it. The bridge was opened in 1907. "
    "The ferryman resigned in protest and moved to Graz."
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Why did the salmon disappear from the Orme?", "the paper mills at Brack"),
        ("Why was the ferry closed?", "too few people used it"),
        ("Why was the bridge opened?", ""),
    ],
)
async def test_a_reason_is_what_hangs_on_because(question: str, answer: str) -> None:
    assert await short(question, ORME) == answer
