"""Answers judged by language models, where there are some, and how far they agree with the deterministic verdict."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, get_args

from provgraph.evaluation.metrics.correctness import HONEST_CREDIT, Verdict, refuses
from provgraph.evaluation.prompting import Prompting
from provgraph.evaluation.questions import EvaluationQuestion
from provgraph.evaluation.replies import FAILED, ORIGINAL, SystemReply
from provgraph.evaluation.wording import without_notes

VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
CREDITS: Final[Mapping[str, float]] = {"correct": 1.0, "missing": HONEST_CREDIT, "incorrect": 0.0}

_OBJECT: Final = re.compile(r"\{.*\}", re.DOTALL)


@dataclass(frozen=True)
class GradedAnswer:
    """What one judge said of one reply, in one manner; `verdict` is empty where it gave none."""

    judge: str
    manner: str
    system: str
    question: str
    verdict: str
    reason: str

    @property
    def key(self) -> tuple[str, str, str, str]:
        return self.judge, self.manner, self.system, self.question


def can_be_judged(question: EvaluationQuestion, reply: SystemReply) -> bool:
    """Answers in the question's own wording that have a reference; labels need no judge."""
    return bool(question.answers) and reply.variant == ORIGINAL and reply.outcome != FAILED


def judged(judge: Prompting, manner: str, question: EvaluationQuestion, reply: SystemReply) -> GradedAnswer:
    """One judgement, of the answer without notes and marks. A refusal is missing without asking.

    Raises `Declined` where the model does not answer.
    """
    if refuses(reply):
        return GradedAnswer(judge.model, manner, reply.system, question.id, "missing", "It is a refusal.")
    values = {
        "question": question.text,
        "reference": " / ".join(question.answers),
        "answer": without_notes(reply.text),
    }
    verdict, reason = read_judgement(judge.said(f"judge-{manner}", values, json=True))
    return GradedAnswer(judge.model, manner, reply.system, question.id, verdict, reason)


def read_judgement(said: str) -> tuple[str, str]:
    """Verdict and reason; an empty verdict, and what was said, where it is none of the three."""
    found = _OBJECT.search(said)
    try:
        value = json.loads(found[0]) if found else {}
    except (ValueError, RecursionError):
        value = {}
    verdict = str(value.get("verdict", "")).strip().casefold() if isinstance(value, dict) else ""
    if verdict not in VERDICTS:
        return "", said[:200]
    return verdict, str(value.get("reason", ""))[:500]


@dataclass(frozen=True)
class Agreement:
    """How far two raters agree over the same `count` answers: the share, and Cohen's kappa, None where it is not
    defined."""

    one: str
    other: str
    count: int
    raw: float
    kappa: float | None


def agreement(one: str, other: str, pairs: Sequence[tuple[str, str]]) -> Agreement | None:
    """Raw agreement and kappa = (p_o − p_e) / (1 − p_e), where p_e is the agreement of chance with the same shares of
    verdicts (Cohen 1960). Kappa is undefined where both always say the same one thing. None for no pairs."""
    if not pairs:
        return None
    observed = sum(first == second for first, second in pairs) / len(pairs)
    expected = (
        sum(
            sum(first == verdict for first, _ in pairs) * sum(second == verdict for _, second in pairs)
            for verdict in {verdict for pair in pairs for verdict in pair}
        )
        / len(pairs) ** 2
    )
    kappa = (observed - expected) / (1 - expected) if expected < 1 else None
    return Agreement(one, other, len(pairs), observed, kappa)


def agreements(
    deterministic: Mapping[tuple[str, str], str], judgements: Sequence[GradedAnswer]
) -> Iterator[Agreement]:
    """Each judge with the deterministic verdict and with each other judge, over (system, question)."""
    raters: dict[str, dict[tuple[str, str], str]] = {"deterministic": dict(deterministic)}
    for each in judgements:
        if each.verdict:
            rater = raters.setdefault(f"{each.judge} ({each.manner})", {})
            rater[each.system, each.question] = each.verdict
    names = list(raters)
    for index, one in enumerate(names):
        for other in names[index + 1 :]:
            shared = [key for key in raters[one] if key in raters[other]]
            found = agreement(one, other, [(raters[one][key], raters[other][key]) for key in shared])
            if found:
                yield found
