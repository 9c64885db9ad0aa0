"""Figures as SVG, drawn by hand: bars with their intervals, and differences with theirs. No library is needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final
from xml.sax.saxutils import escape

from provgraph.evaluation.metrics.registry import METRICS_BY_NAME

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
    shares = [each for each in figures if not _is_milliseconds(each)]
    systems = list(dict.fromkeys(each["system"] for each in shares))
    metrics = list(dict.fromkeys(each["metric"] for each in shares))
    colour = {system: _COLOURS[index % len(_COLOURS)] for index, system in enumerate(systems)}
    parts = [*_legend(colour)]
    top = _TOP
    for metric in metrics:
        group = [each for each in shares if each["metric"] == metric]
        parts.append(_text(_LABELS - 8, top + len(group) * _BAR / 2 + 4, metric, "end"))
        for each in group:
            parts += _bar(each, top, colour[each["system"]])
            top += _BAR
        top += 8
    return _svg(top + 24, "Figures of each system", [*_scale(top, (0.0, 0.5, 1.0), 0.0, 1.0), *parts])


def whiskers(differences: Sequence[Figure]) -> str:
    """A point with its 95 % interval for each difference of shares; those that leave out 0 are filled."""
    shares = [each for each in differences if not _is_milliseconds(each)]
    reach = max([0.1, *(abs(each[end]) for each in shares for end in ("low", "high"))])
    parts: list[str] = []
    top = _TOP
    for each in shares:
        name = f"{each['metric']} ({each['system']})" if each.get("system") else each["metric"]
        low, mean, high = (_at(each[end], -reach, reach) for end in ("low", "mean", "high"))
        middle = top + _BAR / 2
        fill = _COLOURS[0] if each["low"] > 0 or each["high"] < 0 else "white"
        parts += [
            _text(_LABELS - 8, middle + 4, name, "end"),
            f'<line x1="{low:.1f}" y1="{middle:.1f}" x2="{high:.1f}" y2="{middle:.1f}" stroke="{_COLOURS[0]}"/>',
            f'<circle cx="{mean:.1f}" cy="{middle:.1f}" r="4" fill="{fill}" stroke="{_COLOURS[0]}"/>',
            _text(_LABELS + _WIDTH + 10, middle + 4, f"{each['mean']:+.3f}", "start"),
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
