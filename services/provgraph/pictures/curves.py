"""Lines of edges: from box to box through the place of a label, with a head where they end."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import Final

Point = tuple[float, float]

_HEAD: Final = 8.0
_HALF_WIDTH: Final = 3.2
_LOOP: Final = 0.7


@dataclass(frozen=True)
class Box:
    """A box around a centre."""

    x: float
    y: float
    width: float
    height: float

    def edge_towards(self, at: Point) -> Point:
        """Where the way from the centre to a point leaves the box."""
        dx, dy = at[0] - self.x, at[1] - self.y
        if not dx and not dy:
            return self.x, self.y - self.height / 2
        reach = min(
            (self.width / 2) / abs(dx) if dx else float("inf"),
            (self.height / 2) / abs(dy) if dy else float("inf"),
        )
        return self.x + dx * reach, self.y + dy * reach


@dataclass(frozen=True)
class Curve:
    """A quadratic Bézier curve from `start` to `end`."""

    start: Point
    control: Point
    end: Point

    def head(self, thickness: float) -> tuple[Point, Point, Point]:
        """The corners of an arrowhead whose tip is the end, for a line of this thickness."""
        dx, dy = self._direction()
        foot, half = self.foot(thickness), _HALF_WIDTH + thickness / 2
        return (
            self.end,
            (foot[0] - half * dy, foot[1] + half * dx),
            (foot[0] + half * dy, foot[1] - half * dx),
        )

    def foot(self, thickness: float) -> Point:
        """Where the line ends and its arrowhead begins."""
        dx, dy = self._direction()
        length = _HEAD + thickness
        return self.end[0] - length * dx, self.end[1] - length * dy

    def _direction(self) -> Point:
        dx, dy = self.end[0] - self.control[0], self.end[1] - self.control[1]
        length = hypot(dx, dy) or 1
        return dx / length, dy / length


def curve(subject: Box, label: Box, thing: Box) -> Curve:
    """The curve from one box to another that passes through the middle of a label."""
    aim = _control((subject.x, subject.y), label, (thing.x, thing.y))
    return _through(subject.edge_towards(aim), label, thing.edge_towards(aim))


def loop(box: Box, label: Box) -> Curve:
    """The curve from a box through a label back to the box."""
    aside = (label.y - box.y) * _LOOP, (box.x - label.x) * _LOOP
    first = box.edge_towards((label.x + aside[0], label.y + aside[1]))
    last = box.edge_towards((label.x - aside[0], label.y - aside[1]))
    return _through(first, label, last)


def _through(start: Point, label: Box, end: Point) -> Curve:
    return Curve(start, _control(start, label, end), end)


def _control(start: Point, label: Box, end: Point) -> Point:
    """What bends a curve so that its middle is the middle of the label."""
    return 2 * label.x - (start[0] + end[0]) / 2, 2 * label.y - (start[1] + end[1]) / 2
