"""The text of an answer: does it hang together, is it made of what was found, is it like a reference?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from provgraph.evaluation.metrics.case import Case
from provgraph.evaluation.metrics.correctness import refuses
from provgraph.evaluation.replies import FAILED
from provgraph.evaluation.wording import shared, tokens, without_notes
from provgraph.language.sentences import sentence_spans
from provgraph.language.terms import FUNCTION_WORDS, content_terms, terms, terms_of_word, words

_ORDERS: Final = 4


def coherence(case: Case) -> float | None:
    """Mean cosine of neighbouring sentences, as counts of their content terms (Foltz, Kintsch and Landauer 1998, with
    terms in place of latent dimensions); None for an answer of one sentence or none."""
    text = without_notes(case.reply.text)
    vectors = [Counter(_content(text[start:end])) for start, end in sentence_spans(text)]
    if len(vectors) < 2 or refuses(case.reply):
        return None
    return sum(_cosine(one, other) for one, other in pairwise(vectors)) / (len(vectors) - 1)


def unsupported_words(case: Case) -> float | None:
    """Share of the answer's content words that no passage it was made from has (the hallucination rate of
    "Graph-Augmented RAG for Fact Verification", with stems in place of prefixes); 0 for a refusal, None where the
    passages are not known."""
    reply = case.reply
    if reply.outcome == FAILED or (reply.context is None and not reply.cited):
        return None
    if refuses(reply):
        return 0.0
    read = [
        *(each.text for each in reply.context or ()),
        *(text for each in reply.cited for text in (each.title, each.text)),
    ]
    known = {term for text in read for term in terms(text)}
    said = content_terms(without_notes(reply.text))
    return sum(term not in known for term in said) / len(said) if said and known else None


def bleu(case: Case) -> float | None:
    """BLEU against the reference explanations, orders 1 to 4 with brevity penalty (Papineni et al. 2002, section 2),
    the counts of orders above 1 smoothed by one for single texts (Lin and Och 2004, section 3)."""
    said, references = _against_references(case)
    if not references:
        return None
    if not said:
        return 0.0
    logs = []
    for order in range(1, _ORDERS + 1):
        own = _grams(said, order)
        most: Counter[tuple[str, ...]] = Counter()
        for reference in references:
            most |= _grams(reference, order)
        add = int(order > 1)
        matched = (own & most).total() + add
        if not matched:
            return 0.0
        logs.append(math.log(matched / (own.total() + add)))
    closest = min(
        (len(reference) for reference in references), key=lambda each: (abs(each - len(said)), each)
    )
    brevity = min(0.0, 1 - closest / len(said))
    return math.exp(sum(logs) / _ORDERS + brevity)


def rouge_1(case: Case) -> float | None:
    """ROUGE-1 as F1 of shared tokens, best reference explanation (Lin 2004, section 2)."""
    said, references = _against_references(case)
    return max((_f1(shared(said, each), said, each) for each in references), default=None)


def rouge_l(case: Case) -> float | None:
    """ROUGE-L as F1 of the longest common subsequence, best reference explanation (Lin 2004, section 3)."""
    said, references = _against_references(case)
    return max((_f1(_common_subsequence(said, each), said, each) for each in references), default=None)


def _against_references(case: Case) -> tuple[list[str], list[list[str]]]:
    if case.reply.outcome == FAILED:
        return [], []
    said = tokens(without_notes(case.reply.text))
    return said, [each for each in map(tokens, case.question.explanations) if each]


def _grams(said: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(said[at : at + order]) for at in range(len(said) - order + 1))


def _common_subsequence(one: Sequence[str], other: Sequence[str]) -> int:
    row = [0] * (len(other) + 1)
    for word in one:
        above = 0
        for index, candidate in enumerate(other, 1):
            above, row[index] = (
                row[index],
                above + 1 if word == candidate else max(row[index], row[index - 1]),
            )
    return row[-1]


def _f1(common: int, one: Sequence[str], other: Sequence[str]) -> float:
    return 2 * common / (len(one) + len(other))


def _content(text: str) -> list[str]:
    return [
        term for word in words(text) if word.casefold() not in FUNCTION_WORDS for term in terms_of_word(word)
    ]


def _cosine(one: Counter[str], other: Counter[str]) -> float:
    product = sum(count * other[term] for term, count in one.items())
    lengths = math.sqrt(sum(n * n for n in one.values()) * sum(n * n for n in other.values()))
    return product / lengths if lengths else 0.0
