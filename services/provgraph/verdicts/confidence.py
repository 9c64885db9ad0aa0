"""How often verdicts like this one are right.

The weights in `confidence.json` are fitted by `benchmarks/verdicts.py --fit` on claims with known labels: a logistic
function for each label, of what the table of elements shows.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from provgraph.verdicts.judgement import Label

WEIGHTS: Final = Path(__file__).with_name("confidence.json")
HIGHEST: Final = 0.97
"""No verdict from rules is surer than the share that was right of the surest ones."""


def confidence(label: Label, features: tuple[float, ...]) -> float:
    """The share of verdicts with that label and those features that were right, 0…1."""
    weights = _weights().get(label)
    if not weights:
        return 0.5
    return round(min(logistic([*inputs(features), 1.0], weights), HIGHEST), 2)


def inputs(features: Sequence[float]) -> list[float]:
    """What the function is of: how literal the links are, how much is met, how many elements and clauses there are."""
    weight, met, elements, clauses, unsaid, excluded, unnamed = features
    return [weight, met, math.log1p(elements), min(clauses, 4.0) / 4, min(unsaid, 5.0) / 5, excluded, unnamed]


def logistic(values: Sequence[float], weights: Sequence[float]) -> float:
    return 1 / (1 + math.exp(-sum(value * weight for value, weight in zip(values, weights, strict=True))))


@cache
def _weights() -> dict[str, list[float]]:
    if not WEIGHTS.exists():
        return {}
    table: dict[str, list[float]] = json.loads(WEIGHTS.read_text("utf-8"))
    return table
