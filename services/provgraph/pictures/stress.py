"""Points at given distances from one another → places in the plane, by stress majorization.

Gansner, Koren and North, "Graph Drawing by Stress Majorization" (2004): the places that minimise the sum of
(distance − wanted)² / wanted² over all pairs. It starts from classical scaling (Torgerson, 1952), so it needs no
random numbers: the same graph is always drawn in the same way.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

ROUNDS: Final = 120
_STILL: Final = 1e-4
_GOLDEN_ANGLE: Final = np.pi * (3 - np.sqrt(5))


def shortest_paths(lengths: Matrix) -> Matrix:
    """The length of the shortest path between each two of n points, of the lengths of their links (n × n, infinite
    where there is none): Floyd and Warshall."""
    paths = lengths.copy()
    np.fill_diagonal(paths, 0)
    for via in range(len(paths)):
        np.minimum(paths, paths[:, via, None] + paths[via], out=paths)
    return paths


def placed(wanted: Matrix) -> Matrix:
    """Places (n × 2) of n points at the `wanted` distances (n × n, finite), around the origin."""
    count = len(wanted)
    if count < 3:
        return np.column_stack([np.arange(count) * (wanted.max() if count else 0), np.zeros(count)])
    weights = np.zeros_like(wanted)
    apart = wanted > 0
    weights[apart] = wanted[apart] ** -2.0
    laplacian = np.diag(weights.sum(axis=1)) - weights
    inverse = np.linalg.inv(laplacian + 1 / count) - 1 / count
    points = _scaled_classically(wanted)
    for _ in range(ROUNDS):
        moved = inverse @ _pull(points, weights * wanted) @ points
        shift = np.abs(moved - points).max()
        points = moved
        if shift < _STILL * wanted.max():
            break
    centred: Matrix = points - points.mean(axis=0)
    return centred


def _pull(points: Matrix, forces: Matrix) -> Matrix:
    distances = _distances(points)
    np.fill_diagonal(distances, 1)
    pull = -forces / np.maximum(distances, 1e-9)
    np.fill_diagonal(pull, 0)
    np.fill_diagonal(pull, -pull.sum(axis=1))
    return pull


def _distances(points: Matrix) -> Matrix:
    squares = (points**2).sum(axis=1)
    distances: Matrix = np.sqrt(np.maximum(np.add.outer(squares, squares) - 2 * points @ points.T, 0))
    return distances


def _scaled_classically(wanted: Matrix) -> Matrix:
    """Where the two largest dimensions of the distances put the points; those that fall together are moved a little."""
    count = len(wanted)
    centring = np.eye(count) - 1 / count
    values, vectors = np.linalg.eigh(-0.5 * centring @ wanted**2 @ centring)
    axes = vectors[:, -2:] * np.sign(vectors[np.abs(vectors[:, -2:]).argmax(axis=0), [-2, -1]])
    turn = np.arange(count) * _GOLDEN_ANGLE
    spiral = np.column_stack([np.cos(turn), np.sin(turn)]) * np.sqrt(np.arange(1, count + 1) / count)[:, None]
    found: Matrix = axes * np.sqrt(np.maximum(values[-2:], 0)) + 0.1 * wanted.mean() * spiral
    return found
