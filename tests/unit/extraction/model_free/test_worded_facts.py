"""What `provgraph extract` reads from a sentence in its own words."""

from __future__ import annotations

import pytest

from provgraph.extraction.facts import Passage
from provgraph.extraction.model_free import ModelFreeExtractor

EXTRACTOR = ModelFreeExtractor(verbatim=True)


def triples(text: str) -> set[tuple[str, str, str]]:
    found = EXTRACTOR.extract(Passage(text))
    return {(fact.subject.label, fact.relation, fact.object.label) for fact in found}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The mill is old, Ada Quist said.", ("Ada Quist", "said", "The mill is old")),
        ("The mill is old, said Ada Quist, a baker.", ("Ada Quist, a baker", "said", "The mill is old")),
    ],
)
def test_what_was_said_before_its_speaker_is_the_speakers(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in triples(text)


def test_a_speaker_with_words_of_his_own_after_him_is_not_given_those_before() -> None:
    assert all(
        (subject, relation) != ("the mill", "said")
        for subject, relation, _ in triples("Ada Quist, a baker, said the mill burned.")
    )


def test_two_verbs_share_what_follows_the_second() -> None:
    found = triples("Traders buy and sell old furs in Oslo.")
    assert {("Traders", "buy", "old furs in Oslo"), ("Traders", "sell", "old furs in Oslo")} <= found
    assert ("Ada Quist", "left", "the navy") not in triples("Ada Quist left and joined the navy.")


def test_a_participle_after_a_comma_belongs_to_the_subject_of_the_verb() -> None:
    assert ("Ada Quist", "working in", "clubs") in triples("Ada Quist returned to Oslo, working in clubs.")


def test_a_clause_keeps_its_articles_pronouns_and_negation() -> None:
    assert ("She", "did n't leave", "the old house in Oslo") in triples(
        "She didn't leave the old house in Oslo."
    )
