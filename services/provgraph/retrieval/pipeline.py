"""Retrieval: a question's edges, chunks and documents, from indexes that follow the store."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from shutil import rmtree
from typing import Final

from anyio import to_thread
from pyoxigraph import NamedNode

from provgraph.documents.library import Library
from provgraph.errors import InvalidInput
from provgraph.ports.quad_store import QuadStore
from provgraph.ports.retriever import (
    ChunkHit,
    DocumentHit,
    RetrievalRequest,
    RetrievalResult,
)
from provgraph.rdf.graphs import collection_name, source_graph
from provgraph.rdf.vocabulary import PROV, TG
from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.edges import EdgeSearch
from provgraph.retrieval.following import Follower
from provgraph.retrieval.keyword_index import DamagedIndex, Hit
from provgraph.retrieval.question import Question, analysed
from provgraph.retrieval.seeds import seeds
from provgraph.retrieval.topics import ranked

GRAPH, WORDS_ONLY = "graph", "bm25"
METHODS: Final = (GRAPH, WORDS_ONLY)

FACTS_BY_WORDS: Final = 100
DOCUMENTS_AT_ONCE: Final = 256

_SUBGRAPHS: Final = f"""
SELECT ?graph ?subgraph ?document WHERE {{ GRAPH ?graph {{
  ?subgraph a {TG.Subgraph} ; {PROV.was_derived_from}/{PROV.was_derived_from}/{PROV.was_derived_from} ?document
}} }}
"""
_COUNT: Final = (
    f"SELECT ?graph (COUNT(*) AS ?n) WHERE {{ GRAPH ?graph {{ ?s a {TG.Subgraph} }} }} GROUP BY ?graph"
)


class GraphRetriever:
    """`Retriever` over one index folder per collection. Thread-safe by one lock per process for changes."""

    def __init__(self, store: QuadStore, library: Library, folder: Path) -> None:
        self._store = store
        self._library = library
        self._folder = folder
        self._open: dict[str, CollectionIndex] = {}
        self._changing = asyncio.Lock()

    async def retrieve(self, request: RetrievalRequest) -> RetrievalResult:
        """Raises `InvalidInput` for a method that is none of `METHODS`."""
        method = request.method or GRAPH
        if method not in METHODS:
            raise InvalidInput(f"There is no retrieval method {method!r}. Use one of: {', '.join(METHODS)}.")
        index = await self._current(request.collection)
        try:
            return await to_thread.run_sync(_retrieved, index, request, method)
        except DamagedIndex:
            await self.forget(request.collection)
            index = await self._current(request.collection)
            return await to_thread.run_sync(_retrieved, index, request, method)

    async def follow(self, collection: str, documents: Sequence[NamedNode]) -> None:
        """Index what the documents contain and the index does not."""
        index = await self._current(collection)
        async with self._changing:
            await self._put(index, collection, documents)

    async def forget(self, collection: str) -> None:
        async with self._changing:
            if index := self._open.pop(collection, None):
                await to_thread.run_sync(index.close)
            await to_thread.run_sync(rmtree, self._folder / collection_name(collection), True)

    async def close(self) -> None:
        for index in self._open.values():
            await to_thread.run_sync(index.close)
        self._open.clear()

    async def _current(self, collection: str) -> CollectionIndex:
        """The index of a collection; when it is first used, made to agree with the store."""
        if index := self._open.get(collection):
            return index
        async with self._changing:
            if index := self._open.get(collection):
                return index
            folder = self._folder / collection_name(collection)
            index = await to_thread.run_sync(CollectionIndex, folder)
            index = await self._agreeing(index, collection, folder)
            self._open[collection] = index
            return index

    async def _agreeing(self, index: CollectionIndex, collection: str, folder: Path) -> CollectionIndex:
        graph = source_graph(collection)
        counted = await self._store.select(_COUNT, {"graph": graph})
        in_store = int(str(getattr(counted[0]["n"], "value", 0))) if counted else 0
        if len(index.subgraphs) == in_store:
            return index
        if len(index.subgraphs) > in_store:
            index.close()
            await to_thread.run_sync(rmtree, folder)
            index = await to_thread.run_sync(CollectionIndex, folder)
        rows = await self._store.select(_SUBGRAPHS, {"graph": graph})
        document_of = {str(row["subgraph"].value): row["document"] for row in rows}  # type: ignore[union-attr]
        missing = await to_thread.run_sync(index.missing, list(document_of))
        documents = dict.fromkeys(document_of[subgraph] for subgraph in missing)
        await self._put(index, collection, [node for node in documents if isinstance(node, NamedNode)])
        return index

    async def _put(self, index: CollectionIndex, collection: str, documents: Sequence[NamedNode]) -> None:
        follower = Follower(self._store, self._library, collection)
        coming = iter(documents)
        while batch := list(islice(coming, DOCUMENTS_AT_ONCE)):
            changes = await follower.changes(batch, index.missing)
            await to_thread.run_sync(index.put, changes)


def _retrieved(index: CollectionIndex, request: RetrievalRequest, method: str) -> RetrievalResult:
    question = analysed(request.question, index)
    hits = index.facts.search(question.words, FACTS_BY_WORDS)
    found = seeds(question, index, hits, request.limits.entities) if method == GRAPH else ()
    search = EdgeSearch(question, index, request.limits)
    search.add_by_words(hits)
    search.expand(found)
    chunks = tuple(_chunks(question, index, request.chunks, method))
    return RetrievalResult(question.told(), found, search.ranked(), chunks, tuple(_documents(chunks)))


def _chunks(question: Question, index: CollectionIndex, limit: int, method: str) -> Iterator[ChunkHit]:
    ranking = ranked if method == GRAPH else _by_words
    for hit in ranking(question, index, limit) if limit else ():
        yield ChunkHit(
            chunk=NamedNode(hit.key),
            document=NamedNode(hit.payload["document"]),
            title=hit.payload["title"],
            score=round(hit.score, 4),
            terms=_term_scores(question, index, hit.key),
            text=hit.payload["text"],
        )


def _by_words(question: Question, index: CollectionIndex, limit: int) -> list[Hit]:
    return index.chunks.search(question.words, limit)


def _term_scores(question: Question, index: CollectionIndex, chunk: str) -> tuple[tuple[str, float], ...]:
    """The question's words that the chunk holds, each with its part of the BM25 score, largest first."""
    scores = index.chunks.term_scores(chunk, question.words)
    parts = [
        (term.spelling, round(sum(scores.get(variant, 0.0) for variant in term.variants), 4))
        for term in question.terms
    ]
    return tuple(sorted((part for part in parts if part[1]), key=lambda part: -part[1]))


def _documents(chunks: Sequence[ChunkHit]) -> Iterator[DocumentHit]:
    """Documents by their best chunk."""
    best: dict[NamedNode, list[ChunkHit]] = defaultdict(list)
    for chunk in chunks:
        best[chunk.document].append(chunk)
    for document, found in best.items():
        yield DocumentHit(document, found[0].title, found[0].score)
