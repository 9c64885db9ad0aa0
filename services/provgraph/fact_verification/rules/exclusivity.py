"""Whether evidence leaves room for "only": what a sentence says besides what an exclusive claim says."""

from __future__ import annotations

from typing import Final

from provgraph.fact_verification.rules.comparison import Comparison
from provgraph.fact_verification.rules.units import agreement, units

_BESIDES: Final = frozenset("also other others including include various several numerous besides both addition".split())


def besides(comparison: Comparison) -> str:
    """The word of the sentence that names something beside what the claim says to be alone; empty where none does."""
    agreed = [unit for unit in comparison.halves[1] if agreement(unit, comparison.said) >= 0.8]
    for unit in units(comparison.said):
        if unit.text.casefold() in _BESIDES:
            return unit.text
    for token in comparison.said.tokens:
        if token.text.casefold() in _BESIDES:
            return token.text
    sorts = {unit.sort for unit in agreed if unit.sort != "word"}
    tokens = comparison.said.tokens
    for unit in units(comparison.said):
        joined = unit.start > 0 and tokens[unit.start - 1].text.casefold() in (",", "and", "as")
        if joined and unit.sort in sorts and not set(unit.phrase) & comparison.claim.terms:
            return unit.text
    return ""
