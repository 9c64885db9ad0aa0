"""From replies to figures: each metric of each case, their means with percentile bootstrap intervals (Efron
and Tibshirani 1993, chapters 13 and 16), and what they come to together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from provgraph.evaluation.judging import CREDITS, GradedAnswer, agreements
from provgraph.evaluation.metrics.case import Case
from provgraph.evaluation.metrics.correctness import verdict
from provgraph.evaluation.metrics.registry import METRICS, METRICS_BY_NAME
from provgraph.evaluation.questions import PASSAGE_RAG, EvaluationQuestion
from provgraph.evaluation.replies import FAILED, NEGATION, ORIGINAL, PARAPHRASE, WITHOUT, SystemReply

RESAMPLES: Final = 2_000
LEVEL: Final = 0.95
_AT_ONCE: Final = 1_000_000


@dataclass(frozen=True)
class Estimate:
    """A mean over `count` values and its 95 % interval."""

    count: int
    mean: float
    low: float
    high: float


def estimate(values: Sequence[float], seed: int) -> Estimate:
    """The mean of at least one value; its interval is from resampling the values, which are one for each question."""
    import numpy  # slow to import, and most commands measure nothing

    sample = numpy.asarray(values, dtype=float)
    chance = numpy.random.default_rng(seed)
    part = max(1, _AT_ONCE // len(sample))
    means = numpy.concatenate(
        [
            sample[chance.integers(0, len(sample), (min(part, RESAMPLES - done), len(sample)))].mean(axis=1)
            for done in range(0, RESAMPLES, part)
        ]
    )
    low, high = numpy.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(len(sample), float(sample.mean()), float(low), float(high))


def paired_difference(before: Sequence[float], after: Sequence[float], seed: int) -> Estimate:
    """The mean of `after` − `before`, with questions resampled in pairs (Koehn 2004; Berg-Kirkpatrick et al. 2012)."""
    return estimate([new - old for old, new in zip(before, after, strict=True)], seed)


def quantile(values: Sequence[float], share: float) -> float:
    import numpy

    return float(numpy.quantile(numpy.asarray(values, dtype=float), share))


NO_LABEL: Final = "none"
_ORDER: Final = {name: place for place, name in enumerate(METRICS_BY_NAME)}


@dataclass(frozen=True)
class Score:
    """What one metric gives for one reply."""

    system: str
    question: str
    variant: str
    metric: str
    value: float


def scores(
    questions: Iterable[EvaluationQuestion], replies: Mapping[tuple[str, str, str], SystemReply]
) -> list[Score]:
    """Every metric of every reply that has something to measure. Negations and answers without their evidence are no
    cases of their own: they are measured against the original."""
    by_id = {question.id: question for question in questions}
    others: dict[tuple[str, str], dict[str, SystemReply]] = {}
    for (system, asked, variant), reply in replies.items():
        if variant != ORIGINAL:
            others.setdefault((system, asked), {})[variant] = reply
    found = []
    for reply in replies.values():
        question = by_id.get(reply.question)
        if question is None or reply.variant in (NEGATION, WITHOUT):
            continue
        beside = others.get((reply.system, reply.question), {}) if reply.variant == ORIGINAL else {}
        case = Case(question, reply, beside)
        found += [
            Score(reply.system, reply.question, reply.variant, metric.name, value)
            for metric in METRICS
            if (value := metric.measure(case)) is not None
        ]
    return found


def judged_scores(judgements: Iterable[GradedAnswer]) -> Iterator[Score]:
    """Accuracy, factual accuracy and hallucination rate as each judge sees them, in each manner."""
    for judgement in judgements:
        if judgement.verdict:
            by = f"by {judgement.judge} ({judgement.manner})"
            values = {
                "accuracy": float(judgement.verdict == "correct"),
                "factual accuracy": CREDITS[judgement.verdict],
                "hallucination rate": float(judgement.verdict == "incorrect"),
            }
            for name, value in values.items():
                yield Score(judgement.system, judgement.question, ORIGINAL, f"{name} {by}", value)


def figures(found: Iterable[Score], seed: int) -> list[dict[str, Any]]:
    """The mean of each metric for each system and variant, with its 95 % interval; of latency the median and the 95th
    percentile too."""
    grouped: dict[tuple[str, str, str], list[float]] = {}
    for score in found:
        variant = PARAPHRASE if score.variant.startswith(PARAPHRASE) else score.variant
        grouped.setdefault((score.system, variant, score.metric), []).append(score.value)
    return [
        {"system": system, "variant": variant, "metric": metric, **_figure(metric, values, seed)}
        for (system, variant, metric), values in sorted(
            grouped.items(), key=lambda item: in_order(item[0][2])
        )
    ]


def in_order(metric: str) -> int:
    """The place of a metric in tables and plots; those of judges stand last."""
    return _ORDER.get(metric, len(_ORDER))


def _figure(metric: str, values: Sequence[float], seed: int) -> dict[str, Any]:
    figure: dict[str, Any] = asdict(estimate(values, seed))
    known = METRICS_BY_NAME.get(metric)
    if known and known.unit == "ms":
        figure |= {"median": quantile(values, 0.5), "p95": quantile(values, 0.95)}
    return figure


@dataclass(frozen=True)
class MetricDifference:
    """How far one system differs from another in one metric, over the questions that both have, in pairs."""

    metric: str
    before: str
    after: str
    estimate: Estimate

    @property
    def is_sure(self) -> bool:
        """Whether the 95 % interval leaves out 0."""
        return self.estimate.low > 0 or self.estimate.high < 0


def differences(
    before: Sequence[Score], after: Sequence[Score], names: tuple[str, str], seed: int
) -> Iterator[MetricDifference]:
    """The difference in each metric that both have. Scores are paired by question and wording."""
    old, new = (
        {(score.metric, score.question, score.variant): score.value for score in each}
        for each in (before, after)
    )
    pairs: dict[str, list[tuple[float, float]]] = {}
    for key, value in new.items():
        if key in old:
            pairs.setdefault(key[0], []).append((old[key], value))
    for metric, values in sorted(pairs.items(), key=lambda item: in_order(item[0])):
        found = paired_difference([one for one, _ in values], [other for _, other in values], seed)
        yield MetricDifference(metric, *names, found)


def beside_baseline(found: Sequence[Score], seed: int) -> Iterator[MetricDifference]:
    """Each flow against the baseline of the same run, in the questions' own words."""
    own = [score for score in found if score.variant == ORIGINAL]
    baseline = [score for score in own if score.system == PASSAGE_RAG]
    for system in dict.fromkeys(score.system for score in own):
        if baseline and system != PASSAGE_RAG:
            rest = [score for score in own if score.system == system]
            yield from differences(baseline, rest, (PASSAGE_RAG, system), seed)


