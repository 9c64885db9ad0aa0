"""What `provgraph extract` reads from a sentence in its own words."""

from __future__ import annotations

import pytest

from provgraph.extraction.by_reading import ClauseExtractor
from provgraph.extraction.facts import Entity, Passage

EXTRACTOR = ClauseExtractor()


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


def test_what_follows_the_second_of_two_verbs_is_not_given_to_the_first() -> None:
    assert triples("Ada Quist left and joined the navy.") == {("Ada Quist", "joined", "the navy")}


def test_a_participle_after_a_comma_belongs_to_the_subject_of_the_verb() -> None:
    assert ("Ada Quist", "working in", "clubs") in triples("Ada Quist returned to Oslo, working in clubs.")


def test_a_clause_keeps_its_articles_pronouns_and_negation() -> None:
    assert ("She", "didn't leave", "the old house in Oslo") in triples(
        "She didn't leave the old house in Oslo."
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "In 1903, she quickly won the prize with a colleague in Paris.",
            ("she", "quickly won", "the prize with a colleague in Paris In 1903"),
        ),
        ("Ada Quist wants to open a mill in Oslo.", ("Ada Quist", "wants to open", "a mill in Oslo")),
        ("Ada Quist has bought and restored two mills.", ("Ada Quist", "has restored", "two mills")),
        ("The mill, which Ada Quist bought, burned in May.", ("The mill", "burned in", "May")),
        ("Ada Quist, a baker, bought the mill.", ("Ada Quist", "is", "a baker")),
        ("The mill was sold by Ada Quist.", ("The mill", "was sold by", "Ada Quist")),
        (
            "The tenant pays a fee unless the landlord agrees.",
            ("The tenant", "pays", "a fee unless the landlord agrees"),
        ),
    ],
)
def test_a_clause_is_said_whole(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in triples(text)


def test_a_condition_is_not_said_on_its_own() -> None:
    assert triples("If the mill burns, the tenant pays a fee.") == {
        ("the tenant", "pays", "a fee If the mill burns")
    }


def test_names_have_their_types() -> None:
    (fact,) = EXTRACTOR.extract(Passage("Ada Lovelace was born in London."))
    assert (fact.subject, fact.object) == (Entity("Ada Lovelace", "Person"), Entity("London", "Place"))
