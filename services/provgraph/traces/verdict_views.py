"""The verdict of a trace as a message: what the record has of it, and the explanation out of the answer's words."""

from __future__ import annotations

from provgraph.traces.reader import OpenedTrace
from provgraph.wire.trace import TraceVerdict


def verdict_view(opened: OpenedTrace) -> TraceVerdict | None:
    """None where no claim was judged."""
    verdict = opened.trace.verdict
    if verdict is None:
        return None
    return TraceVerdict(
        label=verdict.label,
        confidence=verdict.confidence,
        coverage=verdict.coverage,
        explanation=_explanation(opened, verdict.label),
    )


def _explanation(opened: OpenedTrace, label: str) -> str:
    """What stands between the label and the first words that are quoted."""
    quoted = [sentence.start for sentence in opened.trace.sentences if sentence.stance]
    return opened.answer[: min(quoted, default=None)].removeprefix(f"{label}: ").strip()
