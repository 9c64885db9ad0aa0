"""How much of a sentence the words that it cites hold."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Final

from provgraph.language.terms import content_terms

ENOUGH: Final = 0.6
"""The share of a sentence's content words that the cited words must hold; of its names and numbers they hold all."""


def overlap(sentence: str, known: AbstractSet[str]) -> tuple[float, bool]:
    """The share of the sentence's content words that are known, and whether that and its names and numbers suffice."""
    said = list(content_terms(sentence).items())
    if not said:
        return 0.0, False
    share = sum(term in known for term, _ in said) / len(said)
    capitals = [spelled[:1].isupper() for _, spelled in said]
    is_name = [all(capitals[:2]) and len(said) > 1, *capitals[1:]]  # any sentence begins with a capital
    certain = [
        term for (term, _), named in zip(said, is_name, strict=True) if named or any(map(str.isdigit, term))
    ]
    return share, share >= ENOUGH and known >= set(certain)
