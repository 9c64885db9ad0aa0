"""Documents read again, by the extractors that the request, the collection or the service chooses: all
chunks, or those that failed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, replace

from anyio import to_thread

from provgraph.catalogue.collections import Collections
from provgraph.catalogue.contents import Contents
from provgraph.catalogue.documents import DocumentCatalogue, failed_readings
from provgraph.documents.library import Library
from provgraph.documents.metadata import DocumentMetadata
from provgraph.errors import NotFound
from provgraph.extraction.extractors import ChosenExtractors, ExtractionOptions, Extractors, OntologyFile
from provgraph.extraction.names import ONTOLOGY_GUIDED
from provgraph.ingestion.planning import LostFile, SourceFile
from provgraph.ports.quad_store import QuadStore
from provgraph.rdf.terms import NamedNode
from provgraph.wire.documents import CollectionSettings


@dataclass(frozen=True)
class ExtractionChoices:
    collections: Collections
    library: Library
    extractors: Extractors

    async def chosen(self, options: ExtractionOptions, collection: str) -> ChosenExtractors:
        """Raises what `Extractors.chosen` raises. A collection that is yet to be made has nothing set."""
        try:
            kept = await self.collections.settings(collection)
        except NotFound:
            kept = CollectionSettings()
        guided = options.ontology is not None
        extractors = options.extractors or (() if guided else tuple(kept.extractors))
        ontology = options.ontology
        if not guided and kept.ontology and (not extractors or ONTOLOGY_GUIDED in extractors):
            content = await self.library.content(collection, NamedNode(kept.ontology.id))
            ontology = OntologyFile(kept.ontology.name, content)
        return await to_thread.run_sync(
            self.extractors.chosen,
            ExtractionOptions(
                extractors,
                ontology,
                options.max_tokens or kept.max_tokens,
                options.sparing or bool(kept.sparing),
                options.replace,
            ),
        )


async def stored_files(
    catalogue: DocumentCatalogue, contents: Contents, collection: str, documents: Sequence[NamedNode]
) -> AsyncGenerator[SourceFile | LostFile]:
    """The files of documents of a collection; one that was deleted since is left out."""
    for document in documents:
        try:
            known = await catalogue.document(document)
        except NotFound:
            continue
        name = known.source or known.title
        try:
            content = (await contents.content(collection, document)).content
        except NotFound:
            yield LostFile(name, _lost(name, document))
            continue
        given = DocumentMetadata(creators=known.creators, date=known.date)
        yield SourceFile(name, content, known.media_type, known.title, document.value, metadata=given)


def _lost(name: str, document: NamedNode) -> NotFound:
    return NotFound(
        f"{name}: the library has no content of {document.value} any more, so nothing of it can be read again. "
        "Ingest the file once more, or delete the document."
    )


@dataclass(frozen=True)
class Retry:
    """What is to be read again, and how; `files` come one by one, so that no more than one is held."""

    files: AsyncGenerator[SourceFile | LostFile]
    chosen: ChosenExtractors


@dataclass(frozen=True)
class FailedDocuments:
    store: QuadStore
    choices: ExtractionChoices

    async def retry(self, collection: str, options: ExtractionOptions) -> Retry:
        """Each chunk with the extractors that failed at it, or with those of them that `options` names.

        Raises `NotFound` for a collection that there is not, and what `Extractors.chosen` raises.
        """
        graphs = await self.choices.collections.require(collection)
        failed = [
            reading
            for reading in await failed_readings(self.store, graphs.source)
            if not options.extractors or reading.extractor in options.extractors
        ]
        only: dict[NamedNode, set[str]] = defaultdict(set)
        for reading in failed:
            only[reading.chunk].add(reading.extractor)
        names = tuple(dict.fromkeys(reading.extractor for reading in failed))
        chosen_extractors = ChosenExtractors()
        if names:
            chosen_extractors = await self.choices.chosen(replace(options, extractors=names), collection)
        wanted = {chunk: frozenset(extractors) for chunk, extractors in only.items()}
        documents = tuple(dict.fromkeys(reading.document for reading in failed))
        contents = Contents(self.store, self.choices.library, self.choices.collections.explain_collection)
        files = stored_files(DocumentCatalogue(self.store, graphs), contents, collection, documents)
        return Retry(files, replace(chosen_extractors, by_rules=(), only=wanted))
