"""Means with intervals, agreement of raters, and how they are shown."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provgraph.evaluation.judging import GradedAnswer, agreement, agreements, read_judgement
from provgraph.evaluation.measuring import (
    Score,
    beside_baseline,
    confusion,
    estimate,
    figures,
    paired_difference,
    scores,
)
from provgraph.evaluation.metrics.registry import METRICS
from provgraph.evaluation.questions import NOT_ENOUGH_INFO, REFUTES, SUPPORTS
from provgraph.evaluation.replies import NEGATION, SystemReply, reply_from_json, reply_to_json
from provgraph.evaluation.runs import scores_csv
from provgraph.evaluation.tables import FigureTable, bars, whiskers
from unit.evaluation.cases import CURIE, question, reply, sentence

SHARES = st.lists(st.floats(0, 1), min_size=1, max_size=40)


@settings(deadline=None)  # the first call imports numpy
@given(SHARES)
def test_an_interval_holds_its_mean_and_stays_among_the_values(values: list[float]) -> None:
    found = estimate(values, seed=1)
    tiny = 1e-9
    assert min(values) - tiny <= found.low <= found.mean + tiny
    assert found.mean <= found.high + tiny <= max(values) + 2 * tiny
    assert found == estimate(values, seed=1)


def test_a_difference_in_pairs_is_surer_than_its_parts() -> None:
    before = [number / 100 for number in range(100)]
    found = paired_difference(before, [value + 0.05 for value in before], seed=1)
    assert found.low == pytest.approx(0.05) == found.high


def test_kappa_takes_chance_away() -> None:
    pairs = [("a", "a")] * 20 + [("a", "b")] * 5 + [("b", "a")] * 10 + [("b", "b")] * 15
    found = agreement("one", "other", pairs)
    assert found is not None
    assert found.raw == 0.7
    assert found.kappa == pytest.approx(0.4), "the worked example of the literature: p_e is 0.5"
    alone = agreement("one", "other", [("a", "a")])
    assert alone is not None
    assert alone.kappa is None
    assert agreement("one", "other", []) is None


def test_judges_are_compared_where_both_judged() -> None:
    judgements = [
        GradedAnswer("m", "lenient", "s", "1", "correct", ""),
        GradedAnswer("m", "lenient", "s", "2", "", "no verdict"),
        GradedAnswer("m", "strict", "s", "1", "incorrect", ""),
    ]
    found = list(agreements({("s", "1"): "correct", ("s", "2"): "correct"}, judgements))
    assert [(each.one, each.other, each.count, each.raw) for each in found] == [
        ("deterministic", "m (lenient)", 1, 1),
        ("deterministic", "m (strict)", 1, 0),
        ("m (lenient)", "m (strict)", 1, 0),
    ]


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ('{"verdict": "correct", "reason": "so"}', "correct"),
        ('Sure! ```json\n{"verdict": "INCORRECT"}\n```', "incorrect"),
        ('{"verdict": "perfect"}', ""),
        ("[" * 100_000, ""),
        ('{"verdict": ["correct"]}', ""),
        ("correct", ""),
    ],
)
def test_a_judge_that_says_none_of_the_three_gives_no_verdict(said: str, verdict: str) -> None:
    assert read_judgement(said)[0] == verdict


def test_each_metric_says_what_it_is_and_where_that_is_from() -> None:
    assert len({metric.name for metric in METRICS}) == len(METRICS)
    assert all(len(metric.definition) > 50 for metric in METRICS)


def test_negations_are_measured_with_the_claim_and_not_by_themselves() -> None:
    asked = question(label=SUPPORTS)
    replies = {each.key: each for each in (reply(label=SUPPORTS), reply("x", NEGATION, label=REFUTES))}
    found = scores([asked], replies)
    assert {score.variant for score in found} == {"original"}
    assert {score.metric: score.value for score in found}["logical consistency"] == 1
    assert confusion([asked], replies.values()) == {"graph-rag": {SUPPORTS: {SUPPORTS: 1}}}
    unlabelled = confusion([question(label=NOT_ENOUGH_INFO)], [reply()])
    assert unlabelled == {"graph-rag": {NOT_ENOUGH_INFO: {"none": 1}}}


def test_a_flow_is_set_beside_the_baseline_over_the_questions_of_both() -> None:
    found = [
        Score(system, number, "original", "accuracy", value)
        for system, values in (("passage-rag", (0, 0, 1)), ("graph-rag", (1, 0)))
        for number, value in zip("123", map(float, values), strict=False)
    ]
    (difference,) = beside_baseline(found, seed=1)
    assert (difference.after, difference.estimate.mean, difference.estimate.count) == ("graph-rag", 0.5, 2)


def test_latency_has_its_median_and_its_95th_percentile() -> None:
    timed = [Score("s", str(ms), "original", "latency", float(ms)) for ms in range(101)]
    (figure,) = figures(timed, seed=1)
    assert (figure["median"], figure["p95"], figure["count"]) == (50, 95, 101)


def test_plots_are_svg_whatever_the_names_are() -> None:
    hostile = '<script>&"'
    figure = {"system": hostile, "metric": hostile, "mean": 0.5, "low": 0.4, "high": 0.6, "count": 3}
    for drawn in (bars([figure]), whiskers([figure, figure | {"low": -0.1}]), bars([]), whiskers([])):
        assert ElementTree.fromstring(drawn).tag.endswith("svg")


def test_no_cell_breaks_a_table_and_no_text_is_a_formula() -> None:
    table = FigureTable("T", ["a", "b"], [["x|y", "two\nlines"]])
    assert table.markdown().splitlines()[-1] == "| x\\|y | two lines |"
    said = reply("=HYPERLINK(1)")
    row = scores_csv([], {said.key: said}, [question()]).splitlines()[1]
    assert "'=HYPERLINK" in row


@given(st.text(), st.booleans())
def test_a_reply_is_read_as_it_was_written(text: str, cites: bool) -> None:
    said = reply(text, sentences=(sentence(CURIE, CURIE),) if cites else None, facts=(("a", "b", "c"),))
    assert reply_from_json(reply_to_json(said)) == said


def test_a_reply_has_no_field_that_is_lost() -> None:
    with pytest.raises(TypeError):
        reply_from_json(reply_to_json(SystemReply("s", "q", "v", "a")) | {"new": 1})
