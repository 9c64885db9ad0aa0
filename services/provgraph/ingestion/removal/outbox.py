"""The list of what is still to be done outside the store: it stands in the store, so it survives a crash.

A change notes, in its own transaction, which contents go from the library and which documents are indexed anew. An
ingest notes what it is about to keep, before it keeps it. The list is worked off after each, and at every start:
what the store uses is left alone, so an entry may be worked off at any time and more than once.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import uuid4

from provgraph.documents.library import Library
from provgraph.errors import NotFound
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.ports.retriever import Retriever
from provgraph.rdf.graphs import retrieval_graph, source_graph
from provgraph.rdf.terms import Literal, NamedNode, Quad
from provgraph.rdf.vocabulary import PROV, RDF, TG

GRAPH: Final = NamedNode("urn:graph:clearing")
"""Beside the three graphs of the collections: neither queried nor exported."""

_CONTENT: Final = NamedNode("urn:trustgraph:clearing:content")
_INDEXED: Final = NamedNode("urn:trustgraph:clearing:indexed")
_COLLECTION: Final = NamedNode("urn:trustgraph:clearing:collection")
_OWNER: Final = NamedNode("urn:trustgraph:clearing:owner")


def clearing_quads(
    collection: str,
    contents: Iterable[NamedNode] = (),
    indexed: Iterable[NamedNode] = (),
    owner: str = "",
) -> list[Quad]:
    """An entry: contents to remove from a collection of the library, and documents to index as they are now.

    `owner` is the ingest that is about to keep these contents.
    """
    entry = NamedNode(f"urn:trustgraph:clearing:{uuid4()}")
    todo = [
        *(Quad(entry, _CONTENT, node, GRAPH) for node in dict.fromkeys(contents)),
        *(Quad(entry, _INDEXED, node, GRAPH) for node in dict.fromkeys(indexed)),
    ]
    owned = [Quad(entry, _OWNER, Literal(owner), GRAPH)] if owner else []
    return [Quad(entry, _COLLECTION, Literal(collection), GRAPH), *owned, *todo] if todo else []


@dataclass
class Arrivals:
    """What one ingest is about to keep: the documents it reads at present. `owner` names the ingest, or the
    process that ingests, where several processes do."""

    collection: str
    documents: list[NamedNode]
    owner: str = ""


class Outbox:
    """Works the list off, one entry at a time; the entries of documents that are being ingested wait for that."""

    def __init__(
        self,
        store: QuadStore,
        library: Library,
        retriever: Callable[[], Retriever],
        explain_collection: str,
    ) -> None:
        """`retriever` is asked for when there is something to index."""
        self._store = store
        self._library = library
        self._retriever = retriever
        self._explain_collection = explain_collection
        self._arriving: Counter[tuple[str, NamedNode]] = Counter()
        self._working = asyncio.Lock()

    async def expect(self, arrivals: Arrivals, contents: dict[NamedNode, Sequence[NamedNode]]) -> None:
        """Note the contents of documents that an ingest is about to keep."""
        async with self._working:
            arrivals.documents += contents
            self._arriving.update((arrivals.collection, document) for document in contents)
            await self._store.of(arrivals.collection).add(
                [
                    quad
                    for document, nodes in contents.items()
                    for quad in clearing_quads(arrivals.collection, [document, *nodes], owner=arrivals.owner)
                ]
            )

    async def settle(self, arrivals: Arrivals) -> None:
        """The ingest has written what it will write: remove what it kept in vain."""
        async with self._working:
            self._arriving.subtract((arrivals.collection, document) for document in arrivals.documents)
            self._arriving += Counter()
            arrivals.documents = []
        await self.work_off(arrivals.owner, arrivals.collection)

    async def work_off(self, owner: str = "", collection: str = "") -> None:
        """Do what can be done of the list. Raises `Unavailable` where it cannot be; it stays on the list then.

        What an ingest of another process is about to keep is left to it; `owner` names one that is over. With
        `collection` only what stands beside it is done, whatever part of the store is away.
        """
        async with self._working:
            for part in [self._store.of(collection)] if collection else self._store.shards:
                await self._work_off(part, owner)

    async def _work_off(self, part: QuadStore, owner: str) -> None:
        (found,) = await part.match([QuadPattern(graph=GRAPH)])
        entries: dict[object, list[Quad]] = defaultdict(list)
        for quad in found:
            entries[quad.subject].append(quad)
        left = {
            (_literal_text(quads, _COLLECTION), node)
            for quads in entries.values()
            if _literal_text(quads, _OWNER) not in ("", owner)
            for node in _nodes(quads, _CONTENT)
        }
        done: list[Quad] = []
        indexed: dict[str, list[NamedNode]] = defaultdict(list)
        for quads in entries.values():
            collection, contents = _literal_text(quads, _COLLECTION), _nodes(quads, _CONTENT)
            is_left = _literal_text(quads, _OWNER) not in ("", owner)
            if is_left or any(self._arriving[collection, node] for node in contents):
                continue
            await self._clear(collection, [node for node in contents if (collection, node) not in left])
            indexed[collection] += _nodes(quads, _INDEXED)
            done += quads
        for collection, documents in indexed.items():
            if documents:
                await self._retriever().follow(collection, documents)
        if done:
            await part.remove(done)

    async def _clear(self, collection: str, contents: Sequence[NamedNode]) -> None:
        used = await self._used(collection, contents)
        await self._library.drop_all(collection, [node for node in contents if node not in used])

    async def _used(self, collection: str, contents: Sequence[NamedNode]) -> set[NamedNode]:
        """The contents that something in the store has as its words."""
        if collection == self._explain_collection:
            return await self._referenced(contents)
        source, retrieval = source_graph(collection), retrieval_graph(self._explain_collection)
        described = await self._store.match([QuadPattern(node, RDF.type, None, source) for node in contents])
        quoted = await self._store.of(collection).match(
            [QuadPattern(None, PROV.was_quoted_from, node, retrieval) for node in contents], limit=1
        )
        used = set()
        for node, types, past in zip(contents, described, quoted, strict=True):
            is_document = any(quad.object == TG.Document for quad in types)
            if past or (types and not (is_document and await self._is_superseded(collection, node))):
                used.add(node)
        return used

    async def _is_superseded(self, collection: str, document: NamedNode) -> bool:
        """Whether a document's bytes are kept under its version, and under its own name only from an older time."""
        pattern = QuadPattern(None, PROV.specialization_of, document, source_graph(collection))
        (quads,) = await self._store.match([pattern], limit=1)
        for quad in quads:
            try:
                await self._library.content(collection, NamedNode(str(quad.subject)[1:-1]))
            except NotFound:
                return False
        return bool(quads)

    async def _referenced(self, contents: Sequence[NamedNode]) -> set[NamedNode]:
        """The answers, prompts and replies that a trace points to; an answer that was redacted does so in vain."""
        graph = retrieval_graph(self._explain_collection)
        used = set()
        for node in contents:
            links = (TG.document, TG.prompt, TG.reply)
            found = await self._store.match([QuadPattern(None, link, node, graph) for link in links])
            steps = [quad.subject for quads in found for quad in quads if isinstance(quad.subject, NamedNode)]
            redacted = await self._store.match(
                [QuadPattern(step, TG.redacted_in, None, graph) for step in steps]
            )
            if any(not quads for quads in redacted):
                used.add(node)
        return used


def _literal_text(quads: Iterable[Quad], predicate: NamedNode) -> str:
    """The literal of an entry; empty where there is none."""
    said = (quad.object for quad in quads if quad.predicate == predicate)
    return next((term.value for term in said if isinstance(term, Literal)), "")


def _nodes(quads: Iterable[Quad], predicate: NamedNode) -> list[NamedNode]:
    return [
        quad.object for quad in quads if quad.predicate == predicate and isinstance(quad.object, NamedNode)
    ]
