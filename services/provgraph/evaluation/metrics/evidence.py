"""What an answer was made from: were they the right passages, and do the facts name what the question asks
and its answer needs?"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from provgraph.evaluation.metrics.case import Case
from provgraph.evaluation.questions import Triple
from provgraph.evaluation.replies import FAILED
from provgraph.language.terms import FUNCTION_WORDS, terms


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


_WORD: Final = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")


def graph_completeness(case: Case) -> float | None:
    """Share of what the right answer needs that the facts behind the answer hold: of the gold triples, those whose
    subject and object a fact connects; without gold triples, of the gold entities, those that a fact names. None where
    the data set has neither, or the flow has no facts. (In place of the triples per document of "Graph-Augmented RAG
    for Fact Verification", which say how much was read and not whether it is what is needed.)"""
    facts = _facts(case)
    if facts is None:
        return None
    question = case.question
    if question.triples:
        return _share(any(_connects(fact, gold) for fact in facts) for gold in question.triples)
    return _share(any(_names(fact, entity) for fact in facts) for entity in question.entities)


def graph_coverage(case: Case) -> float | None:
    """Share of the question's names and numbers that a fact behind the answer has in its subject or object (the node
    coverage of "Graph-Augmented RAG for Fact Verification"). None for a question without names, or a flow without
    facts."""
    facts = _facts(case)
    if facts is None:
        return None
    return _share(any(_names(fact, name) for fact in facts) for name in names(case.question.text))


def names(text: str) -> list[str]:
    """Runs of capitalised words that are no function words, and numbers; a first word counts where another follows it
    or it is no function word, as in "Marie Curie was …" but not in "Who was …"."""
    found: list[list[str]] = []
    end = -1
    for match in _WORD.finditer(text):
        word = match[0]
        if not (word[0].isupper() or word[0].isdigit()) or word.casefold() in FUNCTION_WORDS:
            continue
        if found and text[end : match.start()] == " ":
            found[-1].append(word)
        else:
            found.append([word])
        end = match.end()
    return list(dict.fromkeys(" ".join(run) for run in found))


def _facts(case: Case) -> tuple[Triple, ...] | None:
    return None if case.reply.outcome == FAILED else case.reply.facts


def _names(fact: Triple, entity: str) -> bool:
    wanted = set(terms(entity))
    return bool(wanted) and any(wanted <= set(terms(label)) for label in (fact[0], fact[2]))


def _connects(fact: Triple, gold: Triple) -> bool:
    ends, wanted = (fact[0], fact[2]), (gold[0], gold[2])
    return any(
        _alike(one, first) and _alike(other, second)
        for first, second in (wanted, wanted[::-1])
        for one, other in (ends,)
    )


def _alike(one: str, other: str) -> bool:
    """Whether the terms of one label are among those of the other: "Curie" and "Marie Curie"."""
    first, second = set(terms(one)), set(terms(other))
    return bool(first and second) and (first <= second or second <= first)


def _share(found: Iterable[bool]) -> float | None:
    values = list(found)
    return sum(values) / len(values) if values else None
