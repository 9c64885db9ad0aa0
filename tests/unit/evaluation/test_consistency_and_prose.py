"""The same of the same, the opposite of the opposite; and the text of an answer."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provgraph.evaluation.metrics.correctness import logical_consistency, stability
from provgraph.evaluation.metrics.prose import bleu, coherence, rouge_1, rouge_l, unsupported_words
from provgraph.evaluation.questions import NOT_ENOUGH_INFO, REFUTES, SUPPORTS
from provgraph.evaluation.replies import FAILED, NEGATION, ContextPassage
from unit.evaluation.cases import CURIE, case, question, refusal, reply, sentence


@pytest.mark.parametrize(
    ("label", "of_negation", "consistent"),
    [
        (SUPPORTS, REFUTES, 1),
        (REFUTES, SUPPORTS, 1),
        (NOT_ENOUGH_INFO, NOT_ENOUGH_INFO, 1),
        (SUPPORTS, SUPPORTS, 0),
        (SUPPORTS, NOT_ENOUGH_INFO, 0),
        (SUPPORTS, "", None),
    ],
)
def test_a_claim_and_its_negation_get_opposite_labels(
    label: str, of_negation: str, consistent: float | None
) -> None:
    said = case(question(), reply(label=label), reply("x", NEGATION, label=of_negation))
    assert logical_consistency(said) == consistent


def test_paraphrases_get_the_same_answer_from_a_likeness_of_seven_tenths() -> None:
    alike = reply("Marie Curie discovered polonium in the year 1898.", "paraphrase 1")
    other = reply("Pierre Curie taught physics.", "paraphrase 2")
    broken = reply("", "paraphrase 3", outcome=FAILED)
    assert logical_consistency(case(question(), reply(), alike, other, broken)) == 0.5
    assert logical_consistency(case(question(), refusal(), other)) == 0
    assert logical_consistency(case(question(), reply(), reply(CURIE, "typos"))) is None, (
        "noise is no paraphrase"
    )


def test_stability_is_over_the_perturbed_wordings() -> None:
    said = case(question(), reply(), reply(CURIE, "typos"), reply("No answer found.", "word-order"))
    assert stability(said) == 0.5
    assert stability(case(question(), reply())) is None


def test_neighbouring_sentences_of_one_matter_cohere() -> None:
    one = reply("Marie Curie discovered polonium. Polonium was named by Marie Curie.")
    two = reply("Marie Curie discovered polonium. Swallows fly south.")
    measured = coherence(case(question(), one)), coherence(case(question(), two))
    assert measured[0] == pytest.approx(3 / math.sqrt(4 * 4))
    assert measured[1] == 0
    assert coherence(case(question(), reply())) is None
    assert coherence(case(question(), refusal())) is None


def test_words_that_no_passage_has_are_unsupported() -> None:
    read = (ContextPassage("p1", "Marie Curie discovered radium."),)
    assert unsupported_words(case(question(), reply(context=read))) == pytest.approx(2 / 5), (
        "polonium and 1898"
    )
    cited = reply(context=(), sentences=(sentence(CURIE, CURIE),))
    assert unsupported_words(case(question(), cited)) == 0
    assert unsupported_words(case(question(), refusal())) == 0
    assert unsupported_words(case(question(), reply(context=None))) is None


def test_bleu_and_rouge_are_as_defined() -> None:
    asked = question(explanations=("police killed the gunman",))
    said = reply("police kill the gunman")
    assert rouge_1(case(asked, said)) == pytest.approx(2 / 3), "articles are no tokens here"
    assert rouge_l(case(asked, said)) == pytest.approx(2 / 3)
    turned = reply("gunman the killed police")
    assert rouge_1(case(asked, turned)) == 1
    assert rouge_l(case(asked, turned)) == pytest.approx(1 / 3)
    four = question(explanations=("one two three four five six",))
    short = reply("one two three four")
    smoothed = math.exp(sum(map(math.log, (4 / 4, 4 / 4, 3 / 3, 2 / 2))) / 4 + 1 - 6 / 4)
    assert bleu(case(four, short)) == pytest.approx(smoothed)
    broken = reply("one two nine four")
    assert bleu(case(four, broken)) == pytest.approx(
        math.exp(sum(map(math.log, (3 / 4, 2 / 4, 1 / 3, 1 / 2))) / 4 + 1 - 6 / 4)
    )


def test_without_reference_explanations_there_is_no_bleu() -> None:
    assert [metric(case(question(), reply())) for metric in (bleu, rouge_1, rouge_l)] == [None, None, None]
    asked = question(explanations=("x y",))
    assert [metric(case(asked, reply(""))) for metric in (bleu, rouge_1, rouge_l)] == [0, 0, 0]


@given(st.lists(st.sampled_from("red green blue sea sky".split()), min_size=1).map(" ".join))
def test_a_text_is_wholly_like_itself_and_likeness_is_a_share(text: str) -> None:
    asked = question(explanations=(text,))
    for metric in (bleu, rouge_1, rouge_l):
        assert metric(case(asked, reply(text))) == pytest.approx(1)
        likeness = metric(case(asked, reply("sea sky sea")))
        assert likeness is not None
        assert 0 <= likeness <= 1 + 1e-9
