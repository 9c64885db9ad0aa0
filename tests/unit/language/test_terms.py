"""Terms: what is one word in two spellings, and what stays two."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provgraph.language.terms import content_terms, fold, terms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Skłodowska", "sklodowska"),
        ("discovered", "Discovery's".removesuffix("y's")),
        ("Čapek", "Capek"),
        ("STRASSE", "straße"),
        ("naïve", "naive"),
        ("élan", "e\u0301lan"),
        ("wrote", "write"),
        ("taught", "teaching"),
        ("met", "meets"),
        ("women", "woman"),
        ("criteria", "criterion"),
    ],
)
def test_case_accents_and_endings_make_no_other_term(one: str, other: str) -> None:
    assert terms(one) == terms(other)


@pytest.mark.parametrize(
    "names", [("C", "C++", "C#"), ("F", "F#"), ("found", "founded"), ("서울", "부산"), ("القاهرة", "مصر")]
)
def test_different_names_stay_apart(names: tuple[str, ...]) -> None:
    assert len({tuple(terms(name)) for name in names}) == len(names)


def test_scripts_without_spaces_between_words_are_cut_into_pairs() -> None:
    assert terms("日本の首都") == ["日本", "本の", "の首", "首都"]
    assert set(terms("대한민국")) <= set(terms("대한민국의"))


def test_content_terms_leave_out_function_words_but_not_acronyms() -> None:
    assert list(content_terms("Who is the head of WHO in Geneva?").values()) == ["head", "WHO", "Geneva"]


@given(st.text())
def test_any_text_has_terms_and_folding_again_changes_nothing(text: str) -> None:
    assert all(terms(text))
    assert fold(fold(text)) == fold(text)
