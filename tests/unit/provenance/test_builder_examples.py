"""Each builder makes exactly the Turtle that its docstring shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

import pytest
from pyoxigraph import NamedNode, Quad, Triple

from provgraph.ports.language_model import TokenUsage
from provgraph.ports.retriever import Without
from provgraph.provenance import (
    access,
    candidates,
    change,
    circumstances,
    document_trace,
    library,
    model_calls,
    papers,
    receipt,
    records,
    resolution,
    source,
    trace,
    trace_annotations,
    verification_trace,
)
from provgraph.provenance.candidates import (
    CandidateKind,
    RejectedEdge,
    RelevanceVerdict,
    noted_edge_quads,
    rejected_edge_quads,
)
from provgraph.provenance.change import ChangeRecord, PastQuotation, PurgeRecord
from provgraph.provenance.circumstances import Circumstances
from provgraph.provenance.derivation import (
    AnswerKind,
    DerivationStep,
    DerivedAnswer,
    EdgeInput,
    FactInput,
    StepInput,
    short_answer_quads,
)
from provgraph.provenance.document_trace import (
    ChunkEvidence,
    ChunkQuotation,
    ChunkSupport,
    RejectedChunk,
    RetrievedDocument,
    SelectedChunk,
)
from provgraph.provenance.flows import DOCUMENT_RAG, VERIFICATION
from provgraph.provenance.library import DepositRecord, ProcessingOutcome, ProcessingRecord
from provgraph.provenance.model_calls import Usage
from provgraph.provenance.papers import BuildRecord, GapRecord, SimilarityRecord
from provgraph.provenance.receipt import ReceivedFile
from provgraph.provenance.resolution import DecisionRecord, ResolutionUse
from provgraph.provenance.resolution import ResolutionVerdict as Decided
from provgraph.provenance.source import (
    ChunkRecord,
    Component,
    DocumentRecord,
    PageRecord,
    Pair,
    QuotationRecord,
    SubgraphRecord,
    recognition_quads,
)
from provgraph.provenance.trace import (
    Origin,
    RankedBy,
    RetrievalPath,
    Selected,
    SentenceSupport,
    SessionOutcome,
    TraceScope,
)
from provgraph.provenance.verification_trace import (
    ClaimJudgement,
    JudgedElement,
    JudgedSentence,
    Label,
    Stance,
    Stand,
)
from provgraph.rdf.graphs import collection_graphs
from provgraph.rdf.iris import SessionNames, resolution_iri
from provgraph.rdf.vocabulary import PREFIXES, TG
from unit.provenance.turtle_examples import BASE, BUILDERS, as_stored, example, triples

AT: Final = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
LATER: Final = datetime(2026, 1, 2, 3, 4, 6, tzinfo=UTC)
FEBRUARY: Final = datetime(2026, 2, 1, tzinfo=UTC)
GRAPHS: Final = collection_graphs()
SCOPE: Final = TraceScope(SessionNames("1"), GRAPHS.retrieval)


def node(path: str) -> NamedNode:
    return NamedNode(BASE + path)


def entity(name: str) -> NamedNode:
    return NamedNode(PREFIXES["e"] + name)


DOC, VERSION, SUBGRAPH = node("doc"), node("doc/version/9f86d0"), node("subgraph")
PAGE = PageRecord(node("doc/version/9f86d0/page/1"), DOC, VERSION, 1)
CHUNK = node("doc/chunk/2c26b4-0")
FACT = Triple(entity("curie"), entity("discovered"), entity("polonium"))
GUIDED = Component(
    "guided", "Ontology-guided extractor", "1", "a-model", NamedNode("https://example.org/chemistry")
)
QUOTATION = QuotationRecord(
    node("subgraph/quotation/0"), PAGE.iri, 0, "Curie discovered polonium.", 0.8, (FACT,)
)
SELECTED = Selected(
    FACT, 0.87, ("polonium",), "Meets 2 of 2 terms: discovered, polonium.", "evidence-selector", 9.0
)
CHANGE = NamedNode("urn:trustgraph:change:1")
BUILD = NamedNode("urn:trustgraph:build:1")
CONVERSATION = NamedNode("urn:trustgraph:conversation:1")
RECORD = ChangeRecord(CHANGE, DOC, NamedNode("urn:trustgraph:collection:papers"), "ada", AT)
REMOVED = {
    TG.removed_pages: 1,
    TG.removed_chunks: 2,
    TG.removed_subgraphs: 2,
    TG.removed_facts: 12,
    TG.kept_facts: 3,
    TG.removed_entities: 4,
    TG.stale_answers: 1,
    TG.redacted_answers: 0,
}
REVISED = {TG.kept_chunks: 7, TG.changed_chunks: 1, TG.added_chunks: 0, TG.removed_chunks: 1}
PAST = PastQuotation(
    QUOTATION.iri,
    PAGE.iri,
    1,
    DOC,
    "Radioactive substances",
    0,
    "Curie discovered polonium.",
    "0.8",
)
PASSED_OVER = RejectedEdge(
    Triple(entity("curie"), entity("born-in"), entity("warsaw")), 0.12, "Scored below the 25 selected.", 1.0
)

MADE: dict[str, Sequence[Quad]] = {
    "collection_quads": library.collection_quads(
        NamedNode("urn:trustgraph:collection:papers"), "papers", AT, GRAPHS.source
    ),
    "settings_quads": library.settings_quads(
        NamedNode("urn:trustgraph:collection:papers"), '{"engine":"model-free"}', GRAPHS.source
    ),
    "check_quads": candidates.check_quads(
        SCOPE, RelevanceVerdict(False, "The edges are about radium.", "a-model")
    ),
    "reformulation_quads": candidates.reformulation_quads(
        SCOPE, "Who found the element polonium?", "a-model"
    ),
    "reranking_quads": candidates.reranking_quads(SCOPE, CandidateKind.EDGES, 2, "a-model", "retrieval"),
    "document_quads": source.document_quads(
        DocumentRecord(
            iri=DOC,
            version=VERSION,
            content_hash="9f86d0",
            title="Radioactive substances",
            media_type="application/pdf",
            page_count=2,
            creators=("M. Curie",),
            date="1903",
            source="thesis.pdf",
            identifiers=("doi:10.1000/182",),
            abstract="A thesis on radium and polonium.",
        ),
        Component("reader", "ProvGraph reader", "1"),
        AT,
        GRAPHS.source,
    ),
    "metadata_quads": source.metadata_quads(DOC, [("company", "PepsiCo")], GRAPHS.source),
    "page_quads": source.page_quads(PAGE, GRAPHS.source),
    "recognition_quads": recognition_quads(
        replace(
            PAGE,
            recogniser=Component("tesseract", "tesseract", "5.3.0 languages=eng layout=3"),
            confidence=0.93,
        ),
        AT,
        GRAPHS.source,
    ),
    "chunking_quads": source.chunking_quads(
        PAGE, Component("chunker", "ProvGraph chunker", "1 size=1000 overlap=100"), AT, GRAPHS.source
    ),
    "chunk_quads": source.chunk_quads(ChunkRecord(CHUNK, PAGE.iri, 0, 0, 812), GRAPHS.source),
    "subgraph_quads": [
        quad
        for quad in source.subgraph_quads(
            SubgraphRecord(SUBGRAPH, CHUNK, (FACT,), (), TokenUsage(900, 120, 640)),
            GUIDED,
            AT,
            GRAPHS,
        )
        if quad.graph_name == GRAPHS.source
    ],
    "attempt_quads": source.attempt_quads(
        SUBGRAPH,
        CHUNK,
        Component("agent", "ProvGraph agent extractor", "1", "a-model"),
        "The model did not answer in 120 s. Try later.",
        AT,
        GRAPHS.source,
    ),
    "quotation_quads": list(source.quotation_quads(SUBGRAPH, [QUOTATION], GRAPHS.source)),
    "pair_quads": source.pair_quads(
        QUOTATION.iri, Pair("Who discovered polonium?", "Curie", "3.1(a)"), GRAPHS.source
    ),
    "session_quads": trace.session_quads(SCOPE, "Who discovered polonium?", "default", AT),
    "circumstance_quads": circumstances.circumstance_quads(
        TraceScope(SessionNames("2"), GRAPHS.retrieval),
        Circumstances(
            ("edge_limit=10",), Without((DOC,), (FACT,)), SCOPE.names.session, "and when did she die?"
        ),
    ),
    "grounding_quads": trace.grounding_quads(SCOPE, ["polonium"]),
    "retrieval_quads": trace.retrieval_quads(SCOPE, 50, [entity("polonium")]),
    "ranking_quads": trace.ranking_quads(
        SCOPE.names.step("retrieval"), RankedBy("bm25", {"k1": 1.5}), SCOPE.graph
    ),
    "retrieval_path_quads": list(
        trace.retrieval_path_quads(
            SCOPE.names.edge(0), RetrievalPath("exact label", ("Pierre Curie", "Marie Curie")), SCOPE.graph
        )
    ),
    "selection_quads": trace.selection_quads(SCOPE, [SELECTED]),
    "rejected_edge_quads": list(rejected_edge_quads(SCOPE, [PASSED_OVER])),
    "noted_edge_quads": list(
        noted_edge_quads(
            SCOPE.names.candidate(0),
            ("0", "0.12", "Scored below the 25 selected.", "", "", "1.0"),
            SCOPE.graph,
        )
    ),
    "answer_quads": trace.answer_quads(SCOPE),
    "answer_hash_quads": trace.answer_hash_quads(SCOPE, b"foo"),
    "access_quads": access.access_quads(
        access.AccessRecord("9f86d0", AT, "ada", "ask", "POST /api/v1/graph-rag", 200, ["default"])
    ),
    "principal_quads": access.principal_quads("ada", "{}"),
    "reader_quads": access.reader_quads(DOC, ["cardiology"], GRAPHS.source),
    "asker_quads": access.asker_quads(SCOPE, access.Asker("ada", NamedNode("urn:trustgraph:view:1"))),
    "view_quads": access.view_quads([DOC], GRAPHS.retrieval),
    "record_quads": records.record_quads(1, "{}", "c2ln", "ZW50"),
    "receipt_quads": receipt.receipt_quads(
        node("doc/receipt/2c26b4"),
        DOC,
        ReceivedFile("papers.nq", "2c26b4", Component("rdf-import", "ProvGraph RDF import", "1"), AT),
        GRAPHS.source,
    ),
    "received_quads": receipt.received_quads(SUBGRAPH, node("doc/receipt/2c26b4"), GRAPHS.source),
    "support_quads": trace.support_quads(
        SCOPE, [SentenceSupport(0, 26, (SCOPE.names.edge(0),), (QUOTATION.iri,), 0.75, Origin.GENERATED)]
    ),
    "short_answer_quads": short_answer_quads(
        SCOPE,
        DerivedAnswer(
            "2",
            AnswerKind.COUNT,
            (
                DerivationStep(
                    "select objects",
                    (
                        EdgeInput(0),
                        FactInput(Triple(entity("curie"), entity("discovered"), entity("radium"))),
                    ),
                    "polonium, radium",
                    "What Curie discovered, by two facts.",
                    "SELECT ?element { ?who ?discovered ?element }",
                ),
                DerivationStep("count", (StepInput(0),), "2", "There are two."),
            ),
        ),
    ),
    "call_quads": model_calls.call_quads(
        SCOPE.names, "answer", Usage("m", 512, 40, 900), "5feceb66ffc8", SCOPE.graph
    ),
    "warning_quads": model_calls.warning_quads(
        SCOPE.names,
        "selection",
        ["The model failed. The edges were selected without it."],
        SCOPE.graph,
    ),
    "purge_quads": change.purge_quads(
        PurgeRecord(NamedNode("urn:trustgraph:purge:1"), AT, 3), FEBRUARY, SCOPE.graph
    ),
    "purging_quads": change.purging_quads(
        NamedNode("urn:trustgraph:purge:1"), [SessionNames("1").session], SCOPE.graph
    ),
    "ignored_quads": model_calls.ignored_quads(SCOPE.names, "selection", 2, SCOPE.graph),
    "deletion_quads": change.deletion_quads(RECORD, REMOVED, GRAPHS.source),
    "revision_quads": change.revision_quads(
        RECORD, REVISED, (node("doc/version/2c26b4"), VERSION), GRAPHS.source
    ),
    "replacement_quads": change.replacement_quads(RECORD, {TG.removed_subgraphs: 2}, GRAPHS.source),
    "loss_quads": change.loss_quads(SCOPE.names.edge(0), CHANGE, SCOPE.graph),
    "stale_reason_quads": change.stale_reason_quads(
        SCOPE.names, "1 of 2 edges lost a source, as <doc> was deleted.", SCOPE.graph
    ),
    "invalidation_quads": change.invalidation_quads(SCOPE.names, CHANGE, AT, SCOPE.graph),
    "redacted_reformulation_quads": change.redacted_reformulation_quads(SCOPE.names, SCOPE.graph),
    "redaction_quads": change.redaction_quads(SCOPE.names, CHANGE, SCOPE.graph),
    "contradiction_quads": trace_annotations.contradiction_quads(SCOPE.names.edge(0), [FACT], SCOPE.graph),
    "doubt_quads": trace_annotations.doubt_quads(
        SCOPE.names, ["A fact that was read later contradicts it."], SCOPE.graph
    ),
    "past_quotation_quads": change.past_quotation_quads(SCOPE.names, SCOPE.names.edge(0), PAST, SCOPE.graph),
    "decision_quads": resolution.decision_quads(
        DecisionRecord(
            resolution_iri("1"),
            Decided.SAME,
            (entity("who"), entity("world-health-organization")),
            "ada",
            AT,
        ),
        GRAPHS.source,
    ),
    "undoing_quads": resolution.undoing_quads(resolution_iri("1"), "ada", AT, GRAPHS.source),
    "resolution_quads": resolution.resolution_quads(
        SCOPE,
        [
            ResolutionUse(
                (entity("who"), entity("world-health-organization")),
                "abbreviation",
                "World Health Organization = WHO (abbreviation, read in “Health”).",
                (QUOTATION.iri,),
                resolution_iri("1"),
            )
        ],
    ),
    "similarity_quads": papers.similarity_quads(
        SimilarityRecord(
            NamedNode("urn:trustgraph:similarity:1"),
            (DOC, node("other")),
            (VERSION, node("other/version/2c26b4")),
            0.61,
            "cosine of mean chunk vectors",
            "lexical",
        ),
        AT,
        GRAPHS.source,
    ),
    "build_quads": papers.build_quads(
        BuildRecord(
            BUILD, NamedNode("urn:trustgraph:collection:papers"), "document layout analysis", AT, LATER
        ),
        GRAPHS.source,
    ),
    "gap_quads": papers.gap_quads(
        GapRecord(
            NamedNode("urn:trustgraph:gap:1"),
            "Radioactive substances",
            "The paper was withdrawn. Ask its authors for it.",
            "https://arxiv.org/pdf/1903.00001v1",
        ),
        BUILD,
        GRAPHS.source,
    ),
    "conversation_quads": papers.conversation_quads(
        CONVERSATION, NamedNode("urn:trustgraph:collection:papers"), AT, GRAPHS.retrieval
    ),
    "asked_papers_quads": papers.asked_papers_quads(SCOPE, [DOC], CONVERSATION),
    "ending_quads": trace.ending_quads(
        SCOPE,
        SessionOutcome.FAILED,
        LATER,
        "The model could not be reached. Check its address, then ask again.",
    ),
}


DOCUMENTS: Final = TraceScope(SessionNames("1", "docrag"), GRAPHS.retrieval, DOCUMENT_RAG)
MADE |= {
    "chunk_retrieval_quads": document_trace.chunk_retrieval_quads(DOCUMENTS, 40),
    "chunk_selection_quads": document_trace.chunk_selection_quads(
        DOCUMENTS,
        [
            SelectedChunk(
                CHUNK,
                0.87,
                ("polonium",),
                "Meets 2 of 2 terms: discovered, polonium.",
                "passage-selector",
                9.0,
            )
        ],
    ),
    "rejected_chunk_quads": list(
        document_trace.rejected_chunk_quads(
            DOCUMENTS,
            [
                RejectedChunk(
                    node("doc/chunk/9f86d0-0"), 0.12, "Its best sentence covers 10% of the question's weight."
                )
            ],
        )
    ),
    "chunk_support_quads": document_trace.chunk_support_quads(
        DOCUMENTS,
        [
            ChunkSupport(
                0,
                26,
                (0,),
                (ChunkQuotation(DOC, PAGE.iri, 1, CHUNK, 0, 12, 38),),
                0.75,
                origin=Origin.QUOTED,
            )
        ],
    ),
    "document_retrieval_quads": document_trace.document_retrieval_quads(
        DOCUMENTS,
        20,
        RankedBy("term-frequency", {"weight": 2.0, "factual": 1.0}),
        [RetrievedDocument(DOC, 9.0, "polonium 3 × 2 + discovered 1 × 2 + numbers with units 1 × 1 = 9.")],
    ),
    "chunk_evidence_quads": document_trace.chunk_evidence_quads(
        DOCUMENTS, [ChunkEvidence(0, ChunkQuotation(DOC, PAGE.iri, 1, CHUNK, 0, 12, 38), 0.83)], 2
    ),
    "deposit_quads": library.deposit_quads(
        DepositRecord(DOC, "9f86d0", "Radioactive substances", "application/pdf", "A thesis", ("physics",)),
        AT,
        GRAPHS.source,
    ),
    "processing_quads": library.processing_quads(
        ProcessingRecord("p1", DOC, "default", ("physics",)), AT, GRAPHS.source
    ),
    "processed_quads": library.processed_quads(
        "p1",
        ProcessingOutcome.FAILED,
        "The document holds no text. Give a document with text in it.",
        LATER,
        GRAPHS.source,
    ),
    "collection_note_quads": library.collection_note_quads(
        NamedNode("urn:trustgraph:collection:papers"), "Papers", "What we read", ["physics"], GRAPHS.source
    ),
}


CLAIMS: Final = TraceScope(SessionNames("1", "claim"), GRAPHS.retrieval, VERIFICATION)
MADE |= {
    "local_graph_quads": verification_trace.local_graph_quads(
        CLAIMS,
        [
            Selected(
                Triple(entity("curie"), entity("discovered"), entity("polonium")),
                0.87,
                ("polonium",),
                "Rank 1 of the local graph.",
                "local-graph",
            )
        ],
    ),
    "verdict_quads": verification_trace.verdict_quads(CLAIMS, ClaimJudgement(Label.REFUTES, 0.8, 1.0)),
    "stance_quads": verification_trace.stance_quads(CLAIMS, [Stand(1, Stance.AGAINST, (0,))]),
    "element_quads": verification_trace.element_quads(
        CLAIMS,
        [
            JudgedElement(
                "1911",
                33,
                37,
                "when",
                "contradicted",
                "another value",
                ChunkQuotation(DOC, PAGE.iri, 1, CHUNK, 0, 12, 38),
            )
        ],
        first_quotation=3,
    ),
    "checked_text_quads": verification_trace.checked_text_quads(CLAIMS, "another assistant", "0.9.0"),
    "checked_claim_quads": verification_trace.checked_claim_quads(
        CLAIMS, [JudgedSentence(12, 38, ClaimJudgement(Label.REFUTES, 0.8, 1.0), (DOC,), False)]
    ),
}


@pytest.mark.parametrize("name", sorted(BUILDERS))
def test_a_builder_makes_what_its_docstring_shows(name: str) -> None:
    assert as_stored(MADE[name]) == triples(example(BUILDERS[name]))


def test_what_a_builder_makes_is_what_a_store_gives_back() -> None:
    quads = [quad.triple for quads in MADE.values() for quad in quads]
    assert set(quads) <= as_stored(Quad(*triple) for triple in quads)
