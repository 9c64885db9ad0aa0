"""A weighted sum takes the measures that its weights name."""

from __future__ import annotations

import pytest

from provgraph.language.weighted_sum import weighted_sum


def test_measures_without_a_weight_do_not_count() -> None:
    assert weighted_sum({"overlap": 2.0, "bias": -1.0})({"bias": 1.0, "overlap": 0.25, "rank": 9.0}) == -0.5


def test_one_weight_is_a_sum_too_and_none_sums_to_nothing() -> None:
    assert weighted_sum({"bias": 3.0})({"bias": 1.0}) == 3.0
    assert weighted_sum({})({"bias": 1.0}) == 0.0


def test_a_measure_that_is_missing_is_an_error() -> None:
    with pytest.raises(KeyError):
        weighted_sum({"overlap": 2.0})({})
