"""What failed, read once more: the documents come from the library, and only the chunks that failed are sent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace

from provgraph.catalogue.contents import Contents
from provgraph.catalogue.documents import DocumentCatalogue, failed_readings
from provgraph.extraction.extractors import ChosenExtractors, ExtractionOptions
from provgraph.ingestion.choices import ExtractionChoices
from provgraph.ingestion.planning import LostFile, SourceFile
from provgraph.ingestion.stored_files import stored_files
from provgraph.ports.quad_store import QuadStore
from provgraph.rdf.terms import NamedNode


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
            each
            for each in await failed_readings(self.store, graphs.source)
            if not options.extractors or each.extractor in options.extractors
        ]
        only: dict[NamedNode, set[str]] = defaultdict(set)
        for each in failed:
            only[each.chunk].add(each.extractor)
        names = tuple(dict.fromkeys(each.extractor for each in failed))
        chosen = ChosenExtractors(by_rules=False)
        if names:
            chosen = await self.choices.chosen(replace(options, extractors=names), collection)
        wanted = {chunk: frozenset(extractors) for chunk, extractors in only.items()}
        documents = tuple(dict.fromkeys(each.document for each in failed))
        contents = Contents(self.store, self.choices.library, self.choices.collections.explain_collection)
        files = stored_files(DocumentCatalogue(self.store, graphs), contents, collection, documents)
        return Retry(files, replace(chosen, by_rules=False, only=wanted))
