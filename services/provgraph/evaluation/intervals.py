"""How sure a mean is, and a difference of two: percentile bootstrap (Efron and Tibshirani 1993, chapters 13 and 16)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

RESAMPLES: Final = 2_000
LEVEL: Final = 0.95
_AT_ONCE: Final = 1_000_000


@dataclass(frozen=True)
class Estimate:
    """A mean over `count` values and its 95 % interval."""

    count: int
    mean: float
    low: float
    high: float


def estimate(values: Sequence[float], seed: int) -> Estimate:
    """The mean of at least one value; its interval is from resampling the values, which are one for each question."""
    import numpy  # slow to import, and most commands measure nothing

    sample = numpy.asarray(values, dtype=float)
    chance = numpy.random.default_rng(seed)
    part = max(1, _AT_ONCE // len(sample))
    means = numpy.concatenate(
        [
            sample[chance.integers(0, len(sample), (min(part, RESAMPLES - done), len(sample)))].mean(axis=1)
            for done in range(0, RESAMPLES, part)
        ]
    )
    low, high = numpy.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(len(sample), float(sample.mean()), float(low), float(high))


def paired_difference(before: Sequence[float], after: Sequence[float], seed: int) -> Estimate:
    """The mean of `after` − `before`, with questions resampled in pairs (Koehn 2004; Berg-Kirkpatrick et al. 2012)."""
    return estimate([new - old for old, new in zip(before, after, strict=True)], seed)


def quantile(values: Sequence[float], share: float) -> float:
    import numpy

    return float(numpy.quantile(numpy.asarray(values, dtype=float), share))
