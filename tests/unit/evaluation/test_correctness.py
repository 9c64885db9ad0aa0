"""Right, missing or wrong: answers against gold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provgraph.evaluation.metrics.correctness import (
    accuracy,
    exact_match,
    f1,
    factual_accuracy,
    hallucination_rate,
    holds_answer,
    polar_accuracy,
    recall,
    refusal_rate,
    verdict,
)
from provgraph.evaluation.questions import LABELS, NOT_ENOUGH_INFO, REFUTES, SUPPORTS
from provgraph.evaluation.replies import FAILED
from provgraph.evaluation.wordings import normalised, says_unknown, token_f1, without_notes
from unit.evaluation.cases import case, question, refusal, reply

CURIE = question(answers=("Marie Curie", "the Curies"))


def test_an_answer_is_right_when_it_says_a_gold_answer_in_whole_words() -> None:
    assert holds_answer("Polonium was found by MARIE CURIE, in Paris.", ("Marie Curie",))
    assert holds_answer("It was Skłodowska.", ("Sklodowska",))
    assert holds_answer("The mass is 1,600 kg", ("1600 kg",))
    assert not holds_answer("It was found in 1918.", ("191",))
    assert not holds_answer("Curie discovered it; Marie was there.", ("Marie Curie",))


def test_yes_and_no_have_to_come_first() -> None:
    assert holds_answer("Yes, both are directors.", ("yes",))
    assert not holds_answer("There is no evidence; yes.", ("no",))


def test_of_a_long_answer_most_content_words_are_enough() -> None:
    gold = ("The shortest highway in the US, I-878 in New York, is only 3,696 feet long.",)
    assert holds_answer("I-878 in New York is the shortest US highway, at 3,696 feet long.", gold)
    assert not holds_answer("The shortest highway is in New York.", gold)


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("[Low grounding 0.12] [Graph coverage low (4 facts)] It is so [2].", "It is so."),
        ("It is so [1, 3].\nNote: few documents cover this.", "It is so."),
        ("(Note: the evidence is thin.)\nIt is so.", "It is so."),
        ("[2019] was a good year.", "[2019] was a good year."),
    ],
)
def test_what_a_pipeline_adds_is_stripped_before_judging(said: str, left: str) -> None:
    assert without_notes(said) == left


@pytest.mark.parametrize(
    "text",
    ["No answer found.", "I don't know.", "I do not know", "", "The passages do not answer the question."],
)
def test_an_answer_that_says_nothing_but_that_it_does_not_know_is_a_refusal(text: str) -> None:
    assert says_unknown(text)
    assert not says_unknown(f"{text} But Marie Curie discovered polonium in 1898.")


def test_an_honest_refusal_is_worth_three_tenths_and_is_no_hallucination() -> None:
    right, wrong, missing = (
        case(CURIE, reply()),
        case(CURIE, reply("It was Becquerel.")),
        case(CURIE, refusal()),
    )
    assert [accuracy(each) for each in (right, wrong, missing)] == [1, 0, 0]
    assert [factual_accuracy(each) for each in (right, wrong, missing)] == [1, 0, 0.3]
    assert [hallucination_rate(each) for each in (right, wrong, missing)] == [0, 1, 0]
    assert [refusal_rate(each) for each in (right, wrong, missing)] == [0, 0, 1]


def test_labels_are_compared_and_not_enough_info_is_missing_where_there_was_enough() -> None:
    def graded(gold: str, given_label: str) -> str | None:
        return verdict(question(label=gold), reply(label=given_label))

    assert [graded(SUPPORTS, label) for label in LABELS] == ["correct", "incorrect", "missing"]
    assert graded(NOT_ENOUGH_INFO, NOT_ENOUGH_INFO) == "correct"
    assert graded(NOT_ENOUGH_INFO, REFUTES) == "incorrect"
    assert verdict(question(label=SUPPORTS), refusal()) is None
    assert graded(SUPPORTS, "") is None, "a flow without labels is not measured by them"
    assert polar_accuracy(case(question(label=NOT_ENOUGH_INFO), reply(label=SUPPORTS))) is None
    assert polar_accuracy(case(question(label=REFUTES), reply(label=NOT_ENOUGH_INFO))) == 0


def test_what_has_no_gold_or_failed_is_not_measured() -> None:
    for metric in (accuracy, factual_accuracy, hallucination_rate, exact_match, f1, recall):
        assert metric(case(question(), reply())) is None
        assert metric(case(CURIE, reply("", outcome=FAILED))) is None


def test_exact_match_f1_and_recall_are_those_of_squad() -> None:
    assert exact_match(case(CURIE, reply("The Marie Curie!"))) == 1
    assert exact_match(case(CURIE, reply())) == 0
    assert f1(case(CURIE, reply("Marie"))) == pytest.approx(2 / 3)
    assert f1(case(CURIE, reply())) == pytest.approx(2 * 2 / (6 + 2))
    assert recall(case(CURIE, reply())) == 1
    assert [metric(case(CURIE, refusal())) for metric in (exact_match, f1, recall)] == [0, 0, 0]


@given(st.text(), st.text())
def test_token_f1_is_a_symmetric_share(one: str, other: str) -> None:
    assert 0 <= token_f1(one, other) == token_f1(other, one) <= 1
    assert token_f1(one, one) == 1


@given(st.text())
def test_normalising_twice_changes_no_words_that_are_no_articles(text: str) -> None:
    assert token_f1(normalised(text), text) == 1
