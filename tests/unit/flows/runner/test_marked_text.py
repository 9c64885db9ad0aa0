"""Marks come out of a streamed answer wherever tokens cut them, and a refusal is never shown in part."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provgraph.flows.runner.citation_markers import CitationMarker, MarkedText

ANSWER = "Marie Curie [1] discovered polonium in 1898 [2, 3].[1-2] It is [sic] rare 【4】.\n\nSo it is. [12]"
CLEAN = "Marie Curie discovered polonium in 1898. It is [sic] rare.\n\nSo it is."


def read(pieces: Sequence[str]) -> tuple[str, MarkedText]:
    text = MarkedText()
    shown = [text.feed(piece) for piece in pieces]
    return "".join([*shown, text.finish()]), text


def cut(text: str, places: set[int]) -> list[str]:
    at = [0, *sorted(places), len(text)]
    return [text[start:end] for start, end in pairwise(at)]


@given(st.sets(st.integers(0, len(ANSWER))))
def test_marks_are_taken_out_however_the_answer_is_cut_into_tokens(places: set[int]) -> None:
    shown, text = read(cut(ANSWER, places))
    assert shown == text.text == CLEAN
    assert [mark.numbers for mark in text.marks] == [(1,), (2, 3), (1, 2), (4,), (12,)]
    assert text.marks[0] == CitationMarker(len("Marie Curie"), (1,))
    assert text.marks[-1].at == len(CLEAN)


@given(st.text(alphabet="[]1, .aN\n-", max_size=60), st.sets(st.integers(0, 60)))
def test_what_is_shown_is_what_is_kept_and_depends_on_no_token(answer: str, places: set[int]) -> None:
    shown, text = read(cut(answer, {place for place in places if place <= len(answer)}))
    assert shown == text.text
    assert (shown, text.marks) == (read([answer])[0], read([answer])[1].marks)


@pytest.mark.parametrize(
    "said", ["NO ANSWER", "NO ANSWER.", "**NO ANSWER**", "No answer found.", " no answer\n"]
)
def test_a_refusal_is_known_and_nothing_of_it_is_shown(said: str) -> None:
    shown, text = read(list(said))
    assert (shown, text.refuses) == ("", True)


@pytest.mark.parametrize("said", ["No answers were given before 1903.", "Nobel won.", "No."])
def test_a_sentence_that_only_begins_like_a_refusal_is_shown(said: str) -> None:
    shown, text = read(list(said))
    assert (shown, text.refuses) == (said, False)


def test_words_are_shown_as_soon_as_they_can_be_no_mark() -> None:
    text = MarkedText()
    assert text.feed("Marie Curie did") == "Marie Curie did"
    assert text.feed(" [") == ""
    assert text.feed("1") == ""
    assert text.feed("], then") == ", then"
