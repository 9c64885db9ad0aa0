"""A graph → where everything goes: boxes of nodes, boxes of the edges' labels, curves between them.

An edge's label is laid out as a point of its own between its two ends, so that labels keep clear of nodes and of one
another, and two edges between the same things run apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Final

import numpy as np

from provgraph.pictures.curves import Box, Curve, curve, loop
from provgraph.pictures.graph import DrawnEdge, DrawnNode, Graph
from provgraph.pictures.labels import text_width, wrapped
from provgraph.pictures.stress import Matrix, placed, shortest_paths

_PUSHES: Final = 40
_SPREAD: Final = 1.06
_ROUNDS: Final = 60
_TOUCH: Final = 1e-3


def parted(centres: Matrix, sizes: Matrix, gap: float) -> Matrix:
    """The centres (n × 2) moved so that no two boxes of these sizes (n × 2) are nearer than `gap`.

    Boxes push one another apart along the way that is shorter; where that comes to no end, everything is spread a
    little, and they push again.
    """
    moved = centres.copy()
    room = [(sizes[:, None, axis] + sizes[None, :, axis]) / 2 + gap for axis in (0, 1)]
    for _ in range(_ROUNDS):
        for _ in range(_PUSHES):
            if not _push(moved, room):
                return moved
        moved *= _SPREAD
    return moved


def _push(centres: Matrix, room: list[Matrix]) -> bool:
    """Move all overlapping pairs apart by half of what they overlap; whether there were any."""
    apart = [np.subtract.outer(centres[:, axis], centres[:, axis]) for axis in (0, 1)]
    near = (np.abs(apart[0]) < room[0] - _TOUCH) & (np.abs(apart[1]) < room[1] - _TOUCH)
    first, second = np.nonzero(np.triu(near, 1))
    if not len(first):
        return False
    by = np.column_stack([each[first, second] for each in apart])
    over = np.column_stack([each[first, second] for each in room]) - np.abs(by)
    axis = over.argmin(axis=1)
    pair = np.arange(len(first))
    push = 0.51 * over[pair, axis] * np.where(by[pair, axis] < 0, -1, 1)
    crowd = np.sqrt(np.bincount(np.concatenate([first, second]), minlength=len(centres)))
    np.add.at(centres, (first, axis), push / crowd[first])
    np.add.at(centres, (second, axis), -push / crowd[second])
    return True


NODE_TEXT: Final = 14.0
EDGE_TEXT: Final = 11.5
LINE: Final = 1.25
"""The height of a line, in ems."""

_GAP: Final = 10.0
_MARGIN: Final = 24.0
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
    """Places for all of a graph of up to some hundreds of edges; the same graph is always laid out the same way."""
    nodes = list({node.id: node for node in reversed(graph.nodes)}.values())[::-1]
    edges = list({edge.id: edge for edge in reversed(graph.edges)}.values())[::-1]
    lines = [wrapped(node.label, 24, 3) for node in nodes] + [wrapped(edge.label, 24, 2) for edge in edges]
    sizes = np.array(
        [
            *(_size(each, NODE_TEXT, 24, 12) for each in lines[: len(nodes)]),
            *(_size(each, EDGE_TEXT, 8, 4) for each in lines[len(nodes) :]),
        ]
    ).reshape(-1, 2)
    reach = sizes.sum(axis=1) / 4
    centres, frame = _centres(sizes, _links(nodes, edges, reach))
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


def _links(nodes: list[DrawnNode], edges: list[DrawnEdge], reach: Matrix) -> Iterator[tuple[int, int, float]]:
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


def _centres(sizes: Matrix, links: Iterable[tuple[int, int, float]]) -> tuple[Matrix, tuple[float, float]]:
    """The centre of each box, and the width and height of it all: each connected part by itself, then side by side."""
    if not len(sizes):
        return sizes, (2 * _MARGIN, 2 * _MARGIN)
    lengths = np.full((len(sizes), len(sizes)), np.inf)
    for first, second, length in links:
        lengths[first, second] = lengths[second, first] = length
    distances = shortest_paths(lengths)
    centres = np.zeros_like(sizes)
    parts = _parts(distances)
    for part in parts:
        centres[part] = parted(placed(distances[np.ix_(part, part)]) * (_FLAT, 1 / _FLAT), sizes[part], _GAP)
    return _side_by_side(centres, sizes, parts)


def _parts(distances: Matrix) -> list[list[int]]:
    """The connected parts, the largest first."""
    seen: set[int] = set()
    parts: list[list[int]] = []
    for start in range(len(distances)):
        if start not in seen:
            parts.append(np.flatnonzero(np.isfinite(distances[start])).tolist())
            seen.update(parts[-1])
    return sorted(parts, key=lambda part: -len(part))


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
