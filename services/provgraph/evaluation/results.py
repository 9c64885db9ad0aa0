"""What a run came to, as values for JSON, as CSV, and as Markdown."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from provgraph.evaluation.measuring import (
    Score,
    beside_baseline,
    confusion,
    figures,
    judge_agreements,
    judged_scores,
    scores,
)
from provgraph.evaluation.metrics.registry import METRICS
from provgraph.evaluation.plots import bars, whiskers
from provgraph.evaluation.questions import EvaluationQuestion
from provgraph.evaluation.replies import FAILED, ORIGINAL, SystemReply
from provgraph.evaluation.runs import RESULTS, RunFolder
from provgraph.evaluation.tables import report

Results = dict[str, Any]

SCORES: Final = "scores.csv"
REPLY_COLUMNS: Final = "system question variant asked gold answer label outcome problem".split()
"""Columns of `scores.csv` that are no metric."""


def results(folder: RunFolder, questions: Sequence[EvaluationQuestion]) -> tuple[Results, list[Score]]:
    """Everything that can be said of the replies kept so far, and each single score."""
    replies, judgements, seed = (
        folder.replies,
        list(folder.judgements.values()),
        int(folder.record.get("seed", 0)),
    )
    found = [*scores(questions, replies), *judged_scores(judgements)]
    return {
        "run": folder.record,
        "figures": figures(found, seed),
        "beside_baseline": [
            {**asdict(each.estimate), "metric": each.metric, "system": each.after}
            for each in beside_baseline(found, seed)
        ],
        "confusion": confusion(questions, replies.values()),
        "agreement": judge_agreements(questions, replies.values(), judgements),
        "failed": _failed(replies.values()),
        "definitions": {metric.name: metric.definition for metric in METRICS},
    }, found


def write_results(folder: RunFolder, questions: Sequence[EvaluationQuestion]) -> Results:
    """Write `results.json`, `results.md`, `scores.csv` and the plots into the run, and give the first."""
    found, single = results(folder, questions)
    folder.write(RESULTS, json.dumps(found, indent=2, ensure_ascii=False, default=str) + "\n")
    folder.write("results.md", report(found))
    folder.write(SCORES, scores_csv(single, folder.replies, questions))
    own = [each for each in found["figures"] if each["variant"] == ORIGINAL]
    folder.write("plots/metrics.svg", bars(own))
    if found["beside_baseline"]:
        folder.write("plots/beside-baseline.svg", whiskers(found["beside_baseline"]))
    return found


def scores_csv(
    found: Iterable[Score],
    replies: Mapping[tuple[str, str, str], SystemReply],
    questions: Iterable[EvaluationQuestion],
) -> str:
    """A row for each reply: what was asked and said, then a column for each metric."""
    rows: dict[tuple[str, str, str], dict[str, str]] = {}
    gold = {question.id: question.label or " / ".join(question.answers) for question in questions}
    for key, reply in replies.items():
        rows[key] = {
            "system": reply.system,
            "question": reply.question,
            "variant": reply.variant,
            "asked": reply.asked,
            "gold": gold.get(reply.question, ""),
            "answer": reply.text,
            "label": reply.label,
            "outcome": reply.outcome,
            "problem": reply.problem,
        }
    metrics: dict[str, None] = {}
    for score in found:
        metrics[score.metric] = None
        rows[score.system, score.question, score.variant][score.metric] = f"{score.value:.6g}"
    text = io.StringIO()
    writer = csv.DictWriter(text, [*REPLY_COLUMNS, *metrics], restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _inert(value) for name, value in row.items()} for row in rows.values())
    return text.getvalue()


def _inert(value: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{value}" if value[:1] in ("=", "+", "-", "@") and not _is_number(value) else value


def _is_number(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True


def _failed(replies: Iterable[SystemReply]) -> list[dict[str, str]]:
    return [
        {
            "system": reply.system,
            "question": reply.question,
            "variant": reply.variant,
            "problem": reply.problem,
        }
        for reply in replies
        if reply.outcome == FAILED
    ]
