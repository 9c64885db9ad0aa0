"""Chunks that an extractor could not read, noted in the store until it has read them."""

from __future__ import annotations

from dataclasses import dataclass

from pyoxigraph import NamedNode, Quad

from provgraph.errors import ProvGraphError
from provgraph.extraction.facts import ExtractorProfile
from provgraph.extraction.planning import PlannedChunk
from provgraph.extraction.recording import Recorder
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.iris import agent_iri
from provgraph.rdf.vocabulary import PROV, TG


@dataclass(frozen=True)
class FailedChunks:
    """A chunk has at most one note for each extractor: that of the last attempt."""

    recorder: Recorder
    store: QuadStore

    async def note(self, chunk: PlannedChunk, extractor: ExtractorProfile, failure: ProvGraphError) -> None:
        before = await self._notes(chunk, extractor)
        quads = self.recorder.attempt(chunk, extractor, str(failure))
        await self.store.add(quads)
        await self._remove([quad for quad in before if quad not in quads])

    async def forget(self, chunk: PlannedChunk, extractor: ExtractorProfile) -> None:
        """What the extractor has read now, with whatever prompt and model, did not fail."""
        await self._remove(await self._notes(chunk, extractor))

    async def _notes(self, chunk: PlannedChunk, extractor: ExtractorProfile) -> list[Quad]:
        graph, agent = self.recorder.graphs.source, agent_iri(extractor.name)
        (used,) = await self.store.match([QuadPattern(None, PROV.used, chunk.iri, graph)])
        activities = [quad.subject for quad in used if isinstance(quad.subject, NamedNode)]
        described = await self.store.match([QuadPattern(node, graph=graph) for node in activities])
        return [quad for quads in described if _failed(quads, agent) for quad in quads]

    async def _remove(self, quads: list[Quad]) -> None:
        if quads:
            await self.store.remove(quads)


def _failed(quads: list[Quad], agent: NamedNode) -> bool:
    failed = any(quad.predicate == TG.failure for quad in quads)
    return failed and any(
        quad.predicate == PROV.was_associated_with and quad.object == agent for quad in quads
    )
