"""Quantities and names in a text: what is found, where, and what is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provgraph.language.mentions import mentions


def found(text: str, around: str = "") -> list[tuple[str, str]]:
    return [(each.type, text[each.start : each.end]) for each in mentions(text, around)]


@pytest.mark.parametrize(
    "metric",
    [
        "138 days",
        "1,600 years",
        "4.5 %",
        "37 °C",
        "12 million",
        "3.2 billion dollars",
        "$5 million",
        "€ 300",
        "350 km",
        "20 kg",
        "3 million people",
    ],
)
def test_a_number_with_its_unit_is_one_metric(metric: str) -> None:
    assert found(f"it came to {metric}, more or less") == [("METRIC", metric)]


@pytest.mark.parametrize(
    "text", ["it happened in 1898", "see section 3.2", "the model A4m", "a dozen of them"]
)
def test_a_bare_number_is_no_metric(text: str) -> None:
    assert [kind for kind, _ in found(text) if kind == "METRIC"] == []


def test_one_to_three_capitalised_words_are_an_entity() -> None:
    assert found("we met Marie Curie and the World Health Organization Europe Office in Geneva") == [
        ("ENTITY", "Marie Curie"),
        ("ENTITY", "World Health Organization"),
        ("ENTITY", "Europe Office"),
        ("ENTITY", "Geneva"),
    ]


def test_the_capital_of_a_sentence_makes_no_name_unless_the_word_has_it_elsewhere() -> None:
    assert found("Nearly all of it decays. Polonium was named later.") == []
    assert found("Polonium was named later.", "The name of Polonium. Polonium was named later.") == [
        ("ENTITY", "Polonium")
    ]


def test_a_name_ends_with_its_sentence() -> None:
    assert found("She lived in Paris. Pierre Curie taught.") == [
        ("ENTITY", "Paris"),
        ("ENTITY", "Pierre Curie"),
    ]


@given(st.text(st.sampled_from("Ab 1.%$ km°C\nÉ-'"), max_size=80))
def test_mentions_lie_in_the_text_in_order_and_apart(text: str) -> None:
    ends = 0
    for each in mentions(text):
        assert ends <= each.start < each.end <= len(text)
        ends = each.end
