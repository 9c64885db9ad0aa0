"""All metrics, in the order in which tables show them."""

from __future__ import annotations

from typing import Final

from provgraph.evaluation.metrics.case import Case, Metric
from provgraph.evaluation.metrics.correctness import (
    accuracy,
    exact_match,
    f1,
    factual_accuracy,
    hallucination_rate,
    logical_consistency,
    polar_accuracy,
    recall,
    refusal_rate,
    stability,
)
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
    span_exactness,
)
from provgraph.evaluation.metrics.prose import bleu, coherence, rouge_1, rouge_l, unsupported_words
from provgraph.evaluation.replies import FAILED


def latency(case: Case) -> float | None:
    """Milliseconds from sending a question to having the whole of its answer, over HTTP; the median and the 95th
    percentile are told beside the mean."""
    return None if case.reply.outcome == FAILED else case.reply.milliseconds


METRICS: Final = (
    Metric("accuracy", accuracy),
    Metric("supports/refutes accuracy", polar_accuracy),
    Metric("factual accuracy", factual_accuracy),
    Metric("hallucination rate", hallucination_rate, better="lower"),
    Metric("refusal rate", refusal_rate, better="neither"),
    Metric("exact match", exact_match),
    Metric("F1", f1),
    Metric("recall", recall),
    Metric("grounding", grounding),
    Metric("explanation precision", explanation_precision),
    Metric("citation precision", citation_precision),
    Metric("explanation recall", explanation_recall),
    Metric("faithfulness", faithfulness),
    Metric("span exactness", span_exactness),
    Metric("context precision", context_precision),
    Metric("context recall", context_recall),
    Metric("graph completeness", graph_completeness),
    Metric("graph coverage", graph_coverage),
    Metric("logical consistency", logical_consistency),
    Metric("stability", stability),
    Metric("coherence", coherence),
    Metric("unsupported words", unsupported_words, better="lower"),
    Metric("BLEU", bleu),
    Metric("ROUGE-1", rouge_1),
    Metric("ROUGE-L", rouge_l),
    Metric("latency", latency, better="lower", unit="ms"),
)
METRICS_BY_NAME: Final = {metric.name: metric for metric in METRICS}
