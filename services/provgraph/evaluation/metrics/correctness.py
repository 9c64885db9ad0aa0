"""Is the answer right, by gold labels and gold answers; and does the system say the same of the same, and the opposite
of the opposite? Deterministic.
"""

from __future__ import annotations

from typing import Final, Literal

from provgraph.evaluation.metrics.case import Case
from provgraph.evaluation.questions import NOT_ENOUGH_INFO, REFUTES, SUPPORTS, EvaluationQuestion
from provgraph.evaluation.replies import FAILED, NEGATION, PARAPHRASE, REFUSED, SystemReply
from provgraph.evaluation.wordings import (
    PERTURBATIONS,
    normalised,
    says_unknown,
    shared,
    token_f1,
    tokens,
    without_notes,
)
from provgraph.language.terms import content_terms

Verdict = Literal["correct", "missing", "incorrect"]

HONEST_CREDIT: Final = 0.3
"""What an honest "I don't know" is worth: between the 0 of a wrong answer and the 1 of a right one."""

_LONG_ANSWER: Final = 6
_LONG_ENOUGH: Final = 0.8
_CREDITS: Final[dict[Verdict, float]] = {"correct": 1.0, "missing": HONEST_CREDIT, "incorrect": 0.0}


def refuses(reply: SystemReply) -> bool:
    return (
        reply.outcome == REFUSED
        or reply.label == NOT_ENOUGH_INFO
        or (not reply.label and says_unknown(reply.text))
    )


def holds_answer(text: str, answers: tuple[str, ...]) -> bool:
    """Whether a text says one of the answers, as whole words in their order, notes stripped.

    A "yes" or "no" has to be its first word. Of an answer of six words or more, which nobody repeats word for word,
    0.8 of the content words are enough.
    """
    said = normalised(without_notes(text))
    known = set(content_terms(without_notes(text)))
    for answer in answers:
        wanted = normalised(answer)
        if wanted in ("yes", "no"):
            if said.split()[:1] == [wanted]:
                return True
        elif wanted and f" {wanted} " in f" {said} ":
            return True
        elif len(wanted.split()) >= _LONG_ANSWER:
            needed = set(content_terms(answer))
            if needed and len(needed & known) / len(needed) >= _LONG_ENOUGH:
                return True
    return False


def verdict(question: EvaluationQuestion, reply: SystemReply) -> Verdict | None:
    """Correct, missing (an honest refusal) or incorrect, as CRAG grades (Yang et al. 2024, section 3).

    None where there is nothing to compare with: no gold, a failed request, or a claim that got no label.
    """
    if reply.outcome == FAILED:
        return None
    if question.label:
        if not reply.label:
            return None
        if reply.label == question.label:
            return "correct"
        return "missing" if reply.label == NOT_ENOUGH_INFO else "incorrect"
    if not question.answers:
        return None
    if refuses(reply):
        return "missing"
    return "correct" if holds_answer(reply.text, question.answers) else "incorrect"


def accuracy(case: Case) -> float | None:
    """Share of questions answered right: for claims, the gold label was given (Thorne et al. 2018, section 5); for
    questions, the text says a gold answer (Mallen et al. 2023, section 3)."""
    found = verdict(case.question, case.reply)
    return None if found is None else float(found == "correct")


def polar_accuracy(case: Case) -> float | None:
    """Share of claims that are supported or refuted whose label was given; the others are left out, and NOT ENOUGH INFO
    counts as wrong (the setting of FEVER with gold evidence, Thorne et al. 2018, section 5)."""
    return None if case.question.label in ("", NOT_ENOUGH_INFO) else accuracy(case)


def factual_accuracy(case: Case) -> float | None:
    """1 for a right answer, 0.3 for an honest "I don't know", 0 for a wrong one, notes of the pipeline stripped (the
    credit is that of "Graph-Augmented RAG for Fact Verification", where a cautious answer is better than a wrong one;
    right and wrong by gold, not by key words as there)."""
    found = verdict(case.question, case.reply)
    return None if found is None else _CREDITS[found]


def hallucination_rate(case: Case) -> float | None:
    """Share of questions answered, and answered wrong; a refusal is none (Yang et al. 2024, CRAG, section 3)."""
    found = verdict(case.question, case.reply)
    return None if found is None else float(found == "incorrect")


def refusal_rate(case: Case) -> float | None:
    """Share of questions to which the system said that it does not know."""
    return None if case.reply.outcome == FAILED else float(refuses(case.reply))


def exact_match(case: Case) -> float | None:
    """Whether the normalised answer is a normalised gold answer (Rajpurkar et al. 2016, section 6.1); a sentence that
    quotes its source seldom is."""
    said = _answered(case)
    if said is None:
        return None
    return float(any(normalised(said) == normalised(answer) for answer in case.question.answers))


def f1(case: Case) -> float | None:
    """Harmonic mean of the shares of tokens that answer and gold answer have in common, best gold answer (Rajpurkar et
    al. 2016, section 6.1); 0 for a refusal."""
    said = _answered(case)
    return None if said is None else max(token_f1(said, answer) for answer in case.question.answers)


def recall(case: Case) -> float | None:
    """Share of a gold answer's tokens that the answer says, best gold answer (Adlakha et al. 2024, section 3.2): fair
    to answers in whole sentences; 0 for a refusal."""
    said = _answered(case)
    if said is None:
        return None
    found = tokens(said)
    wanted = [tokens(answer) for answer in case.question.answers]
    return max((shared(found, each) / len(each) for each in wanted if each), default=0.0)


def _answered(case: Case) -> str | None:
    """What was said, empty for a refusal; None where there is no gold answer or no reply."""
    if not case.question.answers or case.reply.outcome == FAILED:
        return None
    return "" if refuses(case.reply) else without_notes(case.reply.text)


ALIKE: Final = 0.7
"""Token F1 from which two texts count as the same answer."""

_OPPOSITE: Final = {SUPPORTS: REFUTES, REFUTES: SUPPORTS, NOT_ENOUGH_INFO: NOT_ENOUGH_INFO}


def logical_consistency(case: Case) -> float | None:
    """Share of other wordings that are answered consistently: a paraphrase by the same label or answer (token F1 of at
    least 0.7, or both refused), the negation of a claim by the opposite label (NOT ENOUGH INFO is its own opposite).
    After Elazar et al. 2021, section 3 (paraphrases) and Kassner and Schütze 2020 (negations)."""
    found = [
        _opposite(case.reply, other) if variant == NEGATION else _same(case.reply, other)
        for variant, other in case.others.items()
        if variant == NEGATION or variant.startswith(PARAPHRASE)
    ]
    return _mean(found)


def stability(case: Case) -> float | None:
    """Share of perturbed wordings (typos, synonyms, word order) to which the same is said: the same label, or an answer
    with a token F1 of at least 0.7, or both refused (robustness to noise: Belinkov and Bisk 2018)."""
    return _mean([_same(case.reply, other) for name, other in case.others.items() if name in PERTURBATIONS])


def _same(one: SystemReply, other: SystemReply) -> float | None:
    if FAILED in (one.outcome, other.outcome):
        return None
    if one.label and other.label:
        return float(one.label == other.label)
    if refuses(one) or refuses(other):
        return float(refuses(one) == refuses(other))
    return float(token_f1(without_notes(one.text), without_notes(other.text)) >= ALIKE)


def _opposite(claim: SystemReply, negation: SystemReply) -> float | None:
    """None for a flow without labels: texts do not show what they deny."""
    if not claim.label or not negation.label:
        return None
    return float(_OPPOSITE[claim.label] == negation.label)


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
