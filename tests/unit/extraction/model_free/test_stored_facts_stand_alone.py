"""What is kept out of the graph, or said so that it can be read without its sentence."""

from __future__ import annotations

import pytest

from provgraph.extraction.facts import Passage
from provgraph.extraction.model_free import ModelFreeExtractor

EXTRACTOR = ModelFreeExtractor()


def triples(text: str, title: str = "") -> set[tuple[str, str, str]]:
    found = EXTRACTOR.extract(Passage(text, title))
    return {(fact.subject.label, fact.relation, fact.object.label) for fact in found}


@pytest.mark.parametrize(
    "text",
    [
        "The band recorded songs in Lisbon.",
        "This system replaced Morse telegraphy.",
        "A colloquium was held in Hamburg.",
        "Other works include Night Train.",
        "Many of his albums reached Berlin.",
        "Two tunnels opened in 1987.",
        "The population was 310 in 1990.",
        "Old workshops were erected for a growing town.",
    ],
)
def test_a_common_noun_that_only_its_context_names_is_no_subject(text: str) -> None:
    assert triples(text) == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Gamma rays were discovered by Villard.", ("Gamma rays", "were discovered by", "Villard")),
        ("The telephone was patented in 1876.", ("telephone", "was patented in", "1876")),
        ("A lunula was a necklace.", ("lunula", "was a", "necklace")),
        ("The capital of Norway grew in 1900.", ("capital of Norway", "grew in", "1900")),
    ],
)
def test_a_common_noun_that_stands_for_its_kind_is_a_subject(
    text: str, expected: tuple[str, str, str]
) -> None:
    assert expected in triples(text)


@pytest.mark.parametrize(
    ("text", "title", "expected"),
    [
        ("The film stars Ada Quist.", "Night Train (film)", ("Night Train", "stars", "Ada Quist")),
        ("The school opened in 1911.", "Harrow Lane School", ("Harrow Lane School", "opened in", "1911")),
        (
            "Grey Owls is a band. The band's name honours Ada Quist.",
            "Grey Owls",
            ("Grey Owls's name", "honours", "Ada Quist"),
        ),
        (
            "Ostrava Lake is in Poland. The reservoir supplies Ostrava with water.",
            "Ostrava Lake",
            ("Ostrava Lake", "supplies", "Ostrava"),
        ),
    ],
)
def test_a_definite_noun_is_resolved_to_what_the_document_is_about(
    text: str, title: str, expected: tuple[str, str, str]
) -> None:
    assert expected in triples(text, title)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Quist joined the Polar Institute in 1918.", ("Ada Quist", "joined Polar Institute in", "1918")),
        ("Ada Quist moved to Oslo in 1780.", ("Ada Quist", "moved to Oslo in", "1780")),
        ("Ada Quist served as mayor until 1980.", ("Ada Quist", "served as mayor until", "1980")),
        ("In May 2017, Ada Quist left Oslo.", ("Ada Quist", "left Oslo in", "May 2017")),
    ],
)
def test_a_relation_to_a_date_names_what_its_verb_needs(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in triples(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Ostrava Pass is a high mountain pass in Norway.",
            ("Ostrava Pass", "is a", "high mountain pass in Norway"),
        ),
        ("King Harald died in 1927 and Ada Quist had left.", ("King Harald", "died in", "1927")),
        ("Ada Quist meets the criteria specified in Rule 7.", ("criteria", "was specified in", "Rule 7")),
        ("The Falcon Bridge cost 12 million euros.", ("Falcon Bridge", "cost", "12 million euros")),
        ("Falcon Works exported amber, salt and dried cod.", ("Falcon Works", "exported", "dried cod")),
        ("The book was written by editor and poet Ada Quist.", ("Ada Quist", "is a", "poet")),
        ("Ada Quist visited Trinidad and Tobago.", ("Ada Quist", "visited", "Trinidad and Tobago")),
        ("Ada Quist joined Friends of the Sea.", ("Ada Quist", "joined", "Friends of the Sea")),
        ("Falcon Works, Inc. makes phones.", ("Falcon Works, Inc.", "makes", "phones")),
        ("Traders in Oslo buy and sell furs.", ("Traders in Oslo", "buy", "furs")),
    ],
)
def test_words_that_can_be_two_things_are_read_by_their_neighbours(
    text: str, expected: tuple[str, str, str]
) -> None:
    assert expected in triples(text)


def test_an_occupation_is_also_said_without_its_adjectives() -> None:
    assert {("Ada Quist", "was a", "Danish botanist"), ("Ada Quist", "was a", "botanist")} <= triples(
        "Ada Quist was a Danish botanist."
    )
    assert ("Ada Quist", "was a", "mayor") not in triples("Ada Quist was a former mayor.")


def test_code_and_references_are_no_prose() -> None:
    text = (
        "Ada Quist discovered radium.\n\n```\nThe store opens Falcon Works.\n```\n\n"
        "[12] Quist, A.: Penguins eat fish in Antarctica. Journal of Birds, 12(3), 1999.\n\n"
        "## References\n\nSeals eat fish in Norway.\n\n# After\n\nAda Quist left Oslo.\n"
    )
    assert triples(text) == {("Ada Quist", "discovered", "radium"), ("Ada Quist", "left", "Oslo")}
