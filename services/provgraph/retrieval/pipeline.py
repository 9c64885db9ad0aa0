"""Retrieval: a question's edges, chunks and documents, from indexes that follow the store.

A question reads the indexes, asks the store whether the edges it found are still asserted, and the library for the
text of the chunks it shows; it never scans provenance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from anyio import to_thread
from pyoxigraph import NamedNode, Quad

from provgraph.documents.library import Library
from provgraph.errors import InvalidInput
from provgraph.ports.quad_store import QuadStore
from provgraph.ports.retriever import (
    CandidateEdge,
    ChunkHit,
    DocumentHit,
    RetrievalRequest,
    RetrievalResult,
    Seed,
)
from provgraph.rdf.graphs import knowledge_graph
from provgraph.retrieval import passages
from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.contents import page_text
from provgraph.retrieval.edges import EdgeSearch
from provgraph.retrieval.following import IndexFollower
from provgraph.retrieval.keyword_index import DamagedIndex
from provgraph.retrieval.passages import RankedPassage
from provgraph.retrieval.question import Question, analysed
from provgraph.retrieval.seeds import SeedSearch
from provgraph.retrieval.topic_star import TopicStar

DEFAULT_METHOD: Final = "graph"


@dataclass(frozen=True)
class _Found:
    """What the indexes alone say."""

    question: Question
    seeds: Sequence[Seed]
    edges: Sequence[CandidateEdge]
    passages: Sequence[RankedPassage]


class GraphRetriever:
    """`Retriever` over indexes below `folder`, one folder for each collection."""

    def __init__(self, store: QuadStore, library: Library, folder: Path) -> None:
        self._store = store
        self._library = library
        self._follower = IndexFollower(store, library, folder)

    async def retrieve(self, request: RetrievalRequest) -> RetrievalResult:
        """Raises `InvalidInput` for a method that there is not."""
        method = request.method or DEFAULT_METHOD
        if method not in METHODS:
            raise InvalidInput(f"There is no retrieval method {method!r}. Use one of: {', '.join(METHODS)}.")
        found = await self._ask(request, METHODS[method])
        return RetrievalResult(
            terms=found.question.told(),
            seeds=tuple(found.seeds),
            edges=await self._asserted(found.edges, request.collection),
            chunks=await self._chunk_hits(found.passages[: request.chunks], request.collection),
            documents=tuple(_document_hits(found.passages)),
        )

    async def follow(self, collection: str, documents: Sequence[NamedNode]) -> None:
        """Index what the documents contain now: all of it, or nothing where one was removed."""
        await self._follower.follow(collection, documents)

    async def forget(self, collection: str) -> None:
        await self._follower.forget(collection)

    async def close(self) -> None:
        await self._follower.close()

    async def _ask(
        self, request: RetrievalRequest, method: Callable[[CollectionIndex, RetrievalRequest], _Found]
    ) -> _Found:
        """The answer of the index; one that turns out to be damaged is built anew, once."""
        index = await self._follower.current(request.collection)
        try:
            return await to_thread.run_sync(method, index, request)
        except DamagedIndex:
            index = await self._follower.rebuilt(request.collection)
            return await to_thread.run_sync(method, index, request)

    async def _asserted(self, edges: Sequence[CandidateEdge], collection: str) -> tuple[CandidateEdge, ...]:
        graph = knowledge_graph(collection)
        facts = [Quad(e.triple.subject, e.triple.predicate, e.triple.object, graph) for e in edges]
        known = await self._store.contains(facts)
        return tuple(edge for edge, is_known in zip(edges, known, strict=True) if is_known)

    async def _chunk_hits(self, ranked: Sequence[RankedPassage], collection: str) -> tuple[ChunkHit, ...]:
        texts: dict[str, str] = {}
        for page in dict.fromkeys(passage.payload["place"][0] for passage in ranked):
            texts[page] = await page_text(self._library, collection, NamedNode(page))
        return tuple(_chunk_hit(passage, texts) for passage in ranked)


def _by_graph(index: CollectionIndex, request: RetrievalRequest) -> _Found:
    """Passages by words and names together; edges by words, by the best passages, and around the seeds."""
    question = analysed(request.question, index)
    ranked = passages.fused(
        [passages.by_words(question, index, request.chunks), TopicStar(question, index).ranked()]
    )
    best = ranked[0].score if ranked else 1.0
    standing = {passage.chunk: passage.score / best for passage in ranked}
    search = EdgeSearch(question, index, request.limits, standing)
    readings = search.by_words()
    search.by_passages()
    seeds = SeedSearch(question, index).seeds(request.concepts, readings, request.limits.entities)
    search.expand(seeds)
    return _Found(
        question, seeds, search.ranked(), passages.explained(ranked, question, index, request.chunks)
    )


def _by_names(index: CollectionIndex, request: RetrievalRequest) -> _Found:
    """Passages by names alone; edges by words and by the best passages."""
    question = analysed(request.question, index)
    ranked = TopicStar(question, index).ranked()
    best = ranked[0].score if ranked else 1.0
    search = EdgeSearch(question, index, request.limits, {p.chunk: p.score / best for p in ranked})
    search.by_words()
    search.by_passages()
    return _Found(question, [], search.ranked(), passages.explained(ranked, question, index, request.chunks))


def _by_keywords(index: CollectionIndex, request: RetrievalRequest) -> _Found:
    """Passages and edges by words alone."""
    question = analysed(request.question, index)
    search = EdgeSearch(question, index, request.limits)
    search.by_words()
    ranked = passages.by_words(question, index, request.chunks)
    return _Found(question, [], search.ranked(), passages.explained(ranked, question, index, request.chunks))


METHODS: Final[Mapping[str, Callable[[CollectionIndex, RetrievalRequest], _Found]]] = {
    DEFAULT_METHOD: _by_graph,
    "bm25": _by_keywords,
    "topic-star": _by_names,
}


def _chunk_hit(passage: RankedPassage, texts: Mapping[str, str]) -> ChunkHit:
    payload = passage.payload
    page, start, end = payload["place"]
    return ChunkHit(
        chunk=NamedNode(payload["chunk"]),
        document=NamedNode(payload["document"]),
        title=payload["title"],
        score=round(passage.score, 4),
        terms=passage.terms,
        text=texts[page][start:end],
    )


def _document_hits(ranked: Sequence[RankedPassage]) -> list[DocumentHit]:
    return [
        DocumentHit(NamedNode(document), best.payload["title"], round(best.score, 4))
        for document, best in passages.documents(ranked).items()
    ]
