"""Findings → the message that lets a client show them in colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from provgraph.catalogue.sources import ChunkFact, Words
from provgraph.flows.extractive import cooccurrence
from provgraph.flows.extractive.evidence import Evidence, Findings, RankedDocument
from provgraph.flows.extractive.scores import term_scores
from provgraph.flows.extractive.statements import Statement
from provgraph.flows.runner.answer_stream import Told
from provgraph.language.mentions import Mention
from provgraph.ports.retriever import RetrievalResult
from provgraph.wire.highlights import (
    EvidenceSentence,
    GraphEdge,
    GraphNode,
    HighlightedDocument,
    HighlightedMention,
    Highlights,
    LocalGraph,
    QuotedFact,
)

MOST_FACTS: Final = 50


def highlights(
    result: RetrievalResult, found: Findings, told: Told[Statement], facts: Sequence[ChunkFact]
) -> Highlights:
    """Everything that was counted; facts are those whose words an evidence sentence has."""
    return Highlights(
        method=result.method,
        mentions=[
            mention for said in told.statements for mention in _mentions(said.mentions, said.text, said.start)
        ],
        documents=[_document(document, found, result, told.statements) for document in found.documents],
        graph=_graph(found.sentences),
        facts=[_fact(each) for each in facts if _is_in(each, found.evidence)][:MOST_FACTS],
    )


def _document(
    document: RankedDocument, found: Findings, result: RetrievalResult, said: Sequence[Statement]
) -> HighlightedDocument:
    hit = found.passages[document.best].hit
    return HighlightedDocument(
        document=hit.document.value,
        title=hit.title,
        score=hit.score,
        terms=term_scores(hit, result.parameters),
        evidence=[_sentence(each, said) for each in document.evidence],
    )


def _sentence(evidence: Evidence, said: Sequence[Statement]) -> EvidenceSentence:
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
        cited=next((number for number, each in enumerate(said) if _cites(each, words)), None),
    )


def _cites(said: Statement, words: Words) -> bool:
    return any(
        each.page == words.page and words.start <= each.start < each.end <= words.end for each in said.words
    )


def _mentions(found: Sequence[Mention], text: str, at: int) -> list[HighlightedMention]:
    """What is mentioned in a text that begins at `at` of the whole."""
    return [
        HighlightedMention(
            type=each.type, start=at + each.start, end=at + each.end, text=text[each.start : each.end]
        )
        for each in found
    ]


def _graph(sentences: Sequence[Evidence]) -> LocalGraph:
    made = cooccurrence.local_graph(
        [(each.type, said.words.text[each.start : each.end]) for each in said.mentions] for said in sentences
    )
    return LocalGraph(
        nodes=[GraphNode(type=each.type, name=each.name, count=each.count) for each in made.nodes],
        edges=[GraphEdge(source=each.source, target=each.target, count=each.count) for each in made.edges],
    )


def _is_in(fact: ChunkFact, evidence: Sequence[Evidence]) -> bool:
    said = fact.source
    return any(
        said.page == each.words.page and said.start < each.words.end and each.words.start < said.end
        for each in evidence
    )


def _fact(fact: ChunkFact) -> QuotedFact:
    said = fact.source
    return QuotedFact(
        subject=fact.subject,
        relation=fact.relation,
        object=fact.object,
        confidence=said.confidence,
        document=said.place.document.value,
        title=said.place.title,
        page=said.page.value,
        page_number=said.page_number,
        start=said.start,
        end=said.end,
        text=said.text,
    )
