"""Collections: each a knowledge graph and a source graph of its own."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime

from pydantic import ValidationError

from provgraph.errors import Conflict, NotFound, Unavailable
from provgraph.ports.quad_store import QuadPattern, QuadStore, WriteUnit
from provgraph.provenance.library import collection_note_quads, collection_quads, settings_quads
from provgraph.rdf.graphs import (
    DEFAULT_COLLECTION,
    CollectionGraphs,
    collection_graphs,
    collection_name,
    collection_of_source_graph,
    source_graph,
)
from provgraph.rdf.iris import collection_iri
from provgraph.rdf.terms import Literal, Quad, texts_of
from provgraph.rdf.vocabulary import DC, RDF, TG
from provgraph.wire.documents import CollectionSettings

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Collections:
    """The collections of one store. `default` is always there; the others from when they are made. `placed` are those
    that have a part of the store for themselves, when they are there."""

    store: QuadStore
    explain_collection: str
    placed: tuple[str, ...] = ()

    async def names(self) -> list[str]:
        """All collections; of a part that is away those that are placed there, though nothing tells whether they are.

        Raises `Unavailable` where the first part is away, which may have any.
        """
        names, away = {DEFAULT_COLLECTION}, list[QuadStore]()
        first, *others = self.store.shards
        graphs = await first.graph_names()
        for part in others:
            try:
                graphs += await part.graph_names()
            except Unavailable:
                away.append(part)
        names |= {name for graph in graphs if (name := collection_of_source_graph(graph.value))}
        return sorted(names | {name for name in self.placed if self.store.of(name) in away})

    async def make(self, name: str, at: datetime) -> bool:
        """Make a collection where there is none of this name; tells whether it was made now.

        Raises `Conflict` for the name under which traces are kept: its library holds the answers' texts.
        """
        self.require_not_reserved(name)
        graph = source_graph(collection_name(name))
        quads = collection_quads(collection_iri(name), name, at, graph)
        (made,) = await self.store.add_absent([WriteUnit(quads[0], tuple(quads))])
        return made

    async def require(self, name: str) -> CollectionGraphs:
        """The graphs of a collection; raises `NotFound` when there is none of this name."""
        graphs = collection_graphs(collection_name(name), self.explain_collection)
        if name not in (DEFAULT_COLLECTION, self.explain_collection):
            marker = Quad(collection_iri(name), RDF.type, TG.Collection, graphs.source)
            if not (await self.store.contains([marker]))[0]:
                known = ", ".join((await self.names())[:10])
                raise NotFound(
                    f"There is no collection {name!r}. Ingest something into it first, or use one of: {known}."
                )
        return graphs

    async def settings(self, name: str) -> CollectionSettings:
        """How a collection is to be read and asked; settings that an import brought and that cannot be read are none.

        Raises `NotFound` for a collection that there is not.
        """
        graphs = await self.require(name)
        quads = await self._settings(name, graphs)
        kept = [quad.object.value for quad in quads if isinstance(quad.object, Literal)]
        if not kept:
            return CollectionSettings()
        try:
            return CollectionSettings.model_validate_json(max(kept))
        except ValidationError as error:
            logger.warning("the settings of collection %s cannot be read: %s", name, error)
            return CollectionSettings()

    async def set(self, name: str, settings: CollectionSettings) -> None:
        """Keep settings in the place of what was set before."""
        graphs = await self.require(name)
        before = await self._settings(name, graphs)
        said = settings.model_dump_json(exclude_defaults=True)
        after = settings_quads(collection_iri(name), said, graphs.source) if said != "{}" else []
        await self.store.add(after)
        await self.store.remove([quad for quad in before if quad not in after])

    async def _settings(self, name: str, graphs: CollectionGraphs) -> list[Quad]:
        (quads,) = await self.store.match(
            [QuadPattern(collection_iri(name), TG.settings, None, graphs.source)]
        )
        return quads

    async def clear(self, name: str) -> None:
        """Remove the facts and the source provenance of a collection, and the collection with them."""
        self.require_not_reserved(name)
        graphs = await self.require(name)
        await self.store.clear([graphs.knowledge, graphs.source])

    def require_not_reserved(self, name: str) -> None:
        """Raises `Conflict` for the name under which traces are kept."""
        if name == self.explain_collection:
            raise Conflict(f"{name!r} is where traces are kept, not a collection. Choose another name.")


@dataclass(frozen=True)
class CollectionNote:
    title: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class CollectionNotes:
    store: QuadStore

    async def of(self, name: str) -> CollectionNote:
        """Empty where nothing was written."""
        quads = await self._written(name)
        return CollectionNote(
            title="".join(texts_of(quads, DC.title)),
            description="".join(texts_of(quads, DC.description)),
            tags=tuple(sorted(texts_of(quads, TG.tag))),
        )

    async def write(self, name: str, note: CollectionNote) -> None:
        """Put the note in the place of the one there is. The collection is there."""
        old = await self._written(name)
        new = collection_note_quads(
            collection_iri(name), note.title, note.description, note.tags, source_graph(name)
        )
        gone = [quad for quad in old if quad not in new]
        if gone:
            await self.store.remove(gone)
        await self.store.add(new)

    async def _written(self, name: str) -> list[Quad]:
        node, graph = collection_iri(name), source_graph(name)
        patterns = [QuadPattern(node, term, None, graph) for term in (DC.title, DC.description, TG.tag)]
        return [quad for quads in await self.store.match(patterns) for quad in quads]
