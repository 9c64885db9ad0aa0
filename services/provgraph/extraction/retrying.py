"""What failed, read once more: the documents come from the library, and only the chunks that failed are sent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, replace

from pyoxigraph import NamedNode

from provgraph.catalogue.contents import Contents
from provgraph.catalogue.documents import DocumentCatalogue
from provgraph.catalogue.failures import failed_readings
from provgraph.errors import NotFound
from provgraph.extraction.choices import ExtractionChoices
from provgraph.extraction.extractors import ChosenExtractors, ExtractionOptions
from provgraph.extraction.planning import LostFile, SourceFile
from provgraph.ports.quad_store import QuadStore


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
        files = self._files(DocumentCatalogue(self.store, graphs), collection, documents)
        return Retry(files, replace(chosen, by_rules=False, only=wanted))

    async def _files(
        self, catalogue: DocumentCatalogue, collection: str, documents: Sequence[NamedNode]
    ) -> AsyncGenerator[SourceFile | LostFile]:
        contents = Contents(self.store, self.choices.library, self.choices.collections.explain_collection)
        for document in documents:
            try:
                known = await catalogue.document(document)
            except NotFound:
                continue  # deleted since: nothing of it is left to be read
            name = known.source or known.title
            try:
                content = (await contents.content(collection, document)).content
            except NotFound:
                yield LostFile(name, _lost(name, document))
                continue
            yield SourceFile(name, content, known.media_type, known.title, document.value)


def _lost(name: str, document: NamedNode) -> NotFound:
    return NotFound(
        f"{name}: the library has no content of {document.value} any more, so nothing of it can be read again. "
        "Ingest the file once more, or delete the document."
    )
