"""Questions and replies for tests of metrics."""

from __future__ import annotations

from typing import Any

from provgraph.evaluation.metrics.case import Case
from provgraph.evaluation.questions import EvaluationQuestion
from provgraph.evaluation.replies import ORIGINAL, REFUSED, CitedWords, ReplySentence, SystemReply

CURIE = "Marie Curie discovered polonium in 1898."


def question(text: str = "Who discovered polonium?", **known: Any) -> EvaluationQuestion:
    return EvaluationQuestion("q", text, **known)


def reply(text: str = CURIE, variant: str = ORIGINAL, **known: Any) -> SystemReply:
    return SystemReply("graph-rag", "q", variant, "Who discovered polonium?", text, **known)


def refusal() -> SystemReply:
    return reply("No answer found.", outcome=REFUSED, sentences=(), context=(), facts=())


def sentence(text: str, *cited: str, within: str = "", passage: str = "p1", title: str = "") -> ReplySentence:
    """A sentence that begins where it does in `within`, and cites these texts of a passage."""
    start = within.index(text) if within else 0
    return ReplySentence(
        start, start + len(text), bool(cited), tuple(CitedWords(passage, title, words) for words in cited)
    )


def case(asked: EvaluationQuestion, said: SystemReply, *others: SystemReply) -> Case:
    return Case(asked, said, {other.variant: other for other in others})
