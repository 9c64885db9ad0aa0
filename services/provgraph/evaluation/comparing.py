"""Two runs over the same data, compared in pairs of questions."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any, Final

from provgraph.errors import InvalidInput, NotFound
from provgraph.evaluation.measuring import MetricDifference, Score, differences, in_order
from provgraph.evaluation.metrics.registry import METRICS_BY_NAME
from provgraph.evaluation.questions import PASSAGE_RAG
from provgraph.evaluation.runs import REPLY_COLUMNS, SCORES, RunFolder
from provgraph.evaluation.tables import FigureTable, whiskers

_NO_SETTINGS: Final = frozenset(
    {"begun", "ended", "ingested", "pairs_built", "refused", "unmeasured", "left_out"}
)


@dataclass(frozen=True)
class ComparedRuns:
    """What became of each metric from one run to the other, and what of their settings differs."""

    before: str
    after: str
    settings: dict[str, tuple[Any, Any]]
    differences: tuple[MetricDifference, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "before": self.before,
            "after": self.after,
            "settings": self.settings,
            "differences": [
                {
                    "metric": difference.metric,
                    "before": difference.before,
                    "after": difference.after,
                    "sure": difference.is_sure,
                }
                | asdict(difference.estimate)
                for difference in self.differences
            ],
        }

    def write(self, folder: Path) -> None:
        """Keep the comparison in a folder: as JSON, as Markdown and as a plot."""
        kept, told = RunFolder(folder), self.to_json()
        kept.write("comparison.json", json.dumps(told, indent=2, ensure_ascii=False, default=str) + "\n")
        kept.write("comparison.md", "\n".join(table.markdown() for table in self.tables()))
        kept.write(
            "comparison.svg",
            whiskers([difference | {"system": difference["after"]} for difference in told["differences"]]),
        )

    def tables(self) -> Iterator[FigureTable]:
        if self.settings:
            rows = [[name, str(one), str(other)] for name, (one, other) in self.settings.items()]
            yield FigureTable("What differs in the settings", ["setting", self.before, self.after], rows)
        for names in dict.fromkeys((difference.before, difference.after) for difference in self.differences):
            own = [
                difference
                for difference in self.differences
                if (difference.before, difference.after) == names
            ]
            title = names[0] if names[0] == names[1] else f"{names[1]} after {names[0]}"
            yield FigureTable(
                f"{title}: {self.after} minus {self.before}",
                ["metric", "difference", "95 % interval", "pairs", ""],
                [_row(difference) for difference in own],
            )


def compared(before: Path, after: Path) -> ComparedRuns:
    """The second run minus the first: each system with itself, or, where they share none, all flows of the one with all
    of the other. Intervals are of a paired bootstrap.

    Raises `InvalidInput` for runs over different data, or that share no question.
    """
    one, other = RunFolder.read(before), RunFolder.read(after)
    if one.record.get("sha256") != other.record.get("sha256"):
        raise InvalidInput(
            f"{before} and {after} are of different data ({one.record.get('dataset')}, {other.record.get('dataset')}). "
            "Compare runs over the same files."
        )
    old, new = _scores(before), _scores(after)
    pairs = [(system, system) for system in old if system in new] or [
        (first, second) for first, second in product(old, new) if PASSAGE_RAG not in (first, second)
    ]
    seed = int(one.record.get("seed", 0))
    metric_differences = [
        difference for pair in pairs for difference in differences(old[pair[0]], new[pair[1]], pair, seed)
    ]
    if not metric_differences:
        raise InvalidInput(
            f"{before} and {after} share no question that both answered. Nothing can be compared."
        )
    metric_differences.sort(
        key=lambda difference: (difference.before, difference.after, in_order(difference.metric))
    )
    return ComparedRuns(
        str(before), str(after), _changed(one.record, other.record), tuple(metric_differences)
    )


def _scores(run: Path) -> dict[str, list[Score]]:
    """The scores of a run by system. Raises `NotFound` for a run that never came to its results."""
    try:
        text = (run / SCORES).read_text("utf-8")
    except OSError:
        raise NotFound(f"{run} has no results yet. Run its command again to finish it.") from None
    scores: dict[str, list[Score]] = {}
    for row in csv.DictReader(text.splitlines(keepends=True)):
        for metric in [name for name, value in row.items() if value and name not in REPLY_COLUMNS]:
            score = Score(row["system"], row["question"], row["variant"], metric, float(row[metric]))
            scores.setdefault(score.system, []).append(score)
    return scores


def _changed(one: dict[str, Any], other: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    names = [name for name in {**one, **other} if name not in _NO_SETTINGS]
    return {name: (one.get(name), other.get(name)) for name in names if one.get(name) != other.get(name)}


def _row(difference: MetricDifference) -> list[str]:
    known = METRICS_BY_NAME.get(difference.metric)
    unit = "{:+.0f} ms" if known and known.unit == "ms" else "{:+.3f}"
    estimate = difference.estimate
    higher = known.better == "higher" if known and known.better != "neither" else None
    better = "" if higher is None else "better" if (estimate.mean > 0) == higher else "worse"
    interval = f"{unit.format(estimate.low)} to {unit.format(estimate.high)}"
    return [
        difference.metric,
        unit.format(estimate.mean),
        interval,
        str(estimate.count),
        better if difference.is_sure else "not sure",
    ]
