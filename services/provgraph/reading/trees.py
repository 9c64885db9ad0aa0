"""What makes a list of heads a tree: one root, and a way from every word to it."""

from __future__ import annotations

from collections.abc import Sequence


def is_tree(heads: Sequence[int]) -> bool:
    """Whether `heads` (-1 for the root) has exactly one root and no cycle; linear in its length."""
    if sum(head < 0 for head in heads) != 1:
        return not heads
    walk_of = [0] * len(heads)
    for start in range(len(heads)):
        index = start
        while heads[index] >= 0 and not walk_of[index]:
            walk_of[index] = start + 1
            index = heads[index]
        if heads[index] >= 0 and walk_of[index] == start + 1:
            return False
    return True


def flat_heads(length: int) -> list[int]:
    """Every word on the first one: the tree of a sentence that no parser could or should read."""
    return [-1] + [0] * (length - 1) if length else []
