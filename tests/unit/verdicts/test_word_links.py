"""How a word of a claim is met by a word of the evidence."""

from __future__ import annotations

import pytest

from provgraph.verdicts.word_links import WORTH, way_of


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


@pytest.mark.parametrize(
    ("claimed", "said"),
    [("turn down", "refuse"), ("put forward", "nominate"), ("give up", "resign"), ("take over", "succeed")],
)
def test_a_verb_with_a_particle_is_another_verb(claimed: str, said: str) -> None:
    assert WORTH[way_of(claimed, "VERB", said, "VERB")] > 0.8
    assert not way_of(claimed, "VERB", claimed.split()[0], "VERB")


def test_a_noun_of_an_action_is_met_by_a_light_verb() -> None:
    assert way_of("make", "VERB", "production", "NOUN") == "near"
    assert not way_of("buy", "VERB", "production", "NOUN")
