"""Whether evidence leaves room for "only": what a sentence says besides what an exclusive claim says."""

from __future__ import annotations

from typing import Final

from provgraph.flows.fact_verification.rules.comparison import Comparison
from provgraph.flows.fact_verification.rules.units import agreement_of, units

_BESIDES: Final = frozenset(
    "also other others including include various several numerous besides addition".split()
)
_JOINS: Final = frozenset(("and", "or", ",", "as"))
_FAR: Final = 3


def besides(comparison: Comparison) -> str:
    """The word of the sentence that names something beside what the claim says to be alone; empty where none does."""
    tokens, said = comparison.said.tokens, units(comparison.said)
    own = comparison.claim.terms
    agreed = [at for at in said if any(agreement_of(unit, at) >= 0.8 for unit in comparison.halves[1])]
    if not agreed:
        return ""
    for token in tokens:
        if token.text.casefold() in _BESIDES:
            return token.text
    for at in agreed:
        for other in said:
            between = tokens[at.end : other.start] if other.start >= at.end else tokens[other.end : at.start]
            joined = len(between) <= _FAR and any(token.text.casefold() in _JOINS for token in between)
            if joined and not set(other.phrase) & own and (other.sort == at.sort or at.sort == "word"):
                return other.text
    return ""
