"""What a model says of the relevance of candidates: one JSON object, read forgivingly and believed in nothing else."""

from __future__ import annotations

from typing import Any, Final

from provgraph.flows.runner.call import whole_characters
from provgraph.language.json_items import items_of
from provgraph.provenance.candidates import Verdict

LONGEST_REASON: Final = 1000
LONGEST_QUESTION: Final = 500
NO_REASON: Final = "The model gave no reason."
_WORDS: Final = {
    "true": True,
    "yes": True,
    "relevant": True,
    "false": False,
    "no": False,
    "irrelevant": False,
}


def judged(reply: str, model: str) -> tuple[Verdict | None, str]:
    """The verdict, None where the reply holds none, and the question in other words, empty where there is none."""
    for item in items_of(reply) or ():
        relevant = _truth(item.get("relevant"))
        if relevant is not None:
            reason = _line(item.get("reasoning"))[:LONGEST_REASON] or NO_REASON
            words = "" if relevant else _line(item.get("question"))[:LONGEST_QUESTION]
            return Verdict(relevant, reason, model), words
    return None, ""


def _truth(value: Any) -> bool | None:
    if isinstance(value, str):
        return _WORDS.get(value.strip().casefold())
    return value if isinstance(value, bool) else None


def _line(value: Any) -> str:
    return " ".join(whole_characters(value).split()) if isinstance(value, str) else ""
