"""Points that links hold together and that push one another apart → places in the plane, for graphs of thousands.

Fruchterman and Reingold, "Graph Drawing by Force-directed Placement" (1991), with the forces between all pairs
estimated on a sample (Gove, "A Random Sampling O(n) Force-calculation Algorithm for Graph Layouts", 2019): a round
costs n × sample instead of n². The sample is drawn from a fixed seed: the same graph is always drawn in the same way.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

import numpy as np

from provgraph.pictures.stress import Matrix

Link = tuple[int, int, float]
"""Two points, by number, and how far apart they should be."""

_ROUNDS: Final = 200
_SAMPLE: Final = 48
_PUSH: Final = 0.03
_GOLDEN_ANGLE: Final = np.pi * (3 - np.sqrt(5))


def placed_by_forces(count: int, links: Sequence[Link]) -> Matrix:
    """Places (n × 2) of the n points of one connected graph."""
    first, second = (np.array([link[end] for link in links]) for end in (0, 1))
    lengths = np.array([link[2] for link in links])
    scale = float(lengths.mean())
    points = _spiral(_nearest_first(count, links)) * scale
    random = np.random.default_rng(count)
    for heat in np.linspace(scale * 4, scale * 0.05, _ROUNDS):
        force = _pushes(points, random.choice(count, min(count, _SAMPLE), replace=False), scale)
        apart = points[second] - points[first]
        distance = np.maximum(np.hypot(*apart.T), 1e-9)[:, None]
        pull = apart / distance * (distance**2 / lengths[:, None])
        for axis in (0, 1):
            force[:, axis] += np.bincount(first, pull[:, axis], count) - np.bincount(
                second, pull[:, axis], count
            )
        strength = np.maximum(np.hypot(*force.T), 1e-9)[:, None]
        points += force / strength * np.minimum(strength, heat)
    centred: Matrix = points - points.mean(axis=0)
    return centred


def _pushes(points: Matrix, sample: np.ndarray[tuple[int], np.dtype[np.int64]], scale: float) -> Matrix:
    """What all points do to each one, by what some of them do."""
    apart = points[:, None] - points[sample][None]
    squares = np.maximum((apart**2).sum(axis=2), (scale * 0.05) ** 2)
    force: Matrix = (
        (apart * (scale**2 / squares)[:, :, None]).sum(axis=1) * (len(points) / len(sample)) * _PUSH
    )
    return force


def _nearest_first(count: int, links: Sequence[Link]) -> list[int]:
    """The points in the order in which they are reached from the one with the most links."""
    beside: list[list[int]] = [[] for _ in range(count)]
    for one, other, _ in links:
        beside[one].append(other)
        beside[other].append(one)
    start = max(range(count), key=lambda point: len(beside[point]))
    order, waiting = {start: None}, deque([start])
    while waiting:
        for point in beside[waiting.popleft()]:
            if point not in order:
                order[point] = None
                waiting.append(point)
    return list(order)


def _spiral(order: Sequence[int]) -> Matrix:
    """Points from the middle outwards, evenly spread."""
    rank = np.empty(len(order))
    rank[order] = np.arange(len(order))
    spiral: Matrix = (
        np.column_stack([np.cos(rank * _GOLDEN_ANGLE), np.sin(rank * _GOLDEN_ANGLE)]) * np.sqrt(rank)[:, None]
    )
    return spiral
