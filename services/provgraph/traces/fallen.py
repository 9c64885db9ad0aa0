"""Which sentences of an answer have lost their evidence, and why: as `provgraph watch` and subscriptions tell it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Json = Mapping[str, Any]


def fallen(trace: Json) -> dict[str, dict[str, Any]]:
    """The sentences of a `TraceView` that stand on something which no document says any more, or which is contradicted.

    Each has `session`, `sentence` (from 1), `text` and `reason`, by a key by which it is known again.
    """
    edges = {edge["id"]: edge for edge in trace["selected"]}
    states: dict[str, dict[str, Any]] = {}
    for number, sentence in enumerate((trace.get("answer") or {}).get("sentences", ()), 1):
        if not sentence["supported"]:
            continue
        reasons = dict(why for iri in sentence["edges"] if (edge := edges.get(iri)) for why in _doubts(edge))
        if not sentence["edges"] and not sentence["sources"]:
            reasons["words"] = "the words that it cites are no longer there"
        for key, reason in reasons.items():
            state = {"sentence": number, "text": sentence["text"].strip(), "reason": reason}
            states[f"{number} {key}"] = {"session": trace["session"], **state}
    return states


def _doubts(edge: Json) -> Iterator[tuple[str, str]]:
    """Why an edge stands no longer, each by a key without labels: those of a relation go with its last fact."""
    if not edge["sources"]:
        changed = "was changed, and no longer says" if edge["past_sources"] else "is gone that said"
        yield edge["id"], f"the document {changed} {_fact(edge)}"
    for rival in edge["contradictions"]:
        yield (
            f"{edge['id']} {rival['subject']} {rival['object']}",
            f"{_fact(edge)} is contradicted by {_fact(rival)}",
        )


def _fact(fact: Json) -> str:
    return f"({fact['subject']}, {fact['relation']}, {fact['object']})"
