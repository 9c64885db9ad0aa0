"""The opposite of a claim, by rule."""

from __future__ import annotations

import re
from typing import Final

_AUXILIARY: Final = re.compile(
    r"(?<![\w'’])(?:is|was|are|were|will|would|can|could|should|must|may|might|does|did)(?![\w'’])"
)
_PERFECT: Final = re.compile(r"(?<![\w'’])(?:has|have|had)(?= (?:been|never|not|\w+(?:ed|en))(?!\w))")
_SHORT: Final = re.compile(
    r"(?<!\w)(is|was|are|were|would|could|should|must|might|does|did|has|have|had)n['’]t(?!\w)", re.IGNORECASE
)
_IRREGULAR: Final = (("wo", "will"), ("ca", "can"))
_DENIAL: Final = re.compile(
    r"(?<!\w)(is|was|are|were|will|would|can|could|should|must|may|might|has|have|had) (?:not|never) "
)
_DENIED: Final = re.compile(r"\A(?:it is not true that|it is false that) ", re.IGNORECASE)


def negation(claim: str) -> str:
    """A claim that is true where this one is false: a denial is taken back, else the first auxiliary verb is denied
    ("is" → "is not"), else the whole ("It is not true that …").

    >>> negation("Helmand Province is in Iraq.")
    'Helmand Province is not in Iraq.'
    >>> negation("Marie Curie discovered polonium.")
    'It is not true that Marie Curie discovered polonium.'
    """
    if said := _DENIED.match(claim):
        return claim[said.end()].upper() + claim[said.end() + 1 :]
    if found := _SHORT.search(claim):
        return claim[: found.start()] + found[1] + claim[found.end() :]
    for stem, verb in _IRREGULAR:
        if found := re.search(rf"(?<!\w){stem}n['’]t(?!\w)", claim):
            return claim[: found.start()] + verb + claim[found.end() :]
    if found := _DENIAL.search(claim):
        return f"{claim[: found.start()]}{found[1]} {claim[found.end() :]}"
    if found := _first(claim):
        return f"{claim[: found.end()]} not{claim[found.end() :]}"
    return f"It is not true that {claim}"


def _first(claim: str) -> re.Match[str] | None:
    """The first auxiliary verb, of those that are surely one."""
    found = [match for match in (_AUXILIARY.search(claim), _PERFECT.search(claim)) if match]
    return min(found, key=lambda match: match.start(), default=None)
