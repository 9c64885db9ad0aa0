"""What was given with documents that the store has already: kept, and renewed where it is given anew."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from provgraph.documents.metadata import DocumentMetadata, Entries, merged
from provgraph.ingestion.planning import PlannedDocument
from provgraph.ports.quad_store import QuadPattern, QuadStore, StoreChange, StoreReader
from provgraph.provenance.access import reader_quads
from provgraph.provenance.source import metadata_quads
from provgraph.rdf import literals
from provgraph.rdf.terms import NamedNode, Quad, text_of, texts_of
from provgraph.rdf.vocabulary import DC, RDF, TG


@dataclass(frozen=True)
class StoredMetadata:
    """The metadata of the documents of one collection; `graph` is its source graph."""

    store: QuadStore
    graph: NamedNode

    async def joined(
        self, documents: Sequence[PlannedDocument], revised: Collection[NamedNode] = ()
    ) -> list[PlannedDocument]:
        """The documents with what was given with them before, where nothing is given in its place.

        Those in `revised` have other bytes than before, and with them a title of their own.
        """
        kept = (TG.metadata, TG.readable_by, DC.title)
        patterns = [
            QuadPattern(document.iri, term, None, self.graph) for document in documents for term in kept
        ]
        found = await self.store.match(patterns)
        joined = []
        for document, quads, readers, titled in zip(
            documents, *(found[start :: len(kept)] for start in range(len(kept))), strict=True
        ):
            given = document.metadata
            if document.iri not in revised and (title := text_of(titled, DC.title)):
                header = document.header if given.title else replace(document.header, title=title)
                document = replace(document, header=header, stored_title=title)
            if readers and not given.readers:
                given = replace(given, readers=tuple(sorted(texts_of(readers, TG.readable_by))))
            if quads:
                patterns = [QuadPattern(entry, None, None, self.graph) for entry in _entries_of(quads)]
                before = _entries(await self.store.match(patterns))
                given = replace(given, entries=merged(before, given.entries))
            joined.append(replace(document, metadata=given))
        return joined

    async def renew(self, documents: Sequence[PlannedDocument]) -> None:
        """Put what is given with documents that are stored in the place of what was."""
        given = [document for document in documents if document.metadata]
        markers = [Quad(document.iri, RDF.type, TG.Document, self.graph) for document in given]
        there = await self.store.contains(markers) if markers else []
        for document, is_there in zip(given, there, strict=True):
            if is_there:
                await self.renew_one(document.iri, document.metadata, document.source)

    async def renew_one(self, document: NamedNode, metadata: DocumentMetadata, source: str = "") -> None:
        """Its entries from now on are these; title, authors, date, readers and file name where some are given."""
        await self.store.transact(Renewed(document, metadata, source, self.graph).decide)


@dataclass(frozen=True)
class Renewed:
    """A document of which the store may have other metadata, authors, date or file name."""

    iri: NamedNode
    metadata: DocumentMetadata
    source: str
    graph: NamedNode

    def decide(self, reader: StoreReader) -> StoreChange[None]:
        """Nothing where the document is not there, or has all of it."""
        iri, graph = self.iri, self.graph
        if not reader.contains([Quad(iri, RDF.type, TG.Document, graph)])[0]:
            return StoreChange(None)
        (stored,) = reader.match([QuadPattern(iri, None, None, graph)])
        pointing = [quad for quad in stored if quad.predicate == TG.metadata]
        described = reader.match([QuadPattern(entry, None, None, graph) for entry in _entries_of(pointing)])
        before = {*pointing, *(quad for quads in described for quad in quads)}
        after = set(metadata_quads(iri, self.metadata.entries, graph))
        given = self._own()
        replaced = {quad.predicate for quad in given}
        before |= {quad for quad in stored if quad.predicate in replaced}
        after |= given
        return StoreChange(None, sorted(before - after, key=str), sorted(after - before, key=str))

    def _own(self) -> set[Quad]:
        given = self.metadata
        own = {Quad(self.iri, DC.creator, literals.text(creator), self.graph) for creator in given.creators}
        if given.title:
            own.add(Quad(self.iri, DC.title, literals.text(given.title), self.graph))
        if given.date:
            own.add(Quad(self.iri, DC.date, literals.date(given.date), self.graph))
        if self.source:
            own.add(Quad(self.iri, DC.source, literals.text(self.source), self.graph))
        return own | set(reader_quads(self.iri, given.readers, self.graph))


def _entries_of(quads: Sequence[Quad]) -> list[NamedNode]:
    return [quad.object for quad in quads if isinstance(quad.object, NamedNode)]


def _entries(described: Sequence[Sequence[Quad]]) -> Entries:
    return tuple(
        sorted((text_of(quads, TG.metadata_name), text_of(quads, TG.metadata_value)) for quads in described)
    )
