"""Which papers are alike: near ones, each pair once, whatever order the vectors come in."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from pyoxigraph import NamedNode

from provgraph.ports.document_vectors import MeanVectors
from provgraph.research.similarity import LEAST_WEIGHT, NEIGHBOURS, likenesses


def papers(count: int) -> tuple[NamedNode, ...]:
    return tuple(NamedNode(f"https://example.org/paper/{number:02}") for number in range(count))


def vectors(means: list[list[float]]) -> MeanVectors:
    return MeanVectors("m", papers(len(means)), np.array(means, np.float32))


matrices = st.integers(0, 9).flatmap(
    lambda count: arrays(
        np.float32, (count, 3), elements=st.floats(-1, 1, width=32, allow_nan=False, allow_subnormal=False)
    )
)


@given(matrices, st.randoms(use_true_random=False))
def test_the_order_of_papers_changes_nothing(means: np.ndarray, random: object) -> None:
    given_order = list(range(len(means)))
    random.shuffle(given_order)  # type: ignore[attr-defined]
    names = papers(len(means))
    shuffled = MeanVectors("m", tuple(names[at] for at in given_order), means[given_order])
    assert likenesses(shuffled) == likenesses(MeanVectors("m", names, means))


@given(matrices)
def test_each_pair_stands_once_over_the_least_weight_and_is_near_for_one_of_both(
    means: np.ndarray,
) -> None:
    found = likenesses(MeanVectors("m", papers(len(means)), means))
    pairs = [each.papers for each in found]
    assert len(set(pairs)) == len(pairs)
    assert all(first.value < second.value for first, second in pairs)
    assert all(LEAST_WEIGHT < each.weight <= 1 for each in found)
    assert len(found) <= NEIGHBOURS * len(means)


def test_a_paper_has_its_three_nearest_and_those_that_have_it_among_theirs() -> None:
    close = [[1.0, 0.02 * number] for number in range(6)]
    found = likenesses(vectors([*close, [-1.0, 0.0]]))
    neighbours = dict.fromkeys(papers(7), 0)
    for each in found:
        for paper in each.papers:
            neighbours[paper] += 1
    assert all(neighbours[paper] >= NEIGHBOURS for paper in papers(6))
    assert neighbours[papers(7)[6]] == 0


def test_a_paper_without_a_vector_is_like_none() -> None:
    assert likenesses(vectors([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0]])) == []
