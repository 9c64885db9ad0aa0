"""Which passages of given sources a claim is judged by, and where their words stand in the sources."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from provgraph.flows.attribution.source_passages import LONGEST_PASSAGE, MOST_PASSAGES, SourcePassages
from provgraph.verdicts.judgement import EvidenceText, Place

FILLER = "The river rises in the hills. Barges carry timber to the coast. "
LONG = EvidenceText("long", FILLER * 150 + "Bolt Foods employs 30 people. " + FILLER * 150)
OTHER = EvidenceText("other", FILLER * 100)


def test_short_sources_are_read_whole() -> None:
    source = EvidenceText("short", FILLER * 40)
    (text,) = SourcePassages([source]).of("Otters eat fish.")
    assert text.text == source.text.strip()


def test_of_long_sources_the_passages_with_the_claim_s_words_come_first() -> None:
    found = SourcePassages([OTHER, LONG]).of("Bolt Foods employs 40 people.")
    assert len(found) <= MOST_PASSAGES
    assert "Bolt Foods employs 30 people." in found[0].text


def test_only_the_sources_that_are_asked_for_give_passages() -> None:
    passages = SourcePassages([OTHER, LONG])
    assert passages.of("Bolt Foods employs 40 people.", within=[0]) == []
    assert len(passages.of("Barges carry timber.", within=[0])) > 0
    assert passages.of("Barges carry timber.", within=[]) == []


@given(st.text(alphabet="ab .!?\n", max_size=4_000), st.text(alphabet="xy .", max_size=20_000))
def test_every_sentence_of_a_passage_stands_in_its_source(one: str, other: str) -> None:
    sources = [EvidenceText("one", one), EvidenceText("other", other)]
    passages = SourcePassages(sources)
    for passage in passages.passages:
        assert len(passage.evidence.text) <= max(LONGEST_PASSAGE, 12_000)
        for start, end in passage.evidence.sentences or ():
            words = passage.evidence.text[start:end]
            place = passages.place(Place(passage.key, start, end, words))
            text = {"one": one, "other": other}[place.source]
            assert text[place.start : place.end] == words
