"""The wordings in which each question is asked: as it stands, perturbed, negated, paraphrased."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from provgraph.evaluation.negating import negation
from provgraph.evaluation.perturbing import perturbed
from provgraph.evaluation.questions import Question
from provgraph.evaluation.replies import NEGATION, ORIGINAL, PARAPHRASE


@dataclass(frozen=True)
class Wording:
    """A question as it is asked; `variant` says which wording of it this is."""

    question: Question
    variant: str
    text: str


def wordings(
    question: Question, perturbations: Sequence[str], consistency: bool, seed: int
) -> Iterator[Wording]:
    """The original first; with `consistency` the paraphrases that the data set has, and the negation of a claim.

    A perturbation that changes nothing is not asked.
    """
    yield Wording(question, ORIGINAL, question.text)
    for kind in perturbations:
        text = perturbed(question.text, kind, f"{seed} {question.id}")
        if text != question.text:
            yield Wording(question, kind, text)
    if not consistency:
        return
    for number, text in enumerate(question.paraphrases, 1):
        yield Wording(question, f"{PARAPHRASE} {number}", text)
    if question.label:
        yield Wording(question, NEGATION, negation(question.text))