def confusion(
    questions: Iterable[EvaluationQuestion], replies: Iterable[SystemReply]
) -> dict[str, dict[str, dict[str, int]]]:
    """For claims: system → gold label → given label → how many."""
    gold = {question.id: question.label for question in questions if question.label}
    counts: dict[str, dict[str, Counter[str]]] = {}
    for reply in replies:
        if reply.question in gold and reply.variant == ORIGINAL and reply.outcome != FAILED:
            row = counts.setdefault(reply.system, {}).setdefault(gold[reply.question], Counter())
            row[reply.label or NO_LABEL] += 1
    return {system: {label: dict(row) for label, row in rows.items()} for system, rows in counts.items()}


def judge_agreements(
    questions: Iterable[EvaluationQuestion],
    replies: Iterable[SystemReply],
    judgements: Sequence[GradedAnswer],
) -> list[dict[str, Any]]:
    """Each judge beside the deterministic verdict and beside the other judges."""
    by_id = {question.id: question for question in questions}
    deterministic = {
        (reply.system, reply.question): str(found)
        for reply in replies
        if reply.variant == ORIGINAL and reply.question in by_id
        if (found := verdict(by_id[reply.question], reply))
    }
    return [asdict(agreement) for agreement in agreements(deterministic, judgements)] if judgements else []
