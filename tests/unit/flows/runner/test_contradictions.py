"""Cited words that contradict a sentence, and such as do not."""

from __future__ import annotations

import pytest

from provgraph.flows.runner.contradictions import LONGEST, contradicted

CITED = [("Ada Novak", "Ada Novak discovered the comet in 1950.")]


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("Ada Novak did not discover the comet.", True),
        ("Ada Novak discovered the comet in 1961.", True),
        ("Ada Novak discovered the comet in 1950.", False),
        ("The comet was found by Ada Novak, and she sold boats.", False),
        ("", False),
    ],
)
def test_a_sentence_is_held_against_the_words_that_it_cites(sentence: str, told: bool) -> None:
    assert contradicted(sentence, CITED) is told


def test_what_is_too_long_to_be_a_sentence_is_not_read() -> None:
    assert not contradicted("Ada Novak did not discover the comet " * LONGEST, CITED)
    assert not contradicted("Ada Novak did not discover the comet.", [])
