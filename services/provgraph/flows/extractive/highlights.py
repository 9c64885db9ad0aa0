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
from provgraph.language.terms import terms, titled
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
        mentions=[
            mention
            for statement in quoted
            for mention in _mentions(statement.mentions, statement.text, statement.start)
        ],
        cut_off=findings.cut_off,
        documents=[_document(document, findings, result, quoted) for document in findings.documents],
        graph=_graph(findings.sentences),
        facts=[_fact(fact) for fact in facts if _is_in(fact, findings.evidence)][:MOST_FACTS],
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
        evidence=[_sentence(evidence, quoted) for evidence in document.evidence],
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
        chance=round(evidence.chance, 4),
        terms=list(evidence.terms),
        mentions=_mentions(evidence.mentions, words.text, words.start),
        cited=next((number for number, each in enumerate(quoted) if _cites(each, words)), None),
    )


def _cites(quoted: QuotedStatement, words: Words) -> bool:
    return any(
        word.page == words.page and words.start <= word.start < word.end <= words.end for word in quoted.words
    )


def _mentions(mentions: Sequence[MentionSpan], text: str, at: int) -> list[HighlightedMention]:
    """What is mentioned in a text that begins at `at` of the whole."""
    return [
        HighlightedMention(
            type=mention.type,
            start=at + mention.start,
            end=at + mention.end,
            text=text[mention.start : mention.end],
        )
        for mention in mentions
    ]


def _graph(sentences: Sequence[ScoredEvidence]) -> LocalGraph:
    """Of the sentences that have a word of the question: what else was retrieved is not its subject."""
    graph = cooccurrence.local_graph(
        [(mention.type, sentence.words.text[mention.start : mention.end]) for mention in sentence.mentions]
        for sentence in sentences
        if sentence.terms
    )
    return LocalGraph(
        nodes=[GraphNode(type=node.type, name=node.name, count=node.count) for node in graph.nodes],
        edges=[GraphEdge(source=edge.source, target=edge.target, count=edge.count) for edge in graph.edges],
    )


def _is_in(fact: ChunkFact, evidence: Sequence[ScoredEvidence]) -> bool:
    source = fact.source
    return any(
        source.page == scored_evidence.words.page
        and source.start < scored_evidence.words.end
        and scored_evidence.words.start < source.end
        for scored_evidence in evidence
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
    held = Counter(terms(titled(hit.title, hit.text)))
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
        f"{term_score.text} {term_score.count} × {term_score.weight:g}"
        if term_score.weight is not None
        else f"{term_score.text} {term_score.score:g}"
        for term_score in scores
    ]
    return f"{' + '.join(parts) or 'no word of the question'} = {score:g}"
