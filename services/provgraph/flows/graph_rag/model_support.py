"""Which words of the documents stand behind each sentence of an answer, and whether they really say it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.catalogue.sources import Source
from provgraph.flows.graph_rag.selection import Choice
from provgraph.flows.runner.answers import AnswerSentence
from provgraph.flows.runner.citation_markers import MarkedText, cited_spans
from provgraph.flows.runner.contradictions import contradicted
from provgraph.language.overlap import overlap
from provgraph.language.terms import content_terms, terms
from provgraph.provenance.trace import Origin

MOST_EVIDENCE: Final = 100


@dataclass(frozen=True)
class SupportingEdges:
    """Words of the documents with a number, which is its place from 1: every selected edge that was read from them."""

    text: str
    edges: tuple[int, ...]
    sources: tuple[Source, ...]
    facts: tuple[str, ...]

    def words(self) -> set[str]:
        """What a sentence may say by it: the words, the names that its facts have, and the document's title."""
        titles = (source.place.title for source in self.sources)
        return {term for text in (self.text, *self.facts, *titles) for term in terms(text)}


def evidence_of(choices: Sequence[Choice]) -> list[SupportingEdges]:
    """Each sentence once, in the order of the choices."""
    readings: dict[str, list[tuple[int, Source]]] = {}
    for index, choice in enumerate(choices):
        for source in choice.sources:
            readings.setdefault(" ".join(source.text.split()), []).append((index, source))
    return [_evidence(text, read, choices) for text, read in list(readings.items())[:MOST_EVIDENCE]]


def described(evidence: Sequence[SupportingEdges]) -> str:
    """The evidence as a model reads it: a numbered line for each sentence, its facts beneath."""
    lines: list[str] = []
    for number, edges in enumerate(evidence, 1):
        lines += [f"[{number}] {edges.text}", *(f"    fact: {fact}" for fact in edges.facts)]
    return "\n".join(lines)


def cited_sentences(answer: MarkedText, evidence: Sequence[SupportingEdges]) -> tuple[AnswerSentence, ...]:
    """The sentences of an answer, each with what its markers name, where that says it; else without support."""
    return tuple(
        _sentence(answer.text, span, [evidence[index] for index in cited])
        for span, cited in cited_spans(answer, len(evidence))
    )


def _sentence(text: str, span: tuple[int, int], cited: Sequence[SupportingEdges]) -> AnswerSentence:
    start, end = span
    content = set(content_terms(text[start:end]))
    support = [
        supporting_edges for supporting_edges in cited if not content.isdisjoint(supporting_edges.words())
    ]
    share, enough = overlap(
        text[start:end], {word for supporting_edges in support for word in supporting_edges.words()}
    )
    named = (
        (supporting_edges.sources[0].place.title, supporting_edges.text)
        for supporting_edges in support
        if supporting_edges.sources
    )
    if not enough or contradicted(text[start:end], named):
        return AnswerSentence(start, end, overlap=share, origin=Origin.GENERATED)
    edges = tuple(dict.fromkeys(index for supporting_edges in support for index in supporting_edges.edges))
    return AnswerSentence(start, end, tuple(_places(support)), edges, (), share, Origin.GENERATED)


def _places(cited: Iterable[SupportingEdges]) -> Iterable[Source]:
    return {(source.page, source.start): source for edges in cited for source in edges.sources}.values()


def _evidence(text: str, read: Sequence[tuple[int, Source]], choices: Sequence[Choice]) -> SupportingEdges:
    edges = tuple(dict.fromkeys(index for index, _ in read))
    labels = [choices[index].candidate.labels for index in edges]
    facts = (" | ".join((label.subject, label.relation, label.object)) for label in labels)
    return SupportingEdges(
        text,
        edges,
        tuple({(source.page, source.start): source for _, source in read}.values()),
        tuple(dict.fromkeys(" ".join(fact.split()) for fact in facts)),
    )
