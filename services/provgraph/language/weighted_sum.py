"""Weighted sums of measures that have names, as fitted models make them: Σ weight · measure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import mul

WeightedSum = Callable[[Mapping[str, float]], float]


def weighted_sum(weights: Mapping[str, float]) -> WeightedSum:
    """Sums in the order of the weights. The measures that they name must all be there."""
    names, factors = tuple(weights), tuple(weights.values())
    return lambda measured: float(sum(map(mul, factors, map(measured.__getitem__, names))))
