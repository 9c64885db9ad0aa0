"""What the trace says of findings: documents with their terms, chunks selected and passed over, evidence, support."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from provgraph.flows.extractive.evidence import Evidence, Findings
from provgraph.flows.extractive.scores import term_scores, told
from provgraph.flows.extractive.statements import Statement
from provgraph.flows.runner.events import CitedSentence
from provgraph.provenance.document_trace import ChunkSupport, PassedOverChunk, SelectedChunk
from provgraph.provenance.extractive_trace import ChunkEvidence, RetrievedDocument
from provgraph.rdf.iris import SessionNames

SELECTOR: Final = "sentence-selector"


def retrieved_documents(found: Findings, parameters: Mapping[str, float]) -> list[RetrievedDocument]:
    hits = [found.passages[document.best].hit for document in found.documents]
    return [
        RetrievedDocument(hit.document, hit.score, f"{told(term_scores(hit, parameters), hit.score)}.")
        for hit in hits
    ]


def selected_chunks(found: Findings) -> list[SelectedChunk]:
    return [_selected(index, found) for index in found.selected]


def passed_over_chunks(found: Findings) -> list[PassedOverChunk]:
    """The chunks of which no sentence is evidence."""
    looked_at = {each.passage for each in found.sentences}
    return [
        PassedOverChunk(
            passage.hit.chunk,
            passage.hit.score,
            "None of its sentences is among the best of its document."
            if index in looked_at
            else "Its document, or what it repeats, is ranked after those that were looked at.",
        )
        for index, passage in enumerate(found.passages)
        if index not in found.selected
    ]


def chunk_evidence(found: Findings) -> list[ChunkEvidence]:
    return [
        ChunkEvidence(found.selected.index(each.passage), each.words.quotation_of_chunk, each.score)
        for each in found.evidence
    ]


def support(said: Statement) -> ChunkSupport:
    return ChunkSupport(
        said.start, said.end, said.chunks, tuple(words.quotation_of_chunk for words in said.words)
    )


def cited(said: Statement, names: SessionNames) -> CitedSentence:
    return CitedSentence(said.start, said.end, (), said.words, tuple(map(names.chunk, said.chunks)))


def _selected(index: int, found: Findings) -> SelectedChunk:
    hit = found.passages[index].hit
    own = [each for each in found.evidence if each.passage == index]
    met = tuple(dict.fromkeys(_terms(own)))
    best = max(own, key=lambda each: each.score)
    reasoning = (
        f"{len(own)} of its sentences {'is' if len(own) == 1 else 'are'} evidence; the best covers {best.coverage:.0%} "
        f"of the question's weight, and {best.density:.0%} of its words are asked for or name something; "
        f"retrieved as number {index + 1}."
    )
    return SelectedChunk(hit.chunk, hit.score, met, reasoning, SELECTOR)


def _terms(evidence: list[Evidence]) -> Iterator[str]:
    for each in evidence:
        yield from each.terms
