"""Answers of others, split into claims with what they cite, and checked."""

from __future__ import annotations

import pytest

from provgraph.reading.parser import BuiltInParser
from provgraph.verdicts.answers import split_answer
from provgraph.verdicts.checking import check_answer
from provgraph.verdicts.judgement import EvidenceText

SOURCES = [
    EvidenceText(
        "orlo.txt", "The Orlo Institute was founded by Ada Novak in 1968. It is in Graz.", "Orlo Institute"
    ),
    EvidenceText("https://example.org/bolt", "Bolt Foods employs 30 people.", "Bolt Foods"),
]


@pytest.mark.parametrize(
    ("answer", "citations"),
    [
        ("Ada Novak founded it [1].", ("1",)),
        ("Ada Novak founded it.[1][3]", ("1", "3")),
        ("Ada Novak founded it [2, 4-6].", ("2", "4", "5", "6")),
        ("Ada Novak founded it.[^7]", ("7",)),
        ("Ada Novak founded it.¹²", ("12",)),
        ("Ada Novak founded [the institute](https://example.org/a).", ("https://example.org/a",)),
        ("Ada Novak founded it (https://example.org/b).", ("https://example.org/b",)),
        ("Ada Novak founded it.", ()),
    ],
)
def test_citations_of_each_form_are_found(answer: str, citations: tuple[str, ...]) -> None:
    claims = split_answer(answer).claims
    assert [claim.citations for claim in claims] == [citations]
    assert "[" not in claims[0].text


def test_a_claim_has_its_exact_place() -> None:
    answer = "Ada Novak founded it [1]. It is in Graz [2]."
    claims = split_answer(answer).claims
    assert [answer[claim.start : claim.end] for claim in claims] == [
        "Ada Novak founded it [1].",
        "It is in Graz [2].",
    ]


def test_pronouns_of_an_answer_stand_for_what_it_named_before() -> None:
    answer = "The Orlo Institute was founded in 1968 [1]. It was founded by Ada Novak. Bolt Foods employs 40 people."
    checked = list(check_answer(answer, SOURCES, BuiltInParser()))
    assert [each.judgement.label for each in checked] == ["SUPPORTS", "SUPPORTS", "REFUTES"]
    assert checked[0].cited_alone is not None
    assert checked[0].cited_alone.label == "SUPPORTS"
    for each in checked:
        for element in each.judgement.elements:
            assert answer[element.start : element.end] == element.text


def test_a_source_that_does_not_say_what_it_is_cited_for_is_told() -> None:
    answer = "Bolt Foods employs 30 people [1]."
    (checked,) = check_answer(answer, SOURCES, BuiltInParser())
    assert checked.judgement.label == "SUPPORTS"
    assert checked.cited_alone is not None
    assert checked.cited_alone.label == "NOT ENOUGH INFO"


def test_a_question_in_an_answer_is_no_claim() -> None:
    (checked,) = check_answer("Who founded the Orlo Institute?", SOURCES, BuiltInParser())
    assert checked.judgement.notes == ("not a claim",)
