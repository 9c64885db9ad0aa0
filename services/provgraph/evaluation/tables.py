"""Results as tables, in Markdown for a file and aligned for a terminal; and as SVG: bars with their intervals, and
differences with theirs, drawn by hand without a library.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from xml.sax.saxutils import escape

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
    measured = {figure["metric"] for figure in results["figures"]}
    lines += ["### What the metrics are", ""]
    lines += [f"- **{name}**: {said}" for name, said in results["definitions"].items() if name in measured]
    return "\n".join(lines) + "\n"


def tables(results: Results) -> Iterator[FigureTable]:
    """Every table that there is something for."""
    own = [figure for figure in results["figures"] if figure["variant"] == ORIGINAL]
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
        figure
        for figure in results["figures"]
        if figure["variant"] != ORIGINAL and figure["metric"] in _IN_OTHER_WORDINGS
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
    for figure in figures:
        rows.setdefault((figure["metric"], figure["variant"]), {})[figure["system"]] = _cell(figure)
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


Figure = Mapping[str, Any]

_COLOURS: Final = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#777777")
"""Paul Tol's bright scheme, which people with any kind of colour blindness can tell apart."""

_LABELS: Final = 290
_LONGEST: Final = 46
_WIDTH: Final = 460
_VALUES: Final = 150
_BAR: Final = 14
_TOP: Final = 40


def bars(figures: Sequence[Figure]) -> str:
    """A group of bars for each metric that is a share, a bar for each system, and its 95 % interval as a line."""
    shares = [figure for figure in figures if not _is_milliseconds(figure)]
    systems = list(dict.fromkeys(share["system"] for share in shares))
    metrics = list(dict.fromkeys(share["metric"] for share in shares))
    colour = {system: _COLOURS[index % len(_COLOURS)] for index, system in enumerate(systems)}
    parts = [*_legend(colour)]
    top = _TOP
    for metric in metrics:
        group = [share for share in shares if share["metric"] == metric]
        parts.append(_text(_LABELS - 8, top + len(group) * _BAR / 2 + 4, metric, "end"))
        for each in group:
            parts += _bar(each, top, colour[each["system"]])
            top += _BAR
        top += 8
    return _svg(top + 24, "Figures of each system", [*_scale(top, (0.0, 0.5, 1.0), 0.0, 1.0), *parts])


def whiskers(differences: Sequence[Figure]) -> str:
    """A point with its 95 % interval for each difference of shares; those that leave out 0 are filled."""
    shares = [difference for difference in differences if not _is_milliseconds(difference)]
    reach = max([0.1, *(abs(share[end]) for share in shares for end in ("low", "high"))])
    parts: list[str] = []
    top = _TOP
    for share in shares:
        name = f"{share['metric']} ({share['system']})" if share.get("system") else share["metric"]
        low, mean, high = (_at(share[end], -reach, reach) for end in ("low", "mean", "high"))
        middle = top + _BAR / 2
        fill = _COLOURS[0] if share["low"] > 0 or share["high"] < 0 else "white"
        parts += [
            _text(_LABELS - 8, middle + 4, name, "end"),
            f'<line x1="{low:.1f}" y1="{middle:.1f}" x2="{high:.1f}" y2="{middle:.1f}" stroke="{_COLOURS[0]}"/>',
            f'<circle cx="{mean:.1f}" cy="{middle:.1f}" r="4" fill="{fill}" stroke="{_COLOURS[0]}"/>',
            _text(_LABELS + _WIDTH + 10, middle + 4, f"{share['mean']:+.3f}", "start"),
        ]
        top += _BAR + 6
    scale = _scale(top, (-reach, 0.0, reach), -reach, reach)
    return _svg(top + 24, "Differences, with 95 % intervals", [*scale, *parts])


def _bar(each: Figure, top: float, colour: str) -> Iterator[str]:
    mean, low, high = (_at(each[end], 0.0, 1.0) for end in ("mean", "low", "high"))
    middle = top + _BAR / 2
    yield (
        f'<rect x="{_LABELS}" y="{top + 1}" width="{max(mean - _LABELS, 0.5):.1f}" height="{_BAR - 2}" fill="{colour}">'
        f"<title>{escape(each['system'])}: {each['mean']:.3f}</title></rect>"
    )
    yield f'<line x1="{low:.1f}" y1="{middle}" x2="{high:.1f}" y2="{middle}" stroke="black"/>'
    said = f"{each['mean']:.3f} [{each['low']:.3f}, {each['high']:.3f}]"
    yield _text(_LABELS + _WIDTH + 10, middle + 4, said, "start")


def _legend(colour: Mapping[str, str]) -> Iterator[str]:
    at = float(_LABELS)
    for system, filled in colour.items():
        yield f'<rect x="{at}" y="10" width="12" height="12" fill="{filled}"/>'
        yield _text(at + 16, 20, system, "start")
        at += 30 + 7.5 * len(system)


def _scale(bottom: float, marks: Iterable[float], least: float, most: float) -> Iterator[str]:
    for mark in marks:
        at = _at(mark, least, most)
        yield f'<line x1="{at:.1f}" y1="{_TOP - 6}" x2="{at:.1f}" y2="{bottom}" stroke="#cccccc"/>'
        yield _text(at, bottom + 16, f"{mark:.2g}", "middle")


def _at(value: float, least: float, most: float) -> float:
    return _LABELS + _WIDTH * (min(max(value, least), most) - least) / (most - least)


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(_short(text))}</text>'


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _svg(height: float, title: str, parts: Iterable[str]) -> str:
    width = _LABELS + _WIDTH + _VALUES
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:.0f}" width="{width}" '
        f'height="{height:.0f}" role="img" font-family="sans-serif" font-size="12">'
    )
    ground = '<rect width="100%" height="100%" fill="white"/>'
    return "\n".join([head, f"<title>{escape(title)}</title>", ground, *parts, "</svg>"]) + "\n"


def _is_milliseconds(figure: Figure) -> bool:
    known = METRICS_BY_NAME.get(figure["metric"])
    return known is not None and known.unit == "ms"
