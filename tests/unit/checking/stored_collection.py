"""A small collection in a real store and a real library, as extraction and graph-rag write it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from pyoxigraph import NamedNode, Quad, Triple

from provgraph.adapters.folder_contents import FolderContentStore
from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.checking.pipeline import Checker
from provgraph.documents.library import Library
from provgraph.provenance import source, trace
from provgraph.provenance.source import (
    ChunkRecord,
    Component,
    DocumentRecord,
    PageRecord,
    QuotationRecord,
    SubgraphRecord,
)
from provgraph.provenance.trace import Selected, SentenceSupport, SessionOutcome, TraceScope
from provgraph.rdf import literals
from provgraph.rdf.graphs import collection_graphs
from provgraph.rdf.iris import (
    ExtractionIdentity,
    SessionNames,
    chunk_iri,
    digest,
    entity_iri,
    page_iri,
    quotation_iri,
    subgraph_iri,
    version_iri,
)
from provgraph.rdf.vocabulary import RDFS
from provgraph.wire.service import CheckFinding, CheckSummary

PAPERS: Final = collection_graphs("papers")
TEXT: Final = "Curie discovered polonium. 폴로늄은 원소이다."
SENTENCE: Final = "Curie discovered polonium."
AT: Final = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

DOCUMENT: Final = NamedNode("https://example.org/thesis")
VERSION: Final = version_iri(DOCUMENT, digest(TEXT.encode()))
PAGE: Final = PageRecord(page_iri(VERSION, 1), DOCUMENT, VERSION, 1)
CHUNK: Final = chunk_iri(DOCUMENT, TEXT, 0)
SUBGRAPH: Final = subgraph_iri(ExtractionIdentity(CHUNK, "model-free", "1"))
QUOTATION: Final = quotation_iri(SUBGRAPH, 0)
FACT: Final = Triple(entity_iri("Curie"), entity_iri("discovered"), entity_iri("polonium"))
SESSION: Final = SessionNames("5")


def document_quads(at: datetime = AT) -> list[Quad]:
    """The thesis, its one page, and the chunk and subgraph of it, ingested at this moment."""
    graph = PAPERS.source
    labels = tuple(
        Triple(entity_iri(label), RDFS.label, literals.text(label))
        for label in ("Curie", "discovered", "polonium")
    )
    quotation = QuotationRecord(QUOTATION, PAGE.iri, 0, SENTENCE, 0.8, (FACT,))
    return [
        *source.document_quads(
            DocumentRecord(DOCUMENT, VERSION, digest(TEXT.encode()), "A thesis", "text/plain", 1),
            Component("reader", "Reader", "1"),
            at,
            graph,
        ),
        *source.page_quads(PAGE, graph),
        *source.chunking_quads(PAGE, Component("chunker", "Chunker", "1"), at, graph),
        *source.chunk_quads(ChunkRecord(CHUNK, PAGE.iri, 0, 0, len(TEXT)), graph),
        *source.subgraph_quads(
            SubgraphRecord(SUBGRAPH, CHUNK, (FACT, *labels), (quotation,)),
            Component("model-free", "Model-free extractor", "1"),
            at,
            PAPERS,
        ),
    ]


def trace_quads(outcome: SessionOutcome | None = SessionOutcome.ANSWERED) -> list[Quad]:
    """A question about the thesis, answered; without an outcome it is still running."""
    scope = TraceScope(SESSION, PAPERS.retrieval)
    choice = Selected(FACT, 0.87, ("polonium",), "Meets 1 of 1 terms.", "evidence")
    return [
        *trace.session_quads(scope, "Who discovered polonium?", "papers", AT),
        *trace.grounding_quads(scope, ["polonium"]),
        *trace.retrieval_quads(scope, 1, [FACT.object]),  # type: ignore[list-item]
        *trace.selection_quads(scope, [choice]),
        *trace.answer_quads(scope),
        *trace.support_quads(
            scope, [SentenceSupport(0, len(SENTENCE), (scope.names.edge(0),), (QUOTATION,))]
        ),
        *(trace.ending_quads(scope, outcome, AT) if outcome else ()),
    ]


def stated(fact: Triple, graph: NamedNode) -> Quad:
    return Quad(fact.subject, fact.predicate, fact.object, graph)


@dataclass(frozen=True)
class StoredCollection:
    store: OxigraphQuadStore
    library: Library

    @property
    def checker(self) -> Checker:
        return Checker(self.store, self.library, "explainability")

    async def check(self, everything: bool = False) -> tuple[list[CheckFinding], CheckSummary]:
        events = [event async for event in self.checker.check("papers", everything)]
        summary = events.pop()
        assert isinstance(summary, CheckSummary)
        return [event for event in events if isinstance(event, CheckFinding)], summary

    async def rules(self) -> list[str]:
        """The rules that are broken, once each."""
        findings, _ = await self.check()
        return sorted({finding.rule for finding in findings})

    async def replace(self, old: Sequence[Quad], new: Sequence[Quad]) -> None:
        await self.store.remove(old)
        await self.store.add(new)


async def stored_collection(folder: Path) -> StoredCollection:
    """The thesis and the question, whole and right."""
    store, library = OxigraphQuadStore(), Library(FolderContentStore(folder))
    await store.add([*document_quads(), *trace_quads()])
    await library.keep_all("papers", {VERSION: TEXT.encode(), PAGE.iri: TEXT.encode()})
    await library.keep("explainability", SESSION.answer_text, SENTENCE.encode())
    return StoredCollection(store, library)
