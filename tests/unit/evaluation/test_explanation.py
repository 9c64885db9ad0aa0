"""What the citations of an answer are worth."""

from __future__ import annotations

import pytest

from provgraph.evaluation.metrics.evidence import (
    citation_precision,
    context_precision,
    context_recall,
    explanation_precision,
    explanation_recall,
    faithfulness,
    graph_completeness,
    graph_coverage,
    grounding,
    names,
    span_exactness,
)
from provgraph.evaluation.questions import NOT_ENOUGH_INFO, REFUTES, SUPPORTS, GoldEvidence
from provgraph.evaluation.replies import WITHOUT, CitedWords, ContextPassage, ReplySentence
from unit.evaluation.cases import CURIE, case, question, refusal, reply, sentence

TWO = f"{CURIE} She lived in Paris."


def test_a_sentence_that_cites_nothing_is_ungrounded_but_not_imprecise() -> None:
    said = reply(
        TWO, sentences=(sentence(CURIE, CURIE, within=TWO), sentence("She lived in Paris.", within=TWO))
    )
    assert grounding(case(question(), said)) == 0.5
    assert explanation_precision(case(question(), said)) == 1


def test_the_sentence_that_states_a_label_is_a_verdict_and_needs_no_words() -> None:
    text = f"SUPPORTS: the documents say all of it. For: {CURIE}"
    cited = sentence(f"For: {CURIE}", CURIE, within=text)
    said = reply(
        text,
        label=SUPPORTS,
        sentences=(sentence("SUPPORTS: the documents say all of it.", within=text), cited),
    )
    assert grounding(case(question(label=SUPPORTS), said)) == 1


def test_words_that_lack_a_name_or_number_of_the_sentence_do_not_support_it() -> None:
    said = reply(sentences=(sentence(CURIE, "Marie Curie discovered polonium in 1911."),))
    assert explanation_precision(case(question(), said)) == 0
    titled = reply(sentences=(sentence(CURIE, "She discovered polonium in 1898.", title="Marie Curie"),))
    assert explanation_precision(case(question(), titled)) == 1, "the title says who she is"


def test_a_citation_that_adds_nothing_is_not_needed() -> None:
    said = reply(sentences=(sentence(CURIE, CURIE, "Swallows fly south."),))
    assert citation_precision(case(question(), said)) == 0.5
    halves = reply(sentences=(sentence(CURIE, "Marie Curie discovered something.", "polonium, in 1898"),))
    assert citation_precision(case(question(), halves)) == 1, "neither supports it alone"


def test_gold_evidence_is_cited_by_its_words_or_where_it_has_none_by_its_passage() -> None:
    gold = (GoldEvidence("p1", CURIE), GoldEvidence("p2"), GoldEvidence("p3", "Radium glows."))
    said = reply(
        TWO,
        sentences=(
            sentence(CURIE, CURIE, within=TWO, passage="p1"),
            sentence("She lived in Paris.", "Paris", within=TWO, passage="p2"),
        ),
    )
    assert explanation_recall(case(question(evidence=gold), said)) == pytest.approx(2 / 3)
    assert explanation_recall(case(question(evidence=gold), refusal())) == 0
    elsewhere = reply(sentences=(sentence(CURIE, CURIE, passage="p9"),))
    assert explanation_recall(case(question(evidence=gold[:1]), elsewhere)) == 0, (
        "the words of another passage"
    )
    assert explanation_recall(case(question(evidence=(GoldEvidence("", CURIE),)), elsewhere)) == 1


def test_an_answer_is_faithful_when_it_changes_without_what_it_cites() -> None:
    def faithful(other: str, **known: str) -> float | None:
        return faithfulness(case(question(), reply(**known), reply(other, WITHOUT, **known)))

    assert faithful("No answer found.") == 1
    assert faithful("Pierre Curie discovered it.") == 1
    assert faithful("Marie Curie discovered polonium in 1898") == 0, "a full stop is no change"
    assert faithfulness(case(question(), reply())) is None
    assert faithfulness(case(question(), refusal(), reply("x", WITHOUT))) is None
    changed = reply(CURIE, WITHOUT, label=REFUTES)
    assert faithfulness(case(question(), reply(label=SUPPORTS), changed)) == 1
    assert faithfulness(case(question(), reply(label=NOT_ENOUGH_INFO), changed)) is None


def test_spans_are_exact_where_their_page_says_so() -> None:
    cited = tuple(CitedWords("p", "", "x", 0, 1, exact) for exact in (True, False, None, True))
    said = reply(sentences=(ReplySentence(0, 5, True, cited),))
    assert span_exactness(case(question(), said)) == pytest.approx(2 / 3)


def test_what_cites_nothing_by_design_is_not_measured() -> None:
    gold = question(evidence=(GoldEvidence("p1", CURIE),))
    for metric in (grounding, explanation_precision, citation_precision, explanation_recall, span_exactness):
        assert metric(case(gold, reply(sentences=None))) is None


def test_context_precision_rewards_gold_that_stands_first() -> None:
    gold = question(evidence=(GoldEvidence("a"), GoldEvidence("b")))

    def measured(*passages: str) -> tuple[float | None, float | None]:
        said = case(gold, reply(context=tuple(map(ContextPassage, passages))))
        return context_precision(said), context_recall(said)

    assert measured("a", "b", "c") == (1, 1)
    precision, recall = measured("c", "a", "c", "b")
    assert (precision, recall) == ((1 / 2 + 2 / 3) / 2, 1)
    assert measured("c") == (0, 0)
    assert measured() == (None, 0)
    assert context_precision(case(gold, reply(context=None))) is None


def test_facts_are_complete_when_they_connect_what_the_gold_triples_do() -> None:
    facts = (("Marie Curie", "discovered", "polonium"), ("Marie Curie", "born in", "Warsaw"))
    triples = (("Polonium", "discovered by", "Curie"), ("Curie", "died in", "Passy"))
    assert graph_completeness(case(question(triples=triples), reply(facts=facts))) == 0.5
    assert graph_completeness(case(question(entities=("Warsaw", "Passy")), reply(facts=facts))) == 0.5
    assert graph_completeness(case(question(entities=("Warsaw",)), reply(facts=None))) is None
    assert graph_completeness(case(question(entities=("Warsaw",)), refusal())) == 0
    assert graph_completeness(case(question(), reply(facts=facts))) is None


def test_coverage_is_of_the_names_and_numbers_of_the_question() -> None:
    asked = question("Where was Marie Curie in 1898, and who was in Passy?")
    assert names(asked.text) == ["Marie Curie", "1898", "Passy"]
    facts = (("Marie Curie", "lived in", "Paris"), ("polonium", "discovered in", "1898"))
    assert graph_coverage(case(asked, reply(facts=facts))) == pytest.approx(2 / 3)
    assert graph_coverage(case(question("who was it?"), reply(facts=facts))) is None
