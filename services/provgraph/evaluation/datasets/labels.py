"""The names that data sets and services give to the three verdicts on a claim."""

from __future__ import annotations

from typing import Any, Final

from provgraph.errors import InvalidInput
from provgraph.evaluation.questions import NOT_ENOUGH_INFO, REFUTES, SUPPORTS

_SPELLINGS: Final = {
    "support": SUPPORTS,
    "supports": SUPPORTS,
    "supported": SUPPORTS,
    "entailment": SUPPORTS,
    "true": SUPPORTS,
    "refute": REFUTES,
    "refutes": REFUTES,
    "refuted": REFUTES,
    "contradict": REFUTES,
    "contradiction": REFUTES,
    "false": REFUTES,
    "not enough info": NOT_ENOUGH_INFO,
    "not enough information": NOT_ENOUGH_INFO,
    "noinfo": NOT_ENOUGH_INFO,
    "nei": NOT_ENOUGH_INFO,
    "neutral": NOT_ENOUGH_INFO,
    "unknown": NOT_ENOUGH_INFO,
}


def known_label(given: Any) -> str:
    """The verdict that a word stands for, or nothing."""
    return _SPELLINGS.get(str(given).replace("_", " ").strip().casefold(), "")


def label(given: Any, where: str) -> str:
    """The same; raises `InvalidInput` for a word that is none."""
    if found := known_label(given):
        return found
    raise InvalidInput(f"{where} has the label {given!r}. Use SUPPORTS, REFUTES or NOT ENOUGH INFO.")
