"""How likeness and words are weighed together."""

from __future__ import annotations

import pytest

from provgraph.retrieval.passages import RankedPassage
from provgraph.retrieval.similarity import combined


def ranking(**scores: float) -> list[RankedPassage]:
    return [RankedPassage({"chunk": chunk}, score) for chunk, score in scores.items()]


def test_words_count_beside_their_best_and_likeness_as_it_is() -> None:
    found = combined(ranking(a=0.8, b=0.6), ranking(b=20.0, c=10.0), alpha=0.5)
    assert [passage.chunk for passage in found] == ["b", "a", "c"]
    assert [passage.score for passage in found] == pytest.approx([0.8, 0.4, 0.25])


@pytest.mark.parametrize(("alpha", "first"), [(1.0, "a"), (0.0, "b")])
def test_a_weight_of_one_is_that_ranking_alone(alpha: float, first: str) -> None:
    assert combined(ranking(a=0.8, b=0.6), ranking(b=20.0), alpha)[0].chunk == first


def test_rankings_may_be_empty() -> None:
    assert combined([], [], alpha=0.5) == []
