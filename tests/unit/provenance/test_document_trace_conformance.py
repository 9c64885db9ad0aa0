"""Traces of answers from chunks, and what people bring, conform to the shapes whatever values they hold."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import NamedNode, Quad

from provgraph.checking.shapes import shape_violations
from provgraph.provenance import document_trace, library, trace
from provgraph.provenance.candidates import CandidateKind, reranking_quads
from provgraph.provenance.document_trace import (
    ChunkEvidence,
    ChunkQuotation,
    ChunkSupport,
    RejectedChunk,
    RetrievedDocument,
    SelectedChunk,
)
from provgraph.provenance.flows import DOCUMENT_RAG, EXTRACTIVE
from provgraph.provenance.library import DepositRecord, ProcessingOutcome, ProcessingRecord
from provgraph.provenance.trace import RankedBy, SessionOutcome, TraceScope
from provgraph.rdf.graphs import collection_graphs
from provgraph.rdf.iris import SessionNames, collection_iri

AT: Final = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
GRAPHS: Final = collection_graphs()
SCOPE: Final = TraceScope(
    SessionNames("6ba7b810-9dad-41d1-80b4-00c04fd430c8", "docrag"), GRAPHS.retrieval, DOCUMENT_RAG
)
EXTRACTED: Final = TraceScope(SCOPE.names, GRAPHS.retrieval, EXTRACTIVE)
CHUNK, PAGE = NamedNode("urn:example:chunk"), NamedNode("urn:example:page")
DOC = NamedNode("https://example.org/doc")
texts: Final = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=30)
scores: Final = st.floats(0, 100)


@st.composite
def document_traces(draw: st.DrawFn) -> list[Quad]:
    """A session up to any step, ended or not."""
    words = draw(st.lists(texts, max_size=3))
    agents = st.sampled_from(["passage-selector", "a model"])
    chosen = draw(
        st.lists(st.builds(SelectedChunk, st.just(CHUNK), scores, st.just(tuple(words)), texts, agents))
    )
    passed_over = draw(st.lists(st.builds(RejectedChunk, st.just(CHUNK), scores, texts), max_size=3))
    start = draw(st.integers(0, 1000))
    quotation = ChunkQuotation(DOC, PAGE, 1, CHUNK, 0, start, start + draw(st.integers(1, 99)))
    chunks = draw(st.sampled_from([(), tuple(range(len(chosen)))]))
    overlap = draw(st.none() | st.floats(0, 1))
    sentence = ChunkSupport(0, draw(st.integers(1, 99)), chunks, (quotation,) * len(chunks), overlap)
    steps = [
        trace.session_quads(SCOPE, draw(texts), "default", AT),
        trace.grounding_quads(SCOPE, words),
        document_trace.chunk_retrieval_quads(SCOPE, len(chosen) + len(passed_over)),
        reranking_quads(SCOPE, CandidateKind.CHUNKS, draw(st.integers(0, 99)), draw(agents), "retrieval"),
        document_trace.chunk_selection_quads(SCOPE, chosen, ("retrieval", "reranking")),
        trace.answer_quads(SCOPE),
        document_trace.chunk_support_quads(SCOPE, [sentence, sentence]),
        list(document_trace.rejected_chunk_quads(SCOPE, passed_over)),
    ]
    ending = trace.ending_quads(SCOPE, draw(st.sampled_from(SessionOutcome)), AT, draw(st.just("") | texts))
    reached = draw(st.integers(1, len(steps)))
    return [quad for step in [*steps[:reached], draw(st.sampled_from([[], ending]))] for quad in step]


@st.composite
def extractive_traces(draw: st.DrawFn) -> list[Quad]:
    """A session with documents, evidence of each selected chunk, and an answer of one sentence."""
    documents = draw(st.lists(st.builds(RetrievedDocument, st.just(DOC), scores, texts), max_size=3))
    chosen = draw(
        st.lists(st.builds(SelectedChunk, st.just(CHUNK), scores, st.just(()), texts, texts), max_size=3)
    )
    span = ChunkQuotation(DOC, PAGE, 1, CHUNK, 0, 3, 3 + draw(st.integers(1, 99)))
    evidence = [ChunkEvidence(index, span, draw(st.floats(0, 1))) for index in range(len(chosen))]
    ranked = RankedBy("term-frequency", {"weight": draw(scores), "factual": 1.0})
    cited = ChunkSupport(0, 9, tuple(range(len(chosen))), (span,) * len(chosen))
    return [
        *trace.session_quads(EXTRACTED, draw(texts), "default", AT),
        *trace.grounding_quads(EXTRACTED, draw(st.lists(texts, max_size=3))),
        *document_trace.document_retrieval_quads(EXTRACTED, len(chosen), ranked, documents),
        *document_trace.chunk_selection_quads(EXTRACTED, chosen),
        *trace.answer_quads(EXTRACTED),
        *document_trace.chunk_support_quads(EXTRACTED, [cited]),
        *document_trace.chunk_evidence_quads(EXTRACTED, evidence, len(chosen)),
        *trace.ending_quads(EXTRACTED, SessionOutcome.ANSWERED, AT),
    ]


@st.composite
def library_records(draw: st.DrawFn) -> list[Quad]:
    """A deposit, a processing of it that has ended or not, and a note on a collection."""
    document, tags = (
        NamedNode(f"urn:example:{draw(st.integers(0, 9))}"),
        tuple(draw(st.lists(texts, max_size=3))),
    )
    deposit = DepositRecord(document, "9f86d0", draw(texts), "text/plain", draw(st.just("") | texts), tags)
    processing = ProcessingRecord(draw(texts), document, "papers", tags)
    failure = draw(st.just("") | texts)
    outcome = draw(st.sampled_from(ProcessingOutcome))
    ended = library.processed_quads(processing.name, outcome, failure, AT, GRAPHS.source)
    note = library.collection_note_quads(
        collection_iri("papers"), draw(st.just("") | texts), draw(st.just("") | texts), tags, GRAPHS.source
    )
    return [
        *library.deposit_quads(deposit, AT, GRAPHS.source),
        *library.processing_quads(processing, AT, GRAPHS.source),
        *draw(st.sampled_from([[], ended])),
        *note,
    ]


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(document_traces())
def test_every_trace_of_an_answer_from_chunks_conforms_at_every_step(quads: list[Quad]) -> None:
    assert shape_violations(quads) == []


@settings(max_examples=40, deadline=None)
@given(extractive_traces())
def test_every_trace_of_an_answer_by_extraction_conforms(quads: list[Quad]) -> None:
    assert shape_violations(quads) == []


@settings(max_examples=40, deadline=None)
@given(library_records())
def test_what_people_bring_and_write_conforms(quads: list[Quad]) -> None:
    assert shape_violations(quads) == []
