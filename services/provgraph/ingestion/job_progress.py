"""What is told of a job while its documents are read: the events of its ingest, added up."""

from __future__ import annotations

from dataclasses import asdict

from provgraph.ingestion.events import (
    ChunkFailed,
    ChunksRead,
    DocumentRefused,
    DocumentStored,
    IngestEvent,
    ModelCalled,
    PapersLinked,
    ReadingsReplaced,
)
from provgraph.wire.documents import (
    ChunkChanges,
    FailedChunks,
    Job,
    ModelUse,
    PaperGraphSize,
    RefusedDocument,
    StoredDocument,
)
from provgraph.wire.problem import Problem


def add_event(job: Job, event: IngestEvent) -> None:
    """Add what the event tells to the job."""
    match event:
        case ChunksRead():
            job.file, job.chunks_done, job.chunks_total = event.name, event.done, event.total
        case DocumentStored():
            job.documents.append(
                StoredDocument(
                    id=event.document.value,
                    title=event.title,
                    pages=event.page_count,
                    chunks=event.chunk_count,
                    new_chunks=event.new_chunks,
                    facts=event.fact_count,
                    failed_chunks=event.failed_chunks,
                    changes=ChunkChanges(**asdict(event.changes)) if event.changes else None,
                    warnings=list(event.warnings),
                )
            )
        case PapersLinked():
            job.paper_graph = PaperGraphSize(papers=event.papers, likenesses=event.likenesses)
        case ReadingsReplaced():
            job.retired += event.subgraphs
        case DocumentRefused():
            job.refused.append(RefusedDocument(name=event.name, problem=Problem.of(event.error)))
        case ChunkFailed():
            _note_failure(job, event)
        case ModelCalled():
            job.model = job.model or ModelUse()
            job.model.calls += 1
            job.model.in_tokens += event.usage.in_tokens or 0
            job.model.out_tokens += event.usage.out_tokens or 0
            for fault, count in event.dropped.items():
                job.model.dropped[fault] = job.model.dropped.get(fault, 0) + count


def _note_failure(job: Job, event: ChunkFailed) -> None:
    problem = Problem.of(event.error)
    for failed in job.failed:
        if (failed.name, failed.extractor, failed.problem) == (event.name, event.extractor, problem):
            failed.chunks += 1
            return
    job.failed.append(FailedChunks(name=event.name, extractor=event.extractor, chunks=1, problem=problem))
