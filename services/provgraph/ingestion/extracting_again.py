"""Which documents were read by an older version of an extractor, how they are read again, and extraction done once more
to be compared with what is stored: by rules only, for these always find the same.

The comparison reads documents as an ingest does, and writes nothing. What was read with other settings, or by an older
version of an extractor, has other names and is not compared.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Sequence
from dataclasses import dataclass

from anyio import to_thread

from provgraph.catalogue.collections import Collections
from provgraph.catalogue.documents import DocumentCatalogue, DocumentSummary
from provgraph.catalogue.lineage import DocumentReading, document_readings
from provgraph.catalogue.naming import quotes_a_name
from provgraph.catalogue.sources import SourceReader
from provgraph.errors import NotFound, ProvGraphError
from provgraph.extraction.extractors import ExtractionOptions, Extractors
from provgraph.extraction.facts import FactExtractor
from provgraph.extraction.names import BY_RULES, FREE, current_name
from provgraph.ingestion.pipeline import Ingestion
from provgraph.ingestion.planning import PlannedChunk, PlannedDocument, SourceFile, planned_of
from provgraph.ingestion.recording import Recorder, rules_profile
from provgraph.ports.quad_store import QuadPattern
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import version_iri
from provgraph.rdf.terms import NamedNode, Quad, named
from provgraph.rdf.vocabulary import PROV, TG


@dataclass(frozen=True)
class ReadAgain:
    """What came of one document: how many subgraphs were compared, and what is wrong with which."""

    document: NamedNode
    compared: int
    wrong: tuple[tuple[NamedNode, str], ...] = ()


@dataclass(frozen=True)
class ExtractionComparison:
    """Over one collection; `extractors` are all by rules that there are."""

    ingestion: Ingestion
    collection: str
    graphs: CollectionGraphs

    async def documents(self) -> AsyncGenerator[ReadAgain]:
        """Each document of which the library has the bytes."""
        catalogue = DocumentCatalogue(self.ingestion.store, self.graphs)
        extractors = self.ingestion.extractors.chosen(ExtractionOptions(tuple(BY_RULES))).by_rules
        recorder = Recorder(self.graphs, self.ingestion.chunking, self.ingestion.now())
        for summary in await catalogue.documents():
            planned = await self._planned(summary)
            if planned is None:
                continue
            wrong: list[tuple[NamedNode, str]] = []
            compared = 0
            for extractor in extractors:
                count, found = await self._compared(recorder, extractor, planned.chunks)
                compared += count
                wrong += found
            yield ReadAgain(planned.iri, compared, tuple(wrong))

    async def _planned(self, summary: DocumentSummary) -> PlannedDocument | None:
        """The document as an ingest would take it in; None where its bytes are gone or make another document."""
        try:
            content = await self.ingestion.library.content(self.collection, await self._version(summary.iri))
        except NotFound:
            return None
        file = SourceFile(
            summary.source or summary.title, content, summary.media_type, summary.title, summary.iri.value
        )
        reading = self.ingestion.reader.read(content, file.name, file.media_type)
        try:
            coming = planned_of(reading.documents(), file, self.ingestion.chunking)
            every = await to_thread.run_sync(lambda: list(coming))
        except ProvGraphError:
            return None
        planned = [
            document
            for document in every
            if isinstance(document, PlannedDocument) and document.iri == summary.iri
        ]
        return planned[0] if len(planned) == 1 else None

    async def _version(self, document: NamedNode) -> NamedNode:
        pattern = QuadPattern(None, PROV.specialization_of, document, self.graphs.source)
        (quads,) = await self.ingestion.store.match([pattern], limit=1)
        return named(quads[0].subject) if quads else version_iri(document, "")

    async def _compared(
        self, recorder: Recorder, extractor: FactExtractor, chunks: Sequence[PlannedChunk]
    ) -> tuple[int, list[tuple[NamedNode, str]]]:
        profile, store = rules_profile(extractor), self.ingestion.store
        known = await store.contains([recorder.marker(chunk, profile) for chunk in chunks])
        held = [chunk for chunk, is_held in zip(chunks, known, strict=True) if is_held]
        passages = await to_thread.run_sync(lambda: [chunk.passage for chunk in held])
        found = await self.ingestion.workers.extract(extractor, passages) if passages else []
        wrong: list[tuple[NamedNode, str]] = []
        for chunk, facts in zip(held, found, strict=True):
            unit = recorder.subgraph(chunk, facts, profile)
            subgraph = named(unit.marker.subject)
            stored = await self._stored(subgraph)
            if stored != _statements(unit.quads, subgraph):
                wrong.append((subgraph, f"The extractor {extractor.name} finds something else in its chunk."))
        wrong += await self._made_up(recorder, extractor, chunks)
        return len(held), wrong

    async def _stored(self, subgraph: NamedNode) -> set[Quad]:
        graph = self.graphs.source
        own, pointing = await self.ingestion.store.match(
            [QuadPattern(subgraph, graph=graph), QuadPattern(None, TG.in_subgraph, subgraph, graph)]
        )
        described = await self.ingestion.store.match(
            [QuadPattern(named(quad.subject), graph=graph) for quad in pointing]
        )
        return _statements([*own, *(quad for quads in described for quad in quads)], subgraph)

    async def _made_up(
        self, recorder: Recorder, extractor: FactExtractor, chunks: Sequence[PlannedChunk]
    ) -> list[tuple[NamedNode, str]]:
        """Subgraphs that say they are of this extractor, as it is now, and that it does not make."""
        profile, graph = rules_profile(extractor), self.graphs.source
        patterns = [QuadPattern(None, PROV.was_derived_from, chunk.iri, graph) for chunk in chunks]
        found = await self.ingestion.store.match(patterns)
        nodes = [named(quad.subject) for quads in found for quad in quads]
        named_nodes = {recorder.subgraph_iri(chunk, profile) for chunk in chunks}
        extractions = await SourceReader(self.ingestion.store, graph).extractions(
            node for node in nodes if node not in named_nodes
        )
        return [
            (node, f"It says that the extractor {extractor.name} made it, which makes no such subgraph.")
            for node, said in extractions.items()
            if said.extractor == extractor.name and said.version.split(" ")[0] == extractor.version
        ]


def _statements(quads: Iterable[Quad], subgraph: NamedNode) -> set[Quad]:
    """What a subgraph and its quotations say, but how it was received."""
    prefix = f"{subgraph.value}/quotation/"
    return {
        quad
        for quad in quads
        if (quad.subject == subgraph or named(quad.subject).value.startswith(prefix))
        and quad.predicate != TG.received_in
        and not quotes_a_name(quad)
    }


@dataclass(frozen=True)
class OutdatedDocuments:
    """What of a collection is to be read again, by the extractors `names`."""

    documents: Sequence[NamedNode]
    names: tuple[str, ...]

    @property
    def options(self) -> ExtractionOptions:
        return ExtractionOptions(self.names, replace=True)


@dataclass(frozen=True)
class Rereading:
    """Compares what the store was read with to what reads now."""

    collections: Collections
    extractors: Extractors

    async def readings(self, collection: str) -> list[DocumentReading]:
        """Those of extractors that this version knows, by whatever name. Raises `NotFound` for no such collection."""
        graphs = await self.collections.require(collection)
        found = await document_readings(self.collections.store, graphs.source)
        return [reading for reading in found if self.extractors.knows(reading.extractor)]

    async def outdated(self, collection: str, extractors: Sequence[str] = ()) -> OutdatedDocuments:
        """The documents that an older version of `extractors` read; without any, of those that cost nothing.

        Raises `NotFound` where there is none, or no such collection.
        """
        wanted = {current_name(extractor) for extractor in extractors} or set(FREE)
        old = [
            reading
            for reading in await self.readings(collection)
            if current_name(reading.extractor) in wanted
            and not self.is_current(reading.extractor, reading.version)
        ]
        if not old:
            raise NotFound(
                f"Nothing in the collection {collection!r} was read by an older version of {_listed(wanted)}. "
                "See what read it with 'provgraph collection NAME'."
            )
        names = tuple(dict.fromkeys(current_name(reading.extractor) for reading in old))
        return OutdatedDocuments(list(dict.fromkeys(reading.document for reading in old)), names)

    def is_current(self, extractor: str, version: str) -> bool:
        return self.extractors.is_current(extractor, version)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
