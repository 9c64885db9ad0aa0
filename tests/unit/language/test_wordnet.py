"""Words beside each other, from the published relations of WordNet."""

from __future__ import annotations

import pytest

from provgraph.language import wordnet


@pytest.mark.parametrize(
    ("one", "other", "part"),
    [
        ("begin", "start", "v"),
        ("buy", "purchase", "v"),
        ("film", "movie", "n"),
        ("physician", "doctor", "n"),
        ("big", "large", "a"),
    ],
)
def test_words_of_one_meaning(one: str, other: str, part: wordnet.Part) -> None:
    assert wordnet.same(one, other, part)
    assert wordnet.relation(one, other, part) == "same"


@pytest.mark.parametrize(
    ("narrow", "wide", "part"),
    [
        ("novelist", "writer", "n"),
        ("violin", "musical instrument", "n"),
        ("stroll", "walk", "v"),
        ("snore", "sleep", "v"),
        ("river", "stream", "n"),
    ],
)
def test_a_kind_is_narrower_and_not_wider(narrow: str, wide: str, part: wordnet.Part) -> None:
    assert wordnet.is_kind_of(narrow, wide, part)
    assert not wordnet.is_kind_of(wide, narrow, part)


@pytest.mark.parametrize(
    ("one", "other", "part"),
    [("rise", "fall", "v"), ("increase", "decrease", "v"), ("hot", "cold", "a"), ("victory", "defeat", "n")],
)
def test_opposites_hold_both_ways(one: str, other: str, part: wordnet.Part) -> None:
    assert wordnet.relation(one, other, part) == "opposite"
    assert wordnet.relation(other, one, part) == "opposite"


def test_words_of_one_root() -> None:
    assert {("inventor", "n"), ("invention", "n")} <= wordnet.derived("invent", "v")
    assert ("invent", "v") in wordnet.derived("inventor", "n")


def test_siblings_are_different_kinds_of_one_thing() -> None:
    assert wordnet.siblings("cello", "violin", "n")
    assert not wordnet.siblings("cello", "cello", "n")
    assert not wordnet.siblings("cello", "tax", "n")


def test_fields_of_meaning() -> None:
    assert wordnet.fields("pianist", "n") == ("noun.person",)
    assert wordnet.fields("valley", "n", 1) == ("noun.object",)


@pytest.mark.parametrize("word", ["", "qqqq", "a" * 1000, "Zürich", "\x00", "two words that nobody has"])
def test_a_word_that_is_not_known_relates_to_nothing_else(word: str) -> None:
    assert not wordnet.known(word, "n")
    assert wordnet.meanings(word, "n") == ()
    assert wordnet.relation(word, "writer", "n") == ""
    assert not wordnet.derived(word, "n")
