"""Findings → the message that lets a client show them in colours, and what made the score of each document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from provgraph.catalogue.sources import ChunkFact, Words
from provgraph.flows.extractive import cooccurrence
from provgraph.flows.extractive.evidence import Findings, ScoredDocument, ScoredEvidence
from provgraph.flows.extractive.statements import QuotedStatement
from provgraph.language.mentions import MentionSpan
from provgraph.language.terms import terms
from provgraph.ports.retriever import ChunkHit, RetrievalResult
from provgraph.wire.highlights import (
    EvidenceSentence,
    GraphEdge,
    GraphNode,
    HighlightedDocument,
    HighlightedMention,
    Highlights,
    LocalGraph,
    QuotedFact,
    TermScore,
)

MOST_FACTS: Final = 50


def highlights(
    result: RetrievalResult,
    findings: Findings,
    quoted: Sequence[QuotedStatement],
    facts: Sequence[ChunkFact],
) -> Highlights:
    """Everything that was counted; facts are those whose words an evidence sentence has."""
    return Highlights(
        method=result.method,
        mentions=[mention for each in quoted for mention in _mentions(each.mentions, each.text, each.start)],
        documents=[_document(document, findings, result, quoted) for document in findings.documents],
        graph=_graph(findings.sentences),
        facts=[_fact(each) for each in facts if _is_in(each, findings.evidence)][:MOST_FACTS],
    )


def _document(
    document: ScoredDocument,
    findings: Findings,
    result: RetrievalResult,
    quoted: Sequence[QuotedStatement],
) -> HighlightedDocument:
    best = findings.passages[document.best]
    hit = best.hit
    return HighlightedDocument(
        document=hit.document.value,
        title=hit.title,
        source=best.at.place.source,
        score=hit.score,
        terms=term_scores(hit, result.parameters),
        evidence=[_sentence(each, quoted) for each in document.evidence],
    )


def _sentence(evidence: ScoredEvidence, quoted: Sequence[QuotedStatement]) -> EvidenceSentence:
    words = evidence.words
    return EvidenceSentence(
        page=words.page.value,
        page_number=words.page_number,
        chunk=words.place.chunk.value,
        start=words.start,
        end=words.end,
        text=words.text,
        score=round(evidence.score, 4),
        coverage=round(evidence.coverage, 4),
        density=round(evidence.density, 4),
        terms=list(evidence.terms),
        mentions=_mentions(evidence.mentions, words.text, words.start),
        cited=next((number for number, each in enumerate(quoted) if _cites(each, words)), None),
    )


def _cites(quoted: QuotedStatement, words: Words) -> bool:
    return any(
        each.page == words.page and words.start <= each.start < each.end <= words.end for each in quoted.words
    )


def _mentions(mentions: Sequence[MentionSpan], text: str, at: int) -> list[HighlightedMention]:
    """What is mentioned in a text that begins at `at` of the whole."""
    return [
        HighlightedMention(
            type=each.type, start=at + each.start, end=at + each.end, text=text[each.start : each.end]
        )
        for each in mentions
    ]


def _graph(sentences: Sequence[ScoredEvidence]) -> LocalGraph:
    """Of the sentences that have a word of the question: what else was retrieved is not its subject."""
    graph = cooccurrence.local_graph(
        [(each.type, sentence.words.text[each.start : each.end]) for each in sentence.mentions]
        for sentence in sentences
        if sentence.terms
    )
    return LocalGraph(
        nodes=[GraphNode(type=each.type, name=each.name, count=each.count) for each in graph.nodes],
        edges=[GraphEdge(source=each.source, target=each.target, count=each.count) for each in graph.edges],
    )


def _is_in(fact: ChunkFact, evidence: Sequence[ScoredEvidence]) -> bool:
    source = fact.source
    return any(
        source.page == each.words.page and source.start < each.words.end and each.words.start < source.end
        for each in evidence
    )


def _fact(fact: ChunkFact) -> QuotedFact:
    source = fact.source
    return QuotedFact(
        subject=fact.subject,
        relation=fact.relation,
        object=fact.object,
        confidence=source.confidence,
        document=source.place.document.value,
        title=source.place.title,
        source=source.place.source,
        page=source.page.value,
        page_number=source.page_number,
        start=source.start,
        end=source.end,
        text=source.text,
    )


def term_scores(hit: ChunkHit, parameters: Mapping[str, float]) -> list[TermScore]:
    """The terms of a hit, the weightiest first.

    By term frequency, which has the parameter `weight`, a score is a count times that weight, and the factual boost is
    counted once. In other rankings the words of the passage and its title are counted.
    """
    weight = parameters.get("weight")
    held = Counter(terms(f"{hit.title}\n{hit.text}"))
    scores = []
    for text, score in hit.terms:
        if weight and (count := score / weight).is_integer():
            scores.append(TermScore(text=text, count=int(count), weight=weight, score=score))
        else:
            count = sum(held[form] for form in dict.fromkeys(terms(text)))
            own = weight is not None
            scores.append(
                TermScore(text=text, count=1 if own else count, weight=score if own else None, score=score)
            )
    return scores


def scores_text(scores: list[TermScore], score: float) -> str:
    """The terms in words: "polonium 3 × 2 + numbers with units 1 × 1 = 7"."""
    parts = [
        f"{each.text} {each.count} × {each.weight:g}"
        if each.weight is not None
        else f"{each.text} {each.score:g}"
        for each in scores
    ]
    return f"{' + '.join(parts) or 'no word of the question'} = {score:g}"
