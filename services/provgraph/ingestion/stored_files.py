"""Documents as the library has them, to be read once more: one by one, so that no more than one is held."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence

from provgraph.catalogue.contents import Contents
from provgraph.catalogue.documents import DocumentCatalogue
from provgraph.errors import NotFound
from provgraph.ingestion.planning import LostFile, SourceFile
from provgraph.rdf.terms import NamedNode


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
        yield SourceFile(name, content, known.media_type, known.title, document.value)


def _lost(name: str, document: NamedNode) -> NotFound:
    return NotFound(
        f"{name}: the library has no content of {document.value} any more, so nothing of it can be read again. "
        "Ingest the file once more, or delete the document."
    )
