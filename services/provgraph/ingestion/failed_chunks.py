"""Chunks that an extractor could not read, noted in the store until it has read them."""

from __future__ import annotations

from dataclasses import dataclass

from provgraph.errors import ProvGraphError
from provgraph.extraction.facts import ExtractorProfile
from provgraph.ingestion.planning import PlannedChunk
from provgraph.ingestion.recording import Recorder
from provgraph.ports.quad_store import QuadPattern, QuadStore, StoreChange, StoreReader
from provgraph.rdf.iris import agent_iri
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import PROV, TG


@dataclass(frozen=True)
class FailedChunks:
    """A chunk has at most one note for each extractor, that of the last attempt; one that is gone has none."""

    recorder: Recorder
    store: QuadStore

    async def note(self, chunk: PlannedChunk, extractor: ExtractorProfile, failure: ProvGraphError) -> None:
        quads = self.recorder.attempt(chunk, extractor, str(failure))

        def decide(reader: StoreReader) -> StoreChange[None]:
            if not all(reader.contains([self.recorder.place(chunk)])):
                return StoreChange(None)
            before = self._notes(reader, chunk, extractor)
            return StoreChange(None, [quad for quad in before if quad not in quads], quads)

        await self.store.transact(decide)

    async def forget(self, chunk: PlannedChunk, extractor: ExtractorProfile) -> None:
        """What the extractor has read now, with whatever prompt and model, did not fail.

        Most chunks never failed, and a decision costs more than a look where several processes share the store.
        """
        graph = self.recorder.graphs.source
        (used,) = await self.store.match([QuadPattern(None, PROV.used, chunk.iri, graph)])
        activities = [quad.subject for quad in used if isinstance(quad.subject, NamedNode)]
        patterns = [QuadPattern(node, TG.failure, None, graph) for node in activities]
        if not any(await self.store.match(patterns, limit=1)):
            return
        await self.store.transact(lambda reader: StoreChange(None, self._notes(reader, chunk, extractor)))

    def _notes(self, reader: StoreReader, chunk: PlannedChunk, extractor: ExtractorProfile) -> list[Quad]:
        graph, agent = self.recorder.graphs.source, agent_iri(extractor.name)
        (used,) = reader.match([QuadPattern(None, PROV.used, chunk.iri, graph)])
        activities = [quad.subject for quad in used if isinstance(quad.subject, NamedNode)]
        described = reader.match([QuadPattern(node, graph=graph) for node in activities])
        return [quad for quads in described if _failed(quads, agent) for quad in quads]


def _failed(quads: list[Quad], agent: NamedNode) -> bool:
    failed = any(quad.predicate == TG.failure for quad in quads)
    return failed and any(
        quad.predicate == PROV.was_associated_with and quad.object == agent for quad in quads
    )
