"""Files → planned documents whose content is in the library and whose ids stand for nothing else."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass, field

from anyio import to_thread
from pyoxigraph import NamedNode

from provgraph.documents.chunking import ChunkingSettings
from provgraph.documents.library import Library
from provgraph.errors import Conflict, ProvGraphError
from provgraph.extraction.planning import PlannedDocument, SourceFile, planned_documents
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.graphs import source_graph
from provgraph.rdf.vocabulary import PROV

Planned = PlannedDocument | ProvGraphError


@dataclass(frozen=True)
class Intake:
    """Takes files into one collection; small documents are taken together, `chunks` at once or a little more."""

    store: QuadStore
    library: Library
    collection: str
    chunking: ChunkingSettings
    chunks: int
    versions: dict[NamedNode, NamedNode] = field(default_factory=dict)

    async def documents(self, file: SourceFile) -> AsyncGenerator[Planned]:
        """The documents of a file, in order, and in the place of one that is refused its error."""
        coming = planned_documents(file, self.chunking)
        while taken := await to_thread.run_sync(self._taken, coming):
            await self._note_versions(taken)
            checked = [self._checked(planned) for planned in taken]
            await self._keep([planned for planned in checked if isinstance(planned, PlannedDocument)])
            for planned in checked:
                yield planned

    def _taken(self, coming: Iterator[Planned]) -> list[Planned]:
        taken: list[Planned] = []
        chunks = 0
        for planned in coming:
            taken.append(planned)
            chunks += len(planned.chunks) if isinstance(planned, PlannedDocument) else 0
            if chunks >= self.chunks:
                break
        return taken

    async def _note_versions(self, taken: Sequence[Planned]) -> None:
        """Which version each id stands for: the one in the store, else the first one taken."""
        documents = [planned for planned in taken if isinstance(planned, PlannedDocument)]
        graph = source_graph(self.collection)
        patterns = [QuadPattern(None, PROV.specialization_of, planned.iri, graph) for planned in documents]
        for planned, found in zip(documents, await self.store.match(patterns, limit=1), strict=True):
            stored = next((quad.subject for quad in found if isinstance(quad.subject, NamedNode)), None)
            self.versions.setdefault(planned.iri, stored or planned.version)

    def _checked(self, planned: Planned) -> Planned:
        if isinstance(planned, ProvGraphError) or self.versions[planned.iri] == planned.version:
            return planned
        return Conflict(
            f"{planned.source}: the id {planned.iri.value} already stands for a document with other content. "
            "Give this one an id of its own, or ingest it into another collection."
        )

    async def _keep(self, documents: Sequence[PlannedDocument]) -> None:
        contents = {planned.iri: planned.content for planned in documents}
        pages = {page.iri: page.page.text.encode() for planned in documents for page in planned.pages}
        await self.library.keep_all(self.collection, {**contents, **pages})
