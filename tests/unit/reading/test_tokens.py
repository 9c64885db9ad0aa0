"""Words as exact spans: every character that is not white space stands in one, whatever the text."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provgraph.reading.parser.tokens import word_spans


def _words(text: str) -> list[str]:
    return [text[start:end] for start, end in word_spans(text, 0, len(text))]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I can't, he'd; cannot.", "I ca n't , he 'd ; can not ."),
        ("Ada’s workers' well-known plan", "Ada ’s workers ' well - known plan"),
        ("$1.7m, £1,200.50 or 3.5%", "$ 1.7 m , £ 1,200.50 or 3.5 %"),
        ("the 19th, 1990s and 1990–1995, 10km", "the 19th , 1990s and 1990 – 1995 , 10 km"),
        (
            "on 2020-05-03 at 10:30 a.m. (see www.x.org/a).",
            "on 2020-05-03 at 10:30 a.m. ( see www.x.org/a ) .",
        ),
        ("Dr. J. R. Reed of AT&T left the U.S.", "Dr. J. R. Reed of AT&T left the U.S."),
        ('He said "no." She sat.', 'He said " no . " She sat .'),
        ("Lab Inc.", "Lab Inc."),
        ("O'Brien... x=5", "O'Brien ... x = 5"),
    ],
)
def test_words_are_cut_as_the_treebank_cuts_them(text: str, words: str) -> None:
    assert _words(text) == words.split()


@given(st.text(max_size=200), st.integers(0, 20))
def test_no_character_is_lost_and_none_stands_in_two_words(text: str, start: int) -> None:
    spans = word_spans(text, min(start, len(text)), len(text))
    assert "".join(text[first:end] for first, end in spans) == "".join(text[start:].split())
    assert all(before <= start for (_, before), (start, _) in pairwise(spans))


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["a", ".", "a.", "a@", "www.", "1,", "-", "n't", "U.", "(", "é\u0301"])
def test_long_runs_take_linear_time(unit: str) -> None:
    assert "".join(_words(unit * 20_000)) == unit * 20_000
