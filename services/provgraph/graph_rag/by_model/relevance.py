"""What a model says of the relevance of candidates: one JSON object, read forgivingly and believed in nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from provgraph.answering.call import whole_characters
from provgraph.graph_rag.by_model.lines import LONGEST_REASON, NO_REASON, edge_line
from provgraph.language.json_items import items_of
from provgraph.ports.retriever import CandidateEdge
from provgraph.provenance.candidates import Verdict

MOST_CHECKED: Final = 30
"""The best candidates tell whether a retrieval went right; the others would only cost."""

LONGEST_QUESTION: Final = 500
_NOTHING: Final = "(nothing was found)"
_WORDS: Final = {
    "true": True,
    "yes": True,
    "relevant": True,
    "false": False,
    "no": False,
    "irrelevant": False,
}


def described(edges: Sequence[CandidateEdge]) -> str:
    """A line of JSON for each of the best candidates."""
    return "\n".join(edge_line(edge.labels) for edge in edges[:MOST_CHECKED]) or _NOTHING


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
