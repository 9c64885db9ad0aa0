"""What an answer was made from, and what its citations are worth: were they the right passages, do the facts name what
the question asks and its answer needs, do the cited words say it?

Whether words support a sentence is told by `answering.overlap`: the share of its content words that they have is at
least 0.6, and they have all of its names and numbers. It is the check that the service makes of what a model writes,
made anew here from what a client gets to see.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from provgraph.evaluation.metrics.case import Case
from provgraph.evaluation.metrics.correctness import refuses
from provgraph.evaluation.questions import GoldEvidence, Triple
from provgraph.evaluation.replies import FAILED, WITHOUT, CitedWords, ReplySentence
from provgraph.evaluation.wordings import normalised, without_notes
from provgraph.language.overlap import ENOUGH, overlap
from provgraph.language.terms import FUNCTION_WORDS, content_terms, terms


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
    return list(dict.fromkeys(passage.passage for passage in case.reply.context))


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


def grounding(case: Case) -> float | None:
    """Share of the answer's sentences that the characters they cite support; a sentence without citations counts as
    unsupported (citation recall of ALCE, Gao et al. 2023, section 4; attribution, Rashkin et al. 2023)."""
    sentences = _sentences(case)
    return _share(_supported(case, sentence, sentence.cited) for sentence in sentences)


def explanation_precision(case: Case) -> float | None:
    """Of the sentences that cite, the share that the cited characters support: is an explanation that is given true?"""
    return _share(
        _supported(case, sentence, sentence.cited) for sentence in _sentences(case) if sentence.cited
    )


def citation_precision(case: Case) -> float | None:
    """Of all citations, the share that is needed: the sentence is supported, and the citation supports it alone or the
    others do not without it (ALCE, Gao et al. 2023, section 4)."""
    return _share(
        _supported(case, sentence, sentence.cited)
        and (
            _supported(case, sentence, [cited])
            or not _supported(case, sentence, [*sentence.cited[:index], *sentence.cited[index + 1 :]])
        )
        for sentence in _sentences(case)
        for index, cited in enumerate(sentence.cited)
    )


def explanation_recall(case: Case) -> float | None:
    """Share of the gold evidence that is cited: of a gold sentence, at least 0.6 of its content words are in the
    characters cited from its passage; of a gold passage without a sentence, anything is (the recall of rationales of
    ERASER, DeYoung et al. 2020, section 4, and of HotpotQA's supporting facts). 0 for a refusal."""
    if case.reply.sentences is None or case.reply.outcome == FAILED:
        return None
    return _share(_is_cited(gold, case.reply.cited) for gold in case.question.evidence)


def faithfulness(case: Case) -> float | None:
    """Whether the answer changes when the cited edges are taken away: it is refused, another label, or another text.
    What does not change was not made from what it cites (comprehensiveness of ERASER, DeYoung et al. 2020, section 4,
    in the graph and not in the input). None for a refusal, and where a flow cannot leave anything out."""
    other = case.others.get(WITHOUT)
    if other is None or FAILED in (other.outcome, case.reply.outcome) or refuses(case.reply):
        return None
    if case.reply.label and other.label:
        return float(
            case.reply.label != other.label or _comparable(case.reply.text) != _comparable(other.text)
        )
    return float(refuses(other) or _comparable(case.reply.text) != _comparable(other.text))


def span_exactness(case: Case) -> float | None:
    """Share of citations whose page, fetched from the service, has the cited text exactly from `start` to `end`."""
    return _share(cited.exact for cited in case.reply.cited if cited.exact is not None)


def _sentences(case: Case) -> Sequence[ReplySentence]:
    """What words can support: of a verdict, not the sentence that states the label."""
    if case.reply.sentences is None or case.reply.outcome == FAILED or refuses(case.reply):
        return ()
    label = case.reply.label
    return [
        sentence
        for sentence in case.reply.sentences
        if not label or not case.reply.sentence_text(sentence).lstrip().startswith(label)
    ]


def _supported(case: Case, sentence: ReplySentence, cited: Sequence[CitedWords]) -> bool:
    known = {term for words in cited for text in (words.title, words.text) for term in terms(text)}
    return bool(cited) and overlap(without_notes(case.reply.sentence_text(sentence)), known)[1]


def _is_cited(gold: GoldEvidence, cited: Sequence[CitedWords]) -> bool:
    own = [words for words in cited if not gold.passage or words.passage == gold.passage]
    if not gold.text:
        return bool(own)
    wanted = set(content_terms(gold.text))
    said = {term for words in own for term in terms(words.text)}
    return bool(wanted) and len(wanted & said) / len(wanted) >= ENOUGH


def _comparable(text: str) -> str:
    return normalised(without_notes(text))
