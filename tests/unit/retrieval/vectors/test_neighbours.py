"""Which rows are near each other: each pair once, the nearest of each row, and none that is not near enough."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from provgraph.retrieval.vector_similarity import near_rows

NEIGHBOURS, LEAST = 3, 0.3

matrices = st.integers(0, 9).flatmap(
    lambda count: arrays(
        np.float32, (count, 3), elements=st.floats(-1, 1, width=32, allow_nan=False, allow_subnormal=False)
    )
)


def rows(*vectors: list[float]) -> np.ndarray:
    return np.array(vectors, np.float32)


@given(matrices)
def test_each_pair_stands_once_over_the_least_cosine_and_is_near_for_one_of_both(vectors: np.ndarray) -> None:
    found = near_rows(vectors, NEIGHBOURS, LEAST)
    pairs = [pair for pair, _ in found]
    assert pairs == sorted(set(pairs))
    assert all(first < second for first, second in pairs)
    assert all(LEAST < cosine <= 1 for _, cosine in found)
    assert len(found) <= NEIGHBOURS * len(vectors)


def test_a_row_has_its_three_nearest_and_those_that_have_it_among_theirs() -> None:
    close = [[1.0, 0.02 * number] for number in range(6)]
    found = near_rows(rows(*close, [-1.0, 0.0]), NEIGHBOURS, LEAST)
    neighbours = [sum(row in pair for pair, _ in found) for row in range(7)]
    assert all(count >= NEIGHBOURS for count in neighbours[:6])
    assert neighbours[6] == 0


def test_rows_of_several_blocks_are_compared_with_all_others() -> None:
    turned = np.linspace(0, np.pi / 2, 1_200)
    found = near_rows(np.stack([np.cos(turned), np.sin(turned)], 1).astype(np.float32), 1, 0.9)
    assert {row for pair, _ in found for row in pair} == set(range(1_200))
    assert all(second - first == 1 for (first, second), _ in found)


def test_a_row_that_is_zero_is_near_none() -> None:
    assert near_rows(rows([0.0, 0.0], [0.0, 0.0], [1.0, 0.0]), NEIGHBOURS, LEAST) == []
