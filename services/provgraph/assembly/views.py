"""OpenViews: a store, indexes and an endpoint that hold what some documents of a collection say, and nothing else.

A question asked over a view finds what it would find had the other documents never existed, down to the scores: there
is nothing else that it could read. A view is built when somebody first asks for it, and thrown away when its collection
has changed or others are used more.
"""

from __future__ import annotations

import asyncio
import shutil
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from anyio import from_thread, to_thread

from provgraph.adapters.data_folder import DataFolder
from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.adapters.sparql_processes.endpoint import SparqlProcesses
from provgraph.assembly.indexes import Indexes, chosen_indexes
from provgraph.assembly.stores import sparql_limits
from provgraph.catalogue.decisions import read_decisions
from provgraph.ingestion.removal.document_closure import DocumentClosure, read_closure
from provgraph.ports.quad_store import QuadPattern, QuadStore, WriteUnit
from provgraph.provenance.access import view_quads
from provgraph.rdf.graphs import CollectionGraphs, collection_graphs
from provgraph.rdf.iris import collection_iri, document_of_page
from provgraph.rdf.terms import NamedNode, Quad, nodes_of
from provgraph.rdf.vocabulary import PROV, TG

if TYPE_CHECKING:  # an assembly makes its views here
    from provgraph.assembly.process import Assembly

MOST_VIEWS: Final = 16
_LINKED: Final = (PROV.was_associated_with, PROV.was_attributed_to, TG.received_in)
"""What leads from a node of a document to one that other documents may share."""

ViewKey = tuple[str, frozenset[NamedNode], int]
"""The collection, the documents, and how often the collection had changed."""


@dataclass
class View:
    """What is read of some documents; `users` are the apps that it is open for."""

    folder: DataFolder
    store: OxigraphQuadStore
    main: Assembly
    users: int = 0

    @cached_property
    def indexes(self) -> Indexes:
        return chosen_indexes(self.main.settings, None, self.folder, self.store, self.main.library)

    @cached_property
    def sparql(self) -> SparqlProcesses:
        return SparqlProcesses(self.store, self.folder.snapshots, sparql_limits(self.main.settings))

    async def close(self) -> None:
        """Close what was opened, and leave no file."""
        if "sparql" in vars(self):
            await self.sparql.close()
        if "indexes" in vars(self):
            await self.indexes.own.close()
        await self.store.close()
        await to_thread.run_sync(shutil.rmtree, self.folder.path, True)


