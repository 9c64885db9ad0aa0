"""From scores of heads to one tree with one root: greedy where that is a tree, else by Chu-Liu and Edmonds."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]


def trees(arcs: Floats, lengths: Integers) -> Integers:
    """Heads (sentence, word), -1 for the root and for padding, of `arcs` (sentence, dependent, 1 + head), root first.

    A word is never its own head.
    """
    own = np.arange(arcs.shape[1])
    arcs[:, own, own + 1] = -np.inf
    heads: Integers = arcs.argmax(axis=-1) - 1
    inside = own < lengths[:, None]
    heads[~inside] = -1
    for index in np.flatnonzero(~_well_formed(heads, inside)):
        length = int(lengths[index])
        heads[index, :length] = spanning_tree(arcs[index, :length, : length + 1])
    return heads


def probabilities(scores: Floats, chosen: Integers, equal: Mapping[int, list[int]] | None = None) -> Floats:
    """Of each row of `scores` (row, choice) the probability of the choice that was made, by the softmax of the row.

    `equal` are rows with the choices that count as one with the choice made.
    """
    most = scores.max(axis=-1, keepdims=True)
    certain = np.isinf(most)[:, 0]
    with np.errstate(invalid="ignore"):
        powers = np.exp(scores - most)
    totals = powers.sum(axis=-1)
    made = powers[np.arange(len(powers)), chosen] / totals
    for row, choices in (equal or {}).items():
        made[row] = powers[row, choices].sum() / totals[row]
    return np.where(certain, np.float32(1), made)


def _well_formed(heads: Integers, inside: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which sentences have one root that every word leads to: heads of heads of heads end at it."""
    ways = np.concatenate([np.zeros((len(heads), 1), np.int64), heads + 1], axis=1)
    for _ in range(max(1, heads.shape[1].bit_length())):
        ways = np.take_along_axis(ways, ways, axis=1)
    single: npt.NDArray[np.bool_] = ((heads < 0) & inside).sum(axis=1) == 1
    return single & ~ways.any(axis=1)


def spanning_tree(arcs: Floats) -> Integers:
    """The best tree of `arcs` (dependent, 1 + head) below the word that gains most by being the root (Edmonds 1967)."""
    scores = arcs[:, 1:].astype(np.float64)
    np.fill_diagonal(scores, -np.inf)
    if len(scores) == 1:
        return np.array([-1])
    root = int((arcs[:, 0] - scores.max(axis=1)).argmax())
    return _best_heads(scores, root)


def _best_heads(scores: npt.NDArray[np.float64], root: int) -> Integers:
    heads: Integers = scores.argmax(axis=1)
    heads[root] = -1
    cycle = _cycle(heads)
    if not cycle:
        return heads
    return _expanded(scores, root, heads, np.array(cycle))


def _cycle(heads: Integers) -> list[int]:
    """Words that are each other's heads, in order; empty where there are none."""
    walk_of = [0] * len(heads)
    for start in range(len(heads)):
        path, index = [], start
        while index >= 0 and not walk_of[index]:
            walk_of[index] = start + 1
            path.append(index)
            index = int(heads[index])
        if index >= 0 and walk_of[index] == start + 1:
            return path[path.index(index) :]
    return []


def _expanded(scores: npt.NDArray[np.float64], root: int, heads: Integers, cycle: Integers) -> Integers:
    """The best tree where `cycle` counts as one word, and is then broken where that word is entered."""
    outside = np.setdiff1d(np.arange(len(scores)), cycle)
    entering = scores[np.ix_(cycle, outside)] - scores[cycle, heads[cycle]][:, None]
    leaving = scores[np.ix_(outside, cycle)]
    size = len(outside)
    smaller = np.full((size + 1, size + 1), -np.inf)
    smaller[:size, :size] = scores[np.ix_(outside, outside)]
    smaller[size, :size] = entering.max(axis=0)
    smaller[:size, size] = leaving.max(axis=1)
    found = _best_heads(smaller, int(np.flatnonzero(outside == root)[0]))
    result = heads.copy()
    for place, word in enumerate(outside):
        head = found[place]
        if head < size:
            result[word] = outside[head] if head >= 0 else -1
        else:
            result[word] = cycle[leaving[place].argmax()]
    entered = found[size]
    result[cycle[entering[:, entered].argmax()]] = outside[entered]
    return result
