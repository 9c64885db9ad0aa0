"""A graph → where everything goes: boxes of nodes, boxes of the edges' labels, and lines from box to box through the
place of a label, with a head where they end.

An edge's label is laid out as a point of its own between its two ends, so that labels keep clear of nodes and of one
another, and two edges between the same things run apart. How much room labels take is told of a font that nobody here
knows: a sans-serif of usual widths.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product
from math import hypot
from typing import Final

import numpy as np
from numpy.typing import NDArray

from provgraph.pictures.forces import Link, placed_by_forces
from provgraph.pictures.graph import DrawnEdge, DrawnNode, Graph
from provgraph.pictures.stress import Matrix, placed, shortest_paths

Indices = NDArray[np.int64]

_PUSHES: Final = 40
_SPREAD: Final = 1.06
_ROUNDS: Final = 60
_ROUNDS_OF_LARGE: Final = 2
_TOUCH: Final = 1e-3


def parted(centres: Matrix, sizes: Matrix, gap: float, rounds: int = _ROUNDS) -> Matrix:
    """The centres (n × 2) moved so that no two boxes of these sizes (n × 2) are nearer than `gap`.

    Boxes push one another apart along the way that is shorter; where that comes to no end, everything is spread a
    little, and they push again. After so many `rounds` some may still overlap.
    """
    moved = centres.copy()
    for _ in range(rounds):
        for _ in range(_PUSHES):
            if not _push(moved, sizes, gap):
                return moved
        moved *= _SPREAD
    return moved


def _push(centres: Matrix, sizes: Matrix, gap: float) -> bool:
    """Move all overlapping pairs apart by half of what they overlap; whether there were any."""
    first, second = _neighbours(centres, sizes.max(axis=0) + gap)
    by = centres[first] - centres[second]
    over = (sizes[first] + sizes[second]) / 2 + gap - np.abs(by)
    near = (over > _TOUCH).all(axis=1)
    if not near.any():
        return False
    first, second, by, over = first[near], second[near], by[near], over[near]
    axis = over.argmin(axis=1)
    pair = np.arange(len(first))
    push = 0.51 * over[pair, axis] * np.where(by[pair, axis] < 0, -1, 1)
    crowd = np.sqrt(np.bincount(np.concatenate([first, second]), minlength=len(centres)))
    np.add.at(centres, (first, axis), push / crowd[first])
    np.add.at(centres, (second, axis), -push / crowd[second])
    return True


def _neighbours(centres: Matrix, cell: Matrix) -> tuple[Indices, Indices]:
    """All pairs of points that lie in the same cell of a grid or in two that touch: whatever is nearer than a cell."""
    column, row = np.floor(centres / cell).astype(np.int64).T
    height = int(row.max() - row.min()) + 3
    place = column * height + row
    order = np.argsort(place, kind="stable")
    ordered = place[order]
    firsts, seconds = [], []
    for beside in (0, 1, height - 1, height, height + 1):
        begin = np.searchsorted(ordered, place + beside, "left")
        counts = np.searchsorted(ordered, place + beside, "right") - begin
        first = np.repeat(np.arange(len(place)), counts)
        second = order[np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts - begin, counts)]
        once = first < second if beside == 0 else slice(None)
        firsts.append(first[once])
        seconds.append(second[once])
    return np.concatenate(firsts), np.concatenate(seconds)


NODE_TEXT: Final = 14.0
EDGE_TEXT: Final = 11.5
LINE: Final = 1.25
"""The height of a line, in ems."""

_GAP: Final = 10.0
_MARGIN: Final = 24.0
_MOST_BY_STRESS: Final = 300
"""Points of a connected part: its stress costs their number cubed, so a larger one is laid out by forces."""
_MOST_PARTED: Final = 1_000
"""Points of a part whose labels are moved until none lies over another."""
_REACH: Final = 26.0
_BETWEEN: Final = 48.0
_ABREAST: Final = 34.0
_FORMAT: Final = 1.6
_FLAT: Final = 1.35
"""Labels are wide and low: what is laid out is drawn this much wider than high."""


@dataclass(frozen=True)
class PlacedNode:
    node: DrawnNode
    box: Box
    lines: tuple[str, ...]


@dataclass(frozen=True)
class PlacedEdge:
    edge: DrawnEdge
    box: Box
    lines: tuple[str, ...]
    curve: Curve


@dataclass(frozen=True)
class NodePositions:
    """A graph with places: x to the right and y downwards from the corner of a picture of this width and height."""

    graph: Graph
    nodes: tuple[PlacedNode, ...]
    edges: tuple[PlacedEdge, ...]
    width: float
    height: float


def layout(graph: Graph) -> NodePositions:
    """Places for all of a graph of up to some thousands of edges; the same graph is always laid out the same way."""
    nodes = list({node.id: node for node in reversed(graph.nodes)}.values())[::-1]
    edges = list({edge.id: edge for edge in reversed(graph.edges)}.values())[::-1]
    lines = [wrapped(node.label, 24, 3) for node in nodes] + [wrapped(edge.label, 24, 2) for edge in edges]
    sizes = np.array(
        [
            *(_size(line, NODE_TEXT, 24, 12) for line in lines[: len(nodes)]),
            *(_size(line, EDGE_TEXT, 8, 4) for line in lines[len(nodes) :]),
        ]
    ).reshape(-1, 2)
    reach = sizes.sum(axis=1) / 4
    centres, frame = _centres(sizes, list(_links(nodes, edges, reach)))
    boxes = [Box(*map(float, (*centre, *size))) for centre, size in zip(centres, sizes, strict=True)]
    at = {node.id: box for node, box in zip(nodes, boxes, strict=False)}
    return NodePositions(
        graph=graph,
        nodes=tuple(map(PlacedNode, nodes, boxes, lines)),
        edges=tuple(
            PlacedEdge(edge, box, text, _drawn(at[edge.subject], box, at[edge.object]))
            for edge, box, text in zip(edges, boxes[len(nodes) :], lines[len(nodes) :], strict=True)
        ),
        width=frame[0],
        height=frame[1],
    )


def _drawn(subject: Box, label: Box, thing: Box) -> Curve:
    return loop(subject, label) if subject == thing else curve(subject, label, thing)


def _size(lines: tuple[str, ...], text: float, across: float, down: float) -> tuple[float, float]:
    return max(map(text_width, lines)) * text + across, len(lines) * LINE * text + down


def _links(nodes: list[DrawnNode], edges: list[DrawnEdge], reach: Matrix) -> Iterator[Link]:
    """Two points and how far apart they should be: each label, by its place behind the nodes, with either end of its
    edge, and the labels of edges between the same two things in a row across their middle."""
    number = {node.id: index for index, node in enumerate(nodes)}
    beside: dict[frozenset[str], list[int]] = defaultdict(list)
    for label, edge in enumerate(edges, len(nodes)):
        beside[frozenset((edge.subject, edge.object))].append(label)
    for ends, labels in beside.items():
        for end, label in product(ends, labels):
            length = reach[number[end]] + reach[label] + _REACH * len(labels) ** 0.5
            yield number[end], label, float(length)
        for label, following in pairwise(labels):
            yield label, following, _ABREAST


def _centres(sizes: Matrix, links: Sequence[Link]) -> tuple[Matrix, tuple[float, float]]:
    """The centre of each box, and the width and height of it all: each connected part by itself, then side by side."""
    if not len(sizes):
        return sizes, (2 * _MARGIN, 2 * _MARGIN)
    centres = np.zeros_like(sizes)
    parts = _components(len(sizes), links)
    for part, own in parts:
        is_large = len(part) > _MOST_BY_STRESS
        points = placed_by_forces(len(part), own) if is_large else _by_stress(len(part), own)
        rounds = _ROUNDS if len(part) <= _MOST_PARTED else _ROUNDS_OF_LARGE
        centres[part] = parted(points * (_FLAT, 1 / _FLAT), sizes[part], _GAP, rounds)
    return _side_by_side(centres, sizes, [part for part, _ in parts])


def _by_stress(count: int, links: Iterable[Link]) -> Matrix:
    lengths = np.full((count, count), np.inf)
    for first, second, length in links:
        lengths[first, second] = lengths[second, first] = length
    return placed(shortest_paths(lengths))


def _components(count: int, links: Sequence[Link]) -> list[tuple[list[int], list[Link]]]:
    """The connected parts, the largest first: their points, and their links between the places of these."""
    root = list(range(count))

    def root_of(point: int) -> int:
        while root[point] != point:
            root[point] = root[root[point]]
            point = root[point]
        return point

    for first, second, _ in links:
        root[max(root_of(first), root_of(second))] = min(root_of(first), root_of(second))
    points: dict[int, list[int]] = defaultdict(list)
    place = [0] * count
    for point in range(count):
        part = points[root_of(point)]
        place[point] = len(part)
        part.append(point)
    own: dict[int, list[Link]] = defaultdict(list)
    for first, second, length in links:
        own[root_of(first)].append((place[first], place[second], length))
    return sorted(((part, own[first]) for first, part in points.items()), key=lambda each: -len(each[0]))


def _side_by_side(
    centres: Matrix, sizes: Matrix, parts: list[list[int]]
) -> tuple[Matrix, tuple[float, float]]:
    """The parts in rows from the left to the right, so that the whole is about `_FORMAT` times as wide as high."""
    corners = [(centres[part] - sizes[part] / 2).min(axis=0) for part in parts]
    spans = [
        (centres[part] + sizes[part] / 2).max(axis=0) - corner
        for part, corner in zip(parts, corners, strict=True)
    ]
    widest = max(
        max(span[0] for span in spans), (_FORMAT * sum((span + _BETWEEN).prod() for span in spans)) ** 0.5
    )
    moved = centres.copy()
    at, row, frame = np.array([_MARGIN, _MARGIN]), 0.0, np.zeros(2)
    for part, corner, span in zip(parts, corners, spans, strict=True):
        if at[0] > _MARGIN and at[0] + span[0] > widest + _MARGIN:
            at, row = np.array([_MARGIN, at[1] + row + _BETWEEN]), 0.0
        moved[part] += at - corner
        frame = np.maximum(frame, at + span)
        row = max(row, float(span[1]))
        at = at + np.array([span[0] + _BETWEEN, 0])
    return moved, (float(frame[0] + _MARGIN), float(frame[1] + _MARGIN))


_NARROW: Final = frozenset("iljtfrI.,:;'!|()[]{}/\\-·` ")
_WIDE: Final = frozenset("mwMW@%&—…œæ")
_CONTROLS: Final = re.compile(
    "[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]"
)
"""What XML 1.0 (section 2.2) does not let stand in a document, and what turns the text around it."""


def clean(text: str) -> str:
    """One line of characters that may stand in XML."""
    return " ".join(_CONTROLS.sub(" ", text).split())


def wrapped(label: str, columns: int, rows: int) -> tuple[str, ...]:
    """The label in at most `rows` lines of about `columns` Latin letters; what is too long ends in an ellipsis."""
    text = clean(label)
    if any(unicodedata.east_asian_width(char) in "WF" for char in text):
        columns = max(4, columns // 2)
    return tuple(
        textwrap.wrap(text, columns, max_lines=rows, placeholder="…", break_on_hyphens=False) or [" "]
    )


@lru_cache(maxsize=16_384)
def text_width(text: str) -> float:
    """The width of a line, in ems."""
    return sum(map(_advance, text))


def _advance(char: str) -> float:
    if char in _NARROW:
        return 0.34
    if char in _WIDE:
        return 0.9
    if unicodedata.combining(char):
        return 0
    if unicodedata.east_asian_width(char) in "WF":
        return 1
    return 0.7 if char.isupper() else 0.57


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
