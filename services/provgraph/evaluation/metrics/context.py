"""Was the answer made from the right passages?"""

from __future__ import annotations

from provgraph.evaluation.metrics.case import Case
from provgraph.evaluation.replies import FAILED


def context_precision(case: Case) -> float | None:
    """Mean of precision@k over the ranks k at which a gold passage stands, among the passages that the answer was made
    from, best first (RAGAS, Es et al. 2024, "context precision", with gold passages in place of a judge); 0 where none
    of them is gold, None where there are none."""
    ranked = _ranked(case)
    if not ranked or not case.question.gold_passages:
        return None
    gold = case.question.gold_passages
    hits, found = 0, []
    for rank, passage in enumerate(ranked, 1):
        if passage in gold:
            hits += 1
            found.append(hits / rank)
    return sum(found) / len(found) if found else 0.0


def context_recall(case: Case) -> float | None:
    """Share of the gold passages that are among the passages which the answer was made from (Es et al. 2024, "context
    recall", by passages); 0 for a refusal."""
    ranked = _ranked(case)
    if ranked is None or not case.question.gold_passages:
        return None
    return len(case.question.gold_passages.intersection(ranked)) / len(case.question.gold_passages)


def _ranked(case: Case) -> list[str] | None:
    """Passages, each at its best rank; None where the system does not tell them."""
    if case.reply.context is None or case.reply.outcome == FAILED:
        return None
    return list(dict.fromkeys(each.passage for each in case.reply.context))
