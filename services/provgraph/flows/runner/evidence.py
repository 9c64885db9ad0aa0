"""How much of a question the evidence has to meet before it is an answer: docs/tech-specs/refusal.md says why."""

from __future__ import annotations

import math
from typing import Final

EVIDENCE: Final = 0.9
"""What coverage × √(number of terms) × known share of the question must reach; less is no answer."""

ENOUGH: Final = 0.75
"""Coverage that is always enough, however short the question."""


def needed_coverage(term_count: int, known: float) -> float:
    """The share of the question's weight that the best evidence must meet.

    What n terms need falls with √n, as the coverage met by chance does; where only the share `known` of the question
    is known to the collection at all, it rises.
    """
    return min(ENOUGH, EVIDENCE / math.sqrt(term_count)) / known if known else math.inf
