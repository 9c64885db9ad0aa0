"""What people write on a collection: a title, a description, tags. Unlike all else here it may be changed."""

from __future__ import annotations

from dataclasses import dataclass

from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.provenance.library import collection_note_quads
from provgraph.rdf.graphs import source_graph
from provgraph.rdf.iris import collection_iri
from provgraph.rdf.terms import Quad, texts_of
from provgraph.rdf.vocabulary import DC, TG


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