@dataclass
class OpenViews:
    """The views of one process, below `folder`, which is emptied when it starts."""

    main: Assembly
    folder: Path
    _open: dict[ViewKey, View] = field(default_factory=dict)
    _building: asyncio.Lock = field(default_factory=asyncio.Lock)
    _changes: Counter[str] = field(default_factory=Counter)
    _count: int = 0

    def __post_init__(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def changed(self, collection: str) -> None:
        """What was read of a collection before is old."""
        self._changes[collection] += 1

    def key(self, collection: str, documents: frozenset[NamedNode]) -> ViewKey:
        return collection, documents, self._changes[collection]

    async def enter(self, key: ViewKey) -> View:
        """The view, built where there is none yet, for one user more."""
        async with self._building:
            if key not in self._open:
                self._open[key] = await self._built(key)
            view = self._open[key] = self._open.pop(key)  # the last one used is the last one in the order
            view.users += 1
            await self._trim()
            return view

    async def leave(self, view: View) -> None:
        view.users -= 1
        async with self._building:
            await self._trim()

    async def forget(self) -> None:
        """Throw away all that nobody uses."""
        async with self._building:
            for key in [key for key, view in self._open.items() if not view.users]:
                await self._open.pop(key).close()

    async def close(self) -> None:
        while self._open:
            await self._open.popitem()[1].close()

    async def _trim(self) -> None:
        """Throw away what nobody uses: views of collections that have changed since, and those that are too many."""
        unused = [key for key, view in self._open.items() if not view.users]
        old = [key for key in unused if key[2] != self._changes[key[0]]]
        too_many = [key for key in unused if key not in old][
            : max(0, len(self._open) - len(old) - MOST_VIEWS)
        ]
        for key in (*old, *too_many):
            await self._open.pop(key).close()

    async def _built(self, key: ViewKey) -> View:
        collection, documents, _ = key
        self._count += 1
        folder = DataFolder(self.folder / str(self._count))
        folder.path.mkdir(parents=True)
        view = View(folder, await to_thread.run_sync(OxigraphQuadStore, folder.store), self.main)
        graphs = collection_graphs(collection, self.main.settings.explain_collection)
        copying = ViewCopying(self.main.store.of(collection), view.store, graphs, documents)
        await copying.copy(collection)
        await self._note(documents, graphs.retrieval, collection)
        return view

    async def _note(self, documents: Collection[NamedNode], graph: NamedNode, collection: str) -> None:
        """Say in the graph of traces which documents the view holds: sessions name it."""
        marker, *others = view_quads(documents, graph)
        if not (await self.main.store.of(collection).contains([marker]))[0]:
            await self.main.store.of(collection).add_absent([WriteUnit(marker, tuple(others))])


@dataclass(frozen=True)
class ViewCopying:
    """Copies what some documents of a collection say from one store to another, empty one."""

    source: QuadStore
    target: QuadStore
    graphs: CollectionGraphs
    documents: frozenset[NamedNode]

    async def copy(self, collection: str) -> None:
        if not self.documents:
            return
        own = QuadPattern(collection_iri(collection), None, None, self.graphs.source)
        await self.target.add((await self.source.match([own]))[0])
        for document in sorted(self.documents, key=str):
            quads = await to_thread.run_sync(self._of_document, document)
            await self.target.add([*quads, *await self._linked(quads)])
        await self._copy_decisions()

    def _of_document(self, document: NamedNode) -> list[Quad]:
        """In a worker thread: a document with all that was read of it, and the facts."""
        closure = read_closure(_ReaderInThread(self.source), document, self.graphs.source)
        if closure is None:
            return []
        quads = [
            quad for node in closure.nodes if self._is_visible(closure, node) for quad in closure.quads[node]
        ]
        facts = [fact for subgraph in closure.subgraphs for fact in closure.facts(subgraph)]
        asserted = [
            Quad(f.subject, f.predicate, f.object, self.graphs.knowledge) for f in dict.fromkeys(facts)
        ]
        return [*(quad for quad in quads if self._may_say(quad)), *asserted]

    def _is_visible(self, closure: DocumentClosure, node: NamedNode) -> bool:
        """Not how alike the document is to one that is not in the view."""
        return all(
            NamedNode(document_of_page(origin)) in self.documents
            for origin in nodes_of(closure.quads[node], PROV.was_derived_from)
            if "/version/" in origin.value
        )

    def _may_say(self, quad: Quad) -> bool:
        return quad.predicate != TG.similar_to or quad.object in self.documents

    async def _linked(self, quads: Iterable[Quad]) -> list[Quad]:
        """Agents and receipts."""
        nodes = {
            quad.object for quad in quads if quad.predicate in _LINKED and isinstance(quad.object, NamedNode)
        }
        patterns = [QuadPattern(node, None, None, self.graphs.source) for node in sorted(nodes, key=str)]
        return [quad for quads in await self.source.match(patterns) for quad in quads]

    async def _copy_decisions(self) -> None:
        """What people decided of entities that the view has all of."""
        decisions = await read_decisions(self.source, self.graphs.source)
        for decision in decisions:
            nodes = [NamedNode(entity) for entity in decision.entities]
            patterns = [QuadPattern(node, None, None, self.graphs.knowledge) for node in nodes]
            if all(await self.target.match(patterns, limit=1)):
                pattern = QuadPattern(decision.iri, None, None, self.graphs.source)
                await self.target.add((await self.source.match([pattern]))[0])


@dataclass(frozen=True)
class _ReaderInThread:
    """A store as a worker thread reads it, which no transaction waits for."""

    store: QuadStore

    def match(self, patterns: Sequence[QuadPattern], limit: int | None = None) -> list[list[Quad]]:
        return from_thread.run(self.store.match, patterns, limit) if patterns else []

    def contains(self, quads: Sequence[Quad]) -> list[bool]:
        return from_thread.run(self.store.contains, quads)
