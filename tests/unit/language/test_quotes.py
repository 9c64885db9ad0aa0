"""A quote is found where its words stand, however it was copied; words that nobody wrote are not found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provgraph.language.quotes import QuotableText, _distances

TEXT = (
    "Marie Curie was born in Warsaw. In 1898 she and her husband dis-\ncovered polonium,  which she named "
    "after Poland;\nthe efﬁcient method was hers. 마리 퀴리는 폴로늄을 발견했다. C++ is a language."
)


def found(quote: str, text: str = TEXT) -> str | None:
    span = QuotableText.of(text).find(quote)
    return None if span is None else text[span[0] : span[1]]


@pytest.mark.parametrize(
    ("quote", "words"),
    [
        ("Marie Curie was born in Warsaw.", "Marie Curie was born in Warsaw"),
        ("she and her husband discovered polonium", "she and her husband dis-\ncovered polonium"),
        ("polonium, which she named after Poland; the", "polonium,  which she named after Poland;\nthe"),
        ("MARIE CURIE WAS BORN", "Marie Curie was born"),
        ("the efficient method", "the efﬁcient method"),
        ("“Marie Curie” was born", "Marie Curie was born"),
        ("Marie Curie was bom in Warsaw", "Marie Curie was born in Warsaw"),
        ("Marie Currie was born in Warsaw", "Marie Curie was born in Warsaw"),
        ("born in Warsaw ... discovered", "born in Warsaw. In 1898 she and her husband dis-\ncovered"),
        ("마리 퀴리는 폴로늄을 발견했다", "마리 퀴리는 폴로늄을 발견했다"),
    ],
)  # fmt: skip
def test_a_quote_is_found_as_the_text_has_it(quote: str, words: str) -> None:
    assert found(quote) == words


@pytest.mark.parametrize(
    "quote",
    [
        "Pierre Curie was born in Paris.",
        "Marie Curie discovered radium in 1910 with Pierre.",
        "",
        "…",
        "an",
        "arie Curi",
        "polonium ... Marie Curie",
        "Warsaw is a language",
    ],
)
def test_words_that_are_not_there_are_not_found(quote: str) -> None:
    assert found(quote) is None


def test_an_ellipsis_stands_for_a_few_words_and_not_for_a_page() -> None:
    assert found("it began … it ended", f"It began {'so ' * 300} it ended") is None


@given(st.text(max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_what_was_cut_out_of_a_text_is_found_in_it(text: str, start: int, end: int) -> None:
    words = f"alpha {text} omega"
    span = QuotableText.of(words).find(words[: 6 + min(start, len(text))])
    assert span is None or (0 <= span[0] < span[1] <= len(words))
    assert QuotableText.of(words).find(words) == (0, len(words))


def distance(pattern: str, text: str) -> int:
    """The edits between two words, by the textbook."""
    row = list(range(len(text) + 1))
    for i, a in enumerate(pattern, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(text, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


@given(st.text("ab", min_size=1, max_size=8), st.text("abc", max_size=10))
def test_the_distances_are_those_of_the_textbook(pattern: str, text: str) -> None:
    for end, found_distance in _distances(pattern, text):
        assert found_distance == min(distance(pattern, text[start:end]) for start in range(end + 1))
