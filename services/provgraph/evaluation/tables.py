"""Results as tables: in Markdown for a file, aligned for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from provgraph.evaluation.measuring import NO_LABEL
from provgraph.evaluation.metrics.registry import METRICS_BY_NAME
from provgraph.evaluation.questions import LABELS
from provgraph.evaluation.replies import ORIGINAL

Results = Mapping[str, Any]

_IN_OTHER_WORDINGS: Final = ("accuracy", "factual accuracy", "F1", "recall", "explanation recall")


@dataclass(frozen=True)
class FigureTable:
    """Rows of texts under a title; the first column names the row."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]

    def markdown(self) -> str:
        lines = [f"### {self.title}", "", *map(_row, (self.header, ["---"] * len(self.header), *self.rows))]
        return "\n".join(lines) + "\n"

    def aligned(self) -> str:
        rows = [self.header, *self.rows]
        widths = [max(len(row[column]) for row in rows) for column in range(len(self.header))]
        lines = (
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in rows
        )
        return "\n".join([self.title, *lines])


def report(results: Results) -> str:
    """The whole of a run in Markdown: what was measured, every table, and what each metric is."""
    run = results["run"]
    lines = [
        f"# {run['dataset']}: {', '.join(run['systems'])}",
        "",
        f"{run['questions']} questions; data {run['sha256'][:12]}, seed {run['seed']}, ProvGraph {run['version']}. "
        "In brackets the 95 % interval (bootstrap over questions).",
        "",
        *(f"- {note}" for note in notes(results)),
        "",
    ]
    lines += [table.markdown() for table in tables(results)]
    measured = {each["metric"] for each in results["figures"]}
    lines += ["### What the metrics are", ""]
    lines += [f"- **{name}**: {said}" for name, said in results["definitions"].items() if name in measured]
    return "\n".join(lines) + "\n"


def tables(results: Results) -> Iterator[FigureTable]:
    """Every table that there is something for."""
    own = [each for each in results["figures"] if each["variant"] == ORIGINAL]
    systems = list(dict.fromkeys(each["system"] for each in own))
    if own:
        yield FigureTable("Figures", ["metric", *systems], list(_by_metric(own, systems)))
    if results["beside_baseline"]:
        yield FigureTable(
            "Difference from the baseline",
            ["metric", "system", "difference", "95 % interval", "questions"],
            [
                [each["metric"], each["system"], _signed(each, "mean"), _interval(each), str(each["count"])]
                for each in results["beside_baseline"]
            ],
        )
    others = [
        each
        for each in results["figures"]
        if each["variant"] != ORIGINAL and each["metric"] in _IN_OTHER_WORDINGS
    ]
    if others:
        yield FigureTable(
            "In other wordings", ["metric", *systems], list(_by_metric(others, systems, with_variant=True))
        )
    yield from _confusions(results["confusion"])
    if results["agreement"]:
        yield FigureTable(
            "Agreement",
            ["raters", "answers", "raw", "kappa"],
            [
                [f"{each['one']}, {each['other']}", str(each["count"]), f"{each['raw']:.3f}", _kappa(each)]
                for each in results["agreement"]
            ],
        )


def notes(results: Results) -> Iterator[str]:
    """What a reader of the figures has to know besides."""
    run = results["run"]
    for reason, count in run.get("left_out", {}).items():
        yield f"{count} left out: {reason}."
    for what, why in run.get("unmeasured", {}).items():
        yield f"Not measured: {what} ({why})"
    if run.get("refused"):
        yield f"{len(run['refused'])} passages could not be read, the first: {run['refused'][0]}"
    if results["failed"]:
        first = results["failed"][0]
        yield f"{len(results['failed'])} requests were declined and are in no figure, the first: {first['problem']}"


def _by_metric(
    figures: Iterable[Mapping[str, Any]], systems: Sequence[str], with_variant: bool = False
) -> Iterator[list[str]]:
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for each in figures:
        rows.setdefault((each["metric"], each["variant"]), {})[each["system"]] = _cell(each)
    for (metric, variant), cells in rows.items():
        yield [
            f"{metric}, {variant}" if with_variant else metric,
            *(cells.get(system, "–") for system in systems),
        ]


def _cell(figure: Mapping[str, Any]) -> str:
    if "p95" in figure:
        return f"{figure['median']:.0f} ms (95th percentile {figure['p95']:.0f})"
    return f"{figure['mean']:.3f} [{figure['low']:.3f}, {figure['high']:.3f}] n={figure['count']}"


def _confusions(confusion: Mapping[str, Mapping[str, Mapping[str, int]]]) -> Iterator[FigureTable]:
    for system, rows in confusion.items():
        given = [*LABELS, NO_LABEL] if any(NO_LABEL in row for row in rows.values()) else list(LABELS)
        yield FigureTable(
            f"Labels given by {system}",
            ["gold", *given],
            [
                [gold, *(str(rows.get(gold, {}).get(label, 0)) for label in given)]
                for gold in LABELS
                if gold in rows
            ],
        )


def _signed(each: Mapping[str, Any], name: str) -> str:
    known = METRICS_BY_NAME.get(each["metric"])
    return f"{each[name]:+.0f} ms" if known and known.unit == "ms" else f"{each[name]:+.3f}"


def _interval(each: Mapping[str, Any]) -> str:
    return f"{_signed(each, 'low')} to {_signed(each, 'high')}"


def _kappa(each: Mapping[str, Any]) -> str:
    return "not defined" if each["kappa"] is None else f"{each['kappa']:.3f}"


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
