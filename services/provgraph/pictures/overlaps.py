"""Boxes that lie over one another → boxes side by side, moved as little as will do."""

from __future__ import annotations

from typing import Final

import numpy as np

from provgraph.pictures.stress import Matrix

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
