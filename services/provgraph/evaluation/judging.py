"""Language models as judges, called one question at a time: answers judged, and how far the judges agree with the
deterministic verdict.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self, get_args

from provgraph.errors import ModelUnavailable
from provgraph.evaluation.metrics.correctness import HONEST_CREDIT, Verdict, refuses
from provgraph.evaluation.questions import EvaluationQuestion
from provgraph.evaluation.replies import FAILED, ORIGINAL, Declined, Json, SystemReply
from provgraph.evaluation.wordings import without_notes
from provgraph.ports.language_model import LanguageModel, Prompted
from provgraph.prompts import read_prompt

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
    verdict, reason = read_judgement(judge.completion(f"judge-{manner}", values, json=True))
    return GradedAnswer(judge.model, manner, reply.system, question.id, verdict, reason)


def read_judgement(said: str) -> tuple[str, str]:
    """Verdict and reason; an empty verdict, and what was said, where it is none of the three."""
    match = _OBJECT.search(said)
    try:
        value = json.loads(match[0]) if match else {}
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
    for judgement in judgements:
        if judgement.verdict:
            rater = raters.setdefault(f"{judgement.judge} ({judgement.manner})", {})
            rater[judgement.system, judgement.question] = judgement.verdict
    names = list(raters)
    for index, one in enumerate(names):
        for other in names[index + 1 :]:
            shared = [key for key in raters[one] if key in raters[other]]
            found = agreement(one, other, [(raters[one][key], raters[other][key]) for key in shared])
            if found:
                yield found


class Prompting:
    """`prompts` is a folder of replacements for the prompts that are shipped. Use it as a context."""

    def __init__(self, model: LanguageModel, prompts: Path | None, max_output_tokens: int) -> None:
        self._model = model
        self._prompts = prompts
        self._most = max_output_tokens
        self._runner = asyncio.Runner()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._runner.run(self._model.close())
        self._runner.close()

    @property
    def model(self) -> str:
        return self._model.name

    def completion(self, prompt: str, values: Mapping[str, str], json: bool = False) -> str:
        """What the model says to a prompt. Raises `Declined` where it does not answer, after its own retries."""
        read = read_prompt(prompt, frozenset(values), self._prompts)
        system, user = read.filled(values)
        try:
            done = self._runner.run(self._model.complete(Prompted(system, user, self._most, json=json)))
        except ModelUnavailable as error:
            raise Declined(str(error)) from error
        return done.text.strip()

    def answer(self, question: str, chunks: Sequence[Json], claim: bool) -> str:
        """One prompt over the passages, nothing more."""
        passages = "\n\n".join(
            f"[{number}] {chunk.get('title', '')}\n{chunk['text']}" for number, chunk in enumerate(chunks, 1)
        )
        return self.completion(
            "passages-verdict" if claim else "passages-answer", {"question": question, "passages": passages}
        )
