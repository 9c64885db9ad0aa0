"""Retrieval: a question's edges, chunks and documents, from indexes that follow the store.

A question reads the indexes, asks the store whether the edges it found are still asserted, and the library for the
text of the chunks it shows; it never scans provenance.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from anyio import from_thread, to_thread

from provgraph.catalogue.decisions import Decisions, standing_decisions
from provgraph.documents.library import Library
from provgraph.errors import InvalidInput, ModelUnavailable, ProvGraphError
from provgraph.ports.quad_store import QuadStore
from provgraph.ports.retriever import (
    CandidateEdge,
    ChunkHit,
    DocumentHit,
    RetrievalRequest,
    RetrievalResult,
    SentenceSense,
)
from provgraph.rdf.graphs import knowledge_graph, source_graph
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.contents import page_text
from provgraph.retrieval.identity.description import EntityIdentity, ambiguous_entities, named_entities
from provgraph.retrieval.index_sync import Indexed, IndexSync
from provgraph.retrieval.keyword_index import DamagedIndex, Payload
from provgraph.retrieval.methods.method import Method, SearchContext, SearchResult
from provgraph.retrieval.methods.registry import DEFAULT, method_named
from provgraph.retrieval.narrowing import kept, narrowed
from provgraph.retrieval.passages import RankedPassage, documents, explained
from provgraph.retrieval.question import WeightedQuestion, analysed
from provgraph.retrieval.sense.question_sense import QuestionSense, behind, question_sense
from provgraph.retrieval.vectors.index_sync import VectorIndexSync
from provgraph.retrieval.vectors.question_vectors import QuestionVectors, question_vectors

if TYPE_CHECKING:
    from provgraph.retrieval.sense.sentence_index import SentenceIndex
    from provgraph.retrieval.vectors.vector_index import VectorIndex

NO_VECTORS: Final = "This service has no vectors. Use another method."


class GraphRetriever:
    """`Retriever` over indexes below `folder`, one folder for each collection."""

    def __init__(
        self,
        store: QuadStore,
        library: Library,
        folder: Path,
        vectors: VectorIndexSync[VectorIndex] | None = None,
        default_method: str = "",
        senses: VectorIndexSync[SentenceIndex] | None = None,
    ) -> None:
        """Without `vectors` the ways of ranking that read them are refused; without `senses` nothing is found by what
        its sentences mean."""
        self._store = store
        self._library = library
        self._follower = IndexSync(store, library, folder)
        self._vectors = vectors
        self._senses = senses
        self._default_method = default_method
        self._texts = ChunkTexts()
        self._agreed = time.monotonic()

    async def accept(self, request: RetrievalRequest) -> None:
        method_named(request.method or self._default_method).settings(request.parameters)

    async def retrieve(self, request: RetrievalRequest) -> RetrievalResult:
        """Raises `InvalidInput` for a method or a parameter that there is not.

        Where no method is named and the default one lacks vectors, one without them answers, and a warning says so.
        Raises `ModelUnavailable` where a method that is named cannot have the question's vector.
        """
        await self.accept(request)
        method = method_named(request.method or self._default_method)
        warnings: list[str] = []
        try:
            vectors = await self._question_vectors(request, warnings) if method.reads_vectors else None
        except ModelUnavailable as error:
            if request.method:
                raise
            warnings.append(f"Ranked without vectors. {error}")
            method, vectors, request = DEFAULT, None, replace(request, parameters={})
        sense = await self._question_sense(request, warnings)
        decisions = await standing_decisions(self._store, source_graph(request.collection))
        looking = _Looking(request, method, vectors, sense, decisions)
        question, result = await self._ask(looking)
        return RetrievalResult(
            terms=question.told(),
            seeds=tuple(result.seeds),
            edges=await self._asserted(result.edges, request.collection),
            chunks=await self._chunk_hits(result.passages[: request.chunks], request.collection, sense),
            documents=tuple(_document_hits(result.passages)),
            method=method.name,
            warnings=tuple(warnings),
            parameters=method.settings(request.parameters),
        )

    async def follow(self, collection: str, documents: Sequence[NamedNode]) -> None:
        """Index what the documents contain now: all of it, or nothing where one was removed.

        One that is named again and again, as equal records of a file are one document, is indexed once.
        """
        distinct = list(dict.fromkeys(documents))
        await self._follower.follow(collection, distinct)
        for follower in self._followers:
            await follower.follow(collection, distinct)

    async def agree(self) -> None:
        """Follow what other processes have changed in the collections that were asked since the start."""
        begun = time.monotonic()
        try:
            await self._follower.agree()
        finally:
            for follower in self._followers:
                await follower.agree()
        self._agreed = begun

    @property
    def age_s(self) -> float:
        """Seconds since the indexes that are open were last found to agree with the store."""
        return time.monotonic() - self._agreed

    async def reindex(self, collection: str) -> AsyncGenerator[Indexed]:
        """Build the indexes of a collection anew from store and library, vectors last, told step by step."""
        async with aclosing(self._follower.reindex(collection)) as indexing:
            async for step in indexing:
                yield step
        for follower in self._followers:
            async with aclosing(follower.reindex(collection)) as embedding:
                async for step in embedding:
                    yield step

    async def embedding(self, collection: str) -> AsyncGenerator[Indexed]:
        """What is still embedded behind an ingest, told step by step until nothing is."""
        for follower in self._followers:
            async with aclosing(follower.waiting(collection)) as steps:
                async for step in steps:
                    yield step

    async def entities(self, collection: str, name: str) -> list[EntityIdentity]:
        """The entities that are called so, each with its other names and all that it is one with."""
        return await self._described(collection, lambda index, known: named_entities(index, known, name))

    async def ambiguous_entities(self, collection: str, limit: int) -> list[EntityIdentity]:
        """Entities that may be two things, or that a name would join and something keeps apart."""
        return await self._described(collection, lambda index, known: ambiguous_entities(index, known, limit))

    async def _described(
        self, collection: str, describe: Callable[[CollectionIndex, Decisions], list[EntityIdentity]]
    ) -> list[EntityIdentity]:
        decisions = await standing_decisions(self._store, source_graph(collection))
        index = await self._follower.current(collection)
        return await to_thread.run_sync(describe, index, decisions)

    async def forget(self, collection: str) -> None:
        self._texts.forget(collection)
        await self._follower.forget(collection)
        for follower in self._followers:
            await follower.forget(collection)

    async def rewrite(self, collection: str) -> None:
        """Build the keyword index anew, and write the vectors without those that are gone: none is made again."""
        await self._follower.rebuilt(collection)
        for follower in self._followers:
            await follower.rewrite(collection)

    async def close(self) -> None:
        await self._follower.close()
        for follower in self._followers:
            await follower.close()

    @property
    def _followers(self) -> list[VectorIndexSync[VectorIndex] | VectorIndexSync[SentenceIndex]]:
        return [follower for follower in (self._vectors, self._senses) if follower]

    async def _ask(self, looking: _Looking) -> tuple[WeightedQuestion, SearchResult]:
        """The answer of the indexes; those that turn out to be damaged are built anew, once."""
        collection = looking.request.collection
        index = await self._follower.current(collection)
        try:
            return await to_thread.run_sync(self._answer, index, looking)
        except DamagedIndex:
            index = await self._follower.rebuilt(collection)
            if self._vectors and looking.vectors:
                vectors = replace(looking.vectors, index=await self._vectors.rebuilt(collection))
                looking = replace(looking, vectors=vectors)
            if self._senses and looking.sense:
                sense = replace(looking.sense, index=await self._senses.rebuilt(collection))
                looking = replace(looking, sense=sense)
            return await to_thread.run_sync(self._answer, index, looking)

    async def _question_sense(self, request: RetrievalRequest, warnings: list[str]) -> QuestionSense | None:
        if self._senses is None:
            return None
        sense = await question_sense(self._senses, request.question, request.collection, warnings)
        index = await self._follower.current(request.collection)
        if sense and (told := behind(self._senses, sense, request.collection, len(index.chunks))):
            warnings.append(told)
        return sense

    async def _question_vectors(self, request: RetrievalRequest, warnings: list[str]) -> QuestionVectors:
        if self._vectors is None:
            raise InvalidInput(NO_VECTORS)
        return await question_vectors(self._vectors, request, warnings)

    def _answer(self, index: CollectionIndex, looking: _Looking) -> tuple[WeightedQuestion, SearchResult]:
        """What the method found, each passage that is shown with the question's words in it; for a worker thread."""
        request, method = looking.request, looking.method

        def text(payload: Payload) -> str:
            page, start, end = payload["place"]
            return from_thread.run(page_text, self._library, request.collection, NamedNode(page))[start:end]

        index = narrowed(index, request.without)
        question = analysed(request.question, index)
        parameters = method.settings(request.parameters)
        asking = SearchContext(
            question, index, request, text, parameters, looking.vectors, looking.decisions, looking.sense
        )
        result = method.rank(asking)
        result = kept(result, request.without)
        passages = explained(result.passages, question, index, request.chunks)
        return question, replace(result, passages=passages)

    async def _asserted(self, edges: Sequence[CandidateEdge], collection: str) -> tuple[CandidateEdge, ...]:
        if not edges:
            return ()
        graph = knowledge_graph(collection)
        facts = [Quad(e.triple.subject, e.triple.predicate, e.triple.object, graph) for e in edges]
        known = await self._store.contains(facts)
        return tuple(edge for edge, is_known in zip(edges, known, strict=True) if is_known)

    async def _chunk_hits(
        self, ranked: Sequence[RankedPassage], collection: str, sense: QuestionSense | None
    ) -> tuple[ChunkHit, ...]:
        if not ranked:
            return ()
        senses = await to_thread.run_sync(_senses, sense, [passage.chunk for passage in ranked])
        texts = self._texts.of(await self._follower.current(collection), collection)
        places = [_place(passage.payload) for passage in ranked]
        for page in dict.fromkeys(page for page, start, end in places if (page, start, end) not in texts):
            text = await page_text(self._library, collection, NamedNode(page))
            texts.update({place: text[place[1] : place[2]] for place in places if place[0] == page})
        hits = tuple(
            _chunk_hit(passage, texts[place], senses.get(passage.chunk, ()))
            for passage, place in zip(ranked, places, strict=True)
        )
        self._texts.trim(collection)
        return hits


