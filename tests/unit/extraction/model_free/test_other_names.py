"""Other names that stand beside a name are read, and what only looks like one is not."""

from __future__ import annotations

import pytest

from provgraph.extraction.facts import Passage
from provgraph.extraction.model_free import ModelFreeExtractor


def other_names(text: str) -> set[tuple[str, str, str]]:
    cues = ("known as", "called", "formerly", "née", "abbreviated as", "aka")
    facts = ModelFreeExtractor().extract(Passage(text))
    return {
        (fact.subject.label, fact.relation, fact.object.label)
        for fact in facts
        if fact.relation.endswith(cues)
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Samuel Clemens, better known as Mark Twain, wrote Tom Sawyer.",
            ("Samuel Clemens", "better known as", "Mark Twain"),
        ),
        ("Istanbul, formerly Constantinople, is a city.", ("Istanbul", "formerly", "Constantinople")),
        ("Mumbai (formerly Bombay) is a city.", ("Mumbai", "formerly", "Bombay")),
        (
            "Marie Curie (née Maria Skłodowska) was a physicist.",
            ("Marie Curie", "née", "Maria Skłodowska"),
        ),
        (
            "The European Union (abbreviated EU) is a union of states.",
            ("European Union", "abbreviated as", "EU"),
        ),
        (
            "Meta Platforms, formerly Facebook, Inc., is a company.",
            ("Meta Platforms", "formerly", "Facebook, Inc."),
        ),
    ],
)
def test_another_name_beside_a_name_is_read(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in other_names(text)


@pytest.mark.parametrize(
    "text",
    [
        "Jane Roe, née Smith, lives in Leeds.",
        "Jane Roe, formerly a teacher, lives in Leeds.",
        "Jane Roe, formerly of Leeds United, plays for York City.",
        "Jane Roe (born 7 May 1950) plays for York City.",
        "Jane Roe (born in Leeds) plays for York City.",
    ],
)
def test_a_surname_an_office_and_a_birth_are_no_other_name(text: str) -> None:
    assert other_names(text) == set()


def test_the_words_of_a_text_are_given_as_before() -> None:
    facts = ModelFreeExtractor(verbatim=True).extract(
        Passage("Istanbul, formerly Constantinople, is a city.")
    )
    assert "formerly" not in {fact.relation for fact in facts}
