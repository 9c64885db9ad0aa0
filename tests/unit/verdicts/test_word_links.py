"""How a word of a claim is met by a word of the evidence."""

from __future__ import annotations

import pytest

from provgraph.verdicts.word_links import way_of


@pytest.mark.parametrize(
    ("claimed", "said", "way"),
    [
        (("film", "NOUN"), ("film", "NOUN"), "same"),
        (("move", "VERB"), ("relocate", "VERB"), "alike"),
        (("musician", "NOUN"), ("violinist", "NOUN"), "alike"),
        (("animal", "NOUN"), ("heron", "NOUN"), "narrower"),
        (("recovery", "NOUN"), ("recover", "VERB"), "root"),
        (("rise", "VERB"), ("fall", "VERB"), "opposite"),
        (("fictional", "ADJ"), ("non-fictional", "ADJ"), "opposite"),
        (("sell", "VERB"), ("purchase", "VERB"), ""),
        (("have", "VERB"), ("bear", "VERB"), ""),
        (("table", "NOUN"), ("quickly", "ADV"), ""),
    ],
)
def test_how_one_word_meets_another(claimed: tuple[str, str], said: tuple[str, str], way: str) -> None:
    assert way_of(*claimed, *said) == way
