"""The text of an answer: does it hang together, is it made of what was found, is it like a reference?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

from rapidfuzz.distance import LCSseq

from provgraph.evaluation.metrics.case import Case
from provgraph.evaluation.metrics.correctness import refuses
from provgraph.evaluation.replies import FAILED
from provgraph.evaluation.wordings import tokens, without_notes
from provgraph.language.sentences import sentence_spans
from provgraph.language.terms import FUNCTION_WORDS, content_terms, terms, terms_of_word, words


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
        *(passage.text for passage in reply.context or ()),
        *(text for cited_words in reply.cited for text in (cited_words.title, cited_words.text)),
    ]
    known = {term for text in read for term in terms(text)}
    said = content_terms(without_notes(reply.text))
    return sum(term not in known for term in said) / len(said) if said and known else None


def bleu(case: Case) -> float | None:
    """BLEU against the reference explanations by `sacrebleu`, orders 1 to 4 with brevity penalty (Papineni et al. 2002,
    section 2), the counts of orders above 1 smoothed by one for single texts (Lin and Och 2004, section 3)."""
    from sacrebleu.metrics.bleu import BLEU

    said, references = _against_references(case)
    if not references:
        return None
    if not said:
        return 0.0
    scorer = BLEU(tokenize="none", smooth_method="add-k", smooth_value=1, effective_order=True)
    return (
        scorer.sentence_score(" ".join(said), [" ".join(reference) for reference in references]).score / 100
    )


def rouge_1(case: Case) -> float | None:
    """ROUGE-1: F1 of shared tokens, best reference explanation (Lin 2004, section 2)."""
    return _rouge(case, lambda said, reference: (Counter(said) & Counter(reference)).total())


def rouge_l(case: Case) -> float | None:
    """ROUGE-L: F1 of the longest common subsequence, best reference explanation (Lin 2004, section 3)."""
    return _rouge(case, lambda said, reference: LCSseq.similarity(said, reference))


def _rouge(case: Case, shared: Callable[[list[str], list[str]], int]) -> float | None:
    said, references = _against_references(case)
    if not references:
        return None
    return max(2 * shared(said, reference) / (len(said) + len(reference)) for reference in references)


def _against_references(case: Case) -> tuple[list[str], list[list[str]]]:
    if case.reply.outcome == FAILED:
        return [], []
    said = tokens(without_notes(case.reply.text))
    return said, [each for each in map(tokens, case.question.explanations) if each]


def _content(text: str) -> list[str]:
    return [
        term for word in words(text) if word.casefold() not in FUNCTION_WORDS for term in terms_of_word(word)
    ]


def _cosine(one: Counter[str], other: Counter[str]) -> float:
    product = sum(count * other[term] for term, count in one.items())
    lengths = math.sqrt(sum(n * n for n in one.values()) * sum(n * n for n in other.values()))
    return product / lengths if lengths else 0.0
