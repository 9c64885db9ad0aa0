"""What was read as the answer, beside the candidates of a sentence."""

from __future__ import annotations

import pytest

from provgraph.derivation.evidence import ReadPassage
from provgraph.derivation.spans_read import SpanRead, SpansRead
from provgraph.reading.propositions import Span
from unit.derivation.shelf import passage

DUST = passage("Dust", "Each year 182 million tons of dust are blown out of the Sahara and the Gobi.")


def span(words: str, of: ReadPassage = DUST) -> Span:
    start = of.text.index(words)
    return Span(start, start + len(words), words)


def read(*spans: tuple[str, float]) -> SpansRead:
    return SpansRead({DUST.key: [SpanRead(span(words), chance) for words, chance in spans]})


@pytest.mark.parametrize(
    ("candidate", "wider", "chance", "whole"),
    [
        ("182 million", "182 million tons", 0.6, "182 million tons"),
        ("182 million", "182 million tons", 0.1, "182 million"),
        ("Sahara", "the Sahara", 0.6, "Sahara"),
        ("Sahara", "Sahara and the Gobi", 0.6, "Sahara"),
        ("Gobi", "182 million tons", 0.6, "Gobi"),
    ],
)
def test_a_fuller_name_is_taken_where_it_was_likely_read_and_names_nothing_beside_it(
    candidate: str, wider: str, chance: float, whole: str
) -> None:
    assert read((wider, chance)).whole(DUST, span(candidate)).text == whole


def test_what_was_read_itself_stays() -> None:
    found = read(("182 million", 0.5), ("182 million tons", 0.4))
    assert found.whole(DUST, span("182 million")).text == "182 million"


def test_the_chance_of_a_span_is_that_of_all_spans_that_are_nearly_it() -> None:
    found = read(("182 million", 0.5), ("182 million tons", 0.3), ("Sahara", 0.1))
    assert found.chance(DUST, span("182 million")) == pytest.approx(0.8)
    assert found.likeliest == 0.5
    assert found.measures(DUST, span("Gobi"))["read before all"] == 0


def test_likely_spans_that_nothing_else_proposes_are_offered_once() -> None:
    found = read(("182 million tons", 0.5), ("182 million", 0.3), ("Sahara", 0.1))
    (sentence,) = DUST.parsed
    assert [each.text for each in found.beside(sentence, DUST, [])] == ["182 million tons"]
    assert list(found.beside(sentence, DUST, [span("182 million tons of")])) == []