@dataclass(frozen=True)
class _Looking:
    """A request and what it is looked for by."""

    request: RetrievalRequest
    method: Method
    vectors: QuestionVectors | None
    sense: QuestionSense | None
    decisions: Decisions


def _senses(sense: QuestionSense | None, chunks: list[str]) -> dict[str, tuple[SentenceSense, ...]]:
    """The sentences of chunks by their likeness to the question; of none where the vectors turn out to be damaged."""
    if sense is None:
        return {}
    with suppress(DamagedIndex):
        sentences = sense.sentences(chunks)
        return {
            chunk: tuple(SentenceSense(start, end, round(likeness, 4)) for start, end, likeness in said)
            for chunk, said in sentences.items()
        }
    return {}


Place = tuple[str, int, int]
"""The page of a chunk, and where its text begins and ends there."""

_KEPT_TEXTS: Final = 1_000


class ChunkTexts:
    """The texts of the chunks that were asked for last, by their places, as long as nothing is indexed anew: the steps
    of a question come to the same chunks again and again."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[CollectionIndex, dict[Place, str]]] = {}

    def of(self, index: CollectionIndex, collection: str) -> dict[Place, str]:
        """What is kept of a collection as `index` has it."""
        if collection not in self._kept or self._kept[collection][0] is not index:
            self._kept[collection] = index, {}
        return self._kept[collection][1]

    def trim(self, collection: str) -> None:
        """Forget all where that is too many."""
        if collection in self._kept and len(self._kept[collection][1]) > _KEPT_TEXTS:
            self.forget(collection)

    def forget(self, collection: str) -> None:
        self._kept.pop(collection, None)


def _place(payload: Payload) -> Place:
    page, start, end = payload["place"]
    return page, start, end


def _chunk_hit(passage: RankedPassage, text: str, senses: tuple[SentenceSense, ...]) -> ChunkHit:
    payload = passage.payload
    return ChunkHit(
        chunk=NamedNode(payload["chunk"]),
        document=NamedNode(payload["document"]),
        title=payload["title"],
        score=round(passage.score, 4),
        terms=passage.terms,
        text=text,
        how=passage.how,
        senses=senses,
        context=payload.get("context", ""),
    )


def _document_hits(ranked: Sequence[RankedPassage]) -> list[DocumentHit]:
    return [
        DocumentHit(NamedNode(document), best.payload["title"], round(best.score, 4))
        for document, best in documents(ranked).items()
    ]


logger = logging.getLogger(__name__)

AT_MOST_EVERY_S: Final = 2.0
SHARE: Final = 0.05
"""Of the time, that may go into comparing: a large store is compared less often."""


async def keep_agreeing(retriever: GraphRetriever) -> None:
    """Compare again and again, until cancelled."""
    while True:
        begun = time.monotonic()
        try:
            await retriever.agree()
        except ProvGraphError as error:
            logger.warning("the indexes cannot be compared with the store: %s", error)
        except Exception:
            logger.exception("comparing the indexes with the store failed in a way that nobody foresaw")
        spent = time.monotonic() - begun
        await asyncio.sleep(max(AT_MOST_EVERY_S, spent / SHARE))
