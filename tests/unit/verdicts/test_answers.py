"""Answers of others, split into claims with what they cite, and checked."""

from __future__ import annotations

import pytest

from provgraph.reading.parser import BuiltInParser
from provgraph.verdicts.answers import cited_sources, split_answer
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


@pytest.mark.parametrize(
    ("answer", "cited"),
    [
        ("It is in Graz [2].", (1,)),
        ("It is in Graz [orlo.txt](https://example.org/bolt).", (1,)),
        ("It is in Graz.<sup>1</sup>", (0,)),
        ("It is in Graz [4].\n\n[4]: Bolt, annual report", (1,)),
        ("It is in Graz [4].\n\n## Sources\n4. orlo.txt, page 2", (0,)),
        ("It is in Graz (https://example.org/BOLT/).", (1,)),
        ("It is in Graz [3].", ()),
        ("It covers 3 km², 10² times.", ()),
    ],
)
def test_a_citation_names_a_source_by_name_by_note_or_by_place(answer: str, cited: tuple[int, ...]) -> None:
    split = split_answer(answer)
    assert len(split.claims) == 1
    names = [("orlo.txt",), ("https://example.org/bolt", "Bolt, annual report")]
    assert cited_sources(split.claims[0], split.notes, names) == cited


def test_a_number_that_names_a_source_means_that_source_and_no_place() -> None:
    split = split_answer("It is in Graz [2].")
    assert cited_sources(split.claims[0], split.notes, [("2",), ("1",)]) == (0,)
    assert cited_sources(split.claims[0], split.notes, [("a",), ("b",)], by_place=False) == ()


def test_signs_and_notes_are_no_part_of_claims() -> None:
    answer = (
        "# On Orlo\n\n- **Orlo** is in Graz <b>[1]</b>.\n- It is old.\n\n"
        "References\n1. https://example.org/a\n2. A book"
    )
    split = split_answer(answer)
    assert [claim.text for claim in split.claims] == ["On Orlo", "Orlo is in Graz.", "It is old."]
    assert split.claims[0].why_no_claim == "It is a heading."
    assert split.notes == {"1": "https://example.org/a", "2": "A book"}
    assert len(split.plain) == len(answer)


def test_what_the_question_names_is_what_it_stands_for() -> None:
    text = "It was founded in 1968."
    (checked,) = check_answer(text, SOURCES, BuiltInParser(), "When was the Orlo Institute founded?")
    assert checked.judgement.label == "SUPPORTS"
    for element in checked.judgement.elements:
        assert text[element.start : element.end] == element.text


def test_a_claim_has_a_chance_of_being_attributable_that_a_refutation_lowers() -> None:
    answer = (
        "The Orlo Institute was founded by Ada Novak in 1968. It was founded in 1979. Whales sing at night."
    )
    said, refuted, unsaid = check_answer(answer, SOURCES, BuiltInParser())
    assert said.attributable >= 0.8
    assert refuted.attributable < said.attributable
    assert unsaid.attributable < 0.5
