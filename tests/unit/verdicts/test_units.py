"""What a sentence is divided into, and what governs each part."""

from __future__ import annotations

import pytest

from provgraph.reading.parser import BuiltInParser
from provgraph.verdicts.units import units_of

PARSER = BuiltInParser()


def units(text: str) -> list[tuple[str, str]]:
    [sentence] = PARSER.parse(text, [(0, len(text))])
    return [(unit.kind, text[unit.start : unit.end]) for unit in units_of(sentence, text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Novak was born on 4 May 1931.", [("name", "Ada Novak"), ("verb", "born"), ("date", "4 May 1931")]),
        ("He visited the Indian Army twice.", [("verb", "visited"), ("name", "Indian Army"), ("number", "twice")]),
        ("All Polish films won awards.", [
            ("adjective", "All"), ("nation", "Polish"), ("noun", "films"), ("verb", "won"), ("noun", "awards"),
        ]),
    ],
)  # fmt: skip
def test_names_and_values_are_units_of_several_words(text: str, expected: list[tuple[str, str]]) -> None:
    assert units(text) == expected


def test_a_hyphen_divides_no_name() -> None:
    assert ("name", "Qui-Gon Berg") in units("Qui-Gon Berg directed the film.")
