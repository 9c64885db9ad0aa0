"""A folder with small documents in it, ingested by the real pipeline, and questions asked of them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

from provgraph.assembly import Assembly, assemble
from provgraph.flows.graph_rag.flow import GraphQuestion
from provgraph.flows.runner.events import Finished
from provgraph.ingestion.planning import SourceFile
from provgraph.ports.retriever import RetrievalRequest, RetrievalResult
from provgraph.settings import Settings


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Assembly]:
    assembly = assemble(Settings(extraction_processes=0), folder)
    try:
        yield assembly
    finally:
        await assembly.indexes.own.close()
        await assembly.store.close()


@asynccontextmanager
async def ingested(folder: Path, **texts: str) -> AsyncIterator[Assembly]:
    """Each keyword is a document's title (`_` for a space) and text."""
    async with opened(folder) as assembly:
        await ingest(assembly, **texts)
        yield assembly


async def ingest(assembly: Assembly, **texts: str) -> None:
    records = ({"id": name, "title": name.replace("_", " "), "text": text} for name, text in texts.items())
    content = "\n".join(json.dumps(record, ensure_ascii=False) for record in records).encode()
    async for _ in assembly.ingestion.ingest([SourceFile("documents.jsonl", content)], "default"):
        pass
    async for _ in assembly.indexes.own.embedding("default"):
        pass


async def answer(assembly: Assembly, question: str) -> Finished:
    async with aclosing(assembly.flows.graph_rag.answer(GraphQuestion(question))) as events:
        told = [event async for event in events]
    assert isinstance(told[-1], Finished)
    return told[-1]


async def retrieve(assembly: Assembly, question: str) -> RetrievalResult:
    return await assembly.retriever.retrieve(RetrievalRequest(question))
