"""HTTP face of what is stored of documents: their list, their pages, chunks and facts, their bytes, and pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Annotated, Final

from fastapi import APIRouter, Query, Response

from provgraph.catalogue.collections import Collections
from provgraph.catalogue.contents import Contents, PagePictures
from provgraph.catalogue.document_names import named_document
from provgraph.catalogue.documents import (
    ChunkView,
    DocumentCatalogue,
    DocumentCounts,
    DocumentSummary,
    FactView,
    PageView,
    failed_readings,
)
from provgraph.catalogue.sources import Extraction, SourceReader
from provgraph.documents.drawn_pages import MEDIA_TYPE, DrawnPages
from provgraph.documents.library import Library
from provgraph.documents.metadata import values_by_name
from provgraph.documents.stored_layouts import page_warnings
from provgraph.late_routes import LateRouter
from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.rdf.iris import iri
from provgraph.rdf.terms import NamedNode
from provgraph.wire.documents import (
    Document,
    DocumentChunk,
    DocumentFact,
    DocumentPage,
    DocumentTree,
    MarkedRectangle,
    PageRecognition,
    PageWords,
)

IsOutdated = Callable[[str, str], bool]
"""Whether an extractor, by name and version, reads otherwise today."""

Listed = list[Document] | DocumentTree

DOWNLOAD: Final = {"X-Content-Type-Options": "nosniff", "Content-Disposition": "attachment"}
"""A document is anybody's HTML: a browser must not take it for a page of this service."""

NEVER_CHANGES: Final = {
    "Cache-Control": "private, max-age=86400, immutable",
    "X-Content-Type-Options": "nosniff",
}
"""A page is named by the bytes of its document."""


def document_router(collections: Collections, library: Library, is_outdated: IsOutdated) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["extraction"])
    router.routes.extend(_page_router(collections, library).routes)

    contents = Contents(collections.store, library, collections.explain_collection)

    @router.get("/documents", response_model=Listed)
    async def documents(id: str = "", collection: str = DEFAULT_COLLECTION, counts: bool = False) -> Listed:
        """All documents of a collection, with `counts` those of chunks and facts; with `id`, one down to its facts."""
        graphs = await collections.require(collection)
        listed = await _documents(DocumentCatalogue(collections.store, graphs), is_outdated, id, counts)
        sized = [listed] if isinstance(listed, DocumentTree) else listed if counts else []
        sizes = await contents.sizes(collection, [iri(document.id) for document in sized])
        for document, size in zip(sized, sizes, strict=True):
            document.size = size
        if isinstance(listed, DocumentTree):
            warnings = await page_warnings(library, collection, [iri(page.id) for page in listed.content])
            for page in listed.content:
                page.warning = warnings.get(iri(page.id), "")
        return listed

    @router.get("/documents/content")
    async def content(id: str, collection: str = DEFAULT_COLLECTION) -> Response:
        """The bytes of a document, by id, file name or title; or the text of a page, a chunk or an answer, by IRI."""
        graphs = await collections.require(collection)
        node = await named_document(DocumentCatalogue(collections.store, graphs), id)
        found = await contents.content(collection, node)
        media_type = "text/plain; charset=utf-8" if found.is_text else "application/octet-stream"
        return Response(found.content, media_type=media_type, headers=DOWNLOAD)

    return router


def _page_router(collections: Collections, library: Library) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["extraction"])
    pictures = PagePictures(collections.store, library, DrawnPages())

    @router.get("/documents/page", response_class=Response)
    async def picture(
        id: str,
        collection: str = DEFAULT_COLLECTION,
        width: Annotated[int, Query(ge=50, le=2400, description="In pixels.")] = 1200,
        regions: Annotated[bool, Query(description="Draw what the reader finds: regions and cells.")] = False,
    ) -> Response:
        """A page of a PDF as PNG, by its IRI."""
        await collections.require(collection)
        return Response(
            await pictures.picture(collection, iri(id), width, regions),
            media_type=MEDIA_TYPE,
            headers=NEVER_CHANGES,
        )

    @router.get("/documents/page/words")
    async def words(id: str, start: int, end: int, collection: str = DEFAULT_COLLECTION) -> PageWords:
        """Where the characters `start` to `end` of a page's text stand on its picture."""
        await collections.require(collection)
        found_words = await pictures.words(collection, iri(id), start, end)
        return PageWords(
            page=id,
            start=start,
            end=end,
            aspect=found_words.width / found_words.height,
            rectangles=[
                MarkedRectangle(
                    x=left / found_words.width,
                    y=top / found_words.height,
                    width=(right - left) / found_words.width,
                    height=(bottom - top) / found_words.height,
                )
                for left, top, right, bottom in found_words.rectangles
            ],
        )

    return router


async def _documents(
    catalogue: DocumentCatalogue, is_outdated: IsOutdated, id: str, counts: bool
) -> list[Document] | DocumentTree:
    readings = await failed_readings(catalogue.store, catalogue.graphs.source)
    failed = Counter(document for document, _ in {(reading.document, reading.chunk) for reading in readings})
    if id:
        return await _tree(catalogue, is_outdated, await named_document(catalogue, id), failed)
    counted = await catalogue.counts() if counts else {}
    return [_document(summary, failed, counted.get(summary.iri)) for summary in await catalogue.documents()]


async def _tree(
    catalogue: DocumentCatalogue, is_outdated: IsOutdated, node: NamedNode, failed: Mapping[NamedNode, int]
) -> DocumentTree:
    summary = await catalogue.document(node)
    views = await catalogue.pages(node)
    subgraphs = {fact.source.subgraph for page in views for chunk in page.chunks for fact in chunk.facts}
    readers = await SourceReader(catalogue.store, catalogue.graphs.source).extractions(subgraphs)
    outdated = {subgraph: is_outdated(by.extractor, by.version) for subgraph, by in readers.items()}

    def fact_of(fact: FactView) -> DocumentFact:
        by = readers.get(fact.source.subgraph)
        return _fact(fact, by, outdated.get(fact.source.subgraph, False))

    pages = [_page(page, fact_of) for page in views]
    return DocumentTree(**_document(summary, failed).model_dump(), content=pages)


def _page(view: PageView, fact_of: Callable[[FactView], DocumentFact]) -> DocumentPage:
    recognition = PageRecognition(**asdict(view.recognition)) if view.recognition else None
    chunks = [_chunk(chunk, fact_of) for chunk in view.chunks]
    return DocumentPage(id=view.iri.value, number=view.number, recognition=recognition, chunks=chunks)


def _document(
    summary: DocumentSummary, failed: Mapping[NamedNode, int], counted: DocumentCounts | None = None
) -> Document:
    return Document(
        id=summary.iri.value,
        title=summary.title,
        media_type=summary.media_type,
        pages=summary.page_count,
        creators=list(summary.creators),
        date=summary.date,
        source=summary.source,
        metadata=values_by_name(summary.metadata),
        failed_chunks=failed.get(summary.iri, 0),
        chunks=counted.chunks if counted else None,
        facts=counted.facts if counted else None,
    )


def _chunk(view: ChunkView, fact_of: Callable[[FactView], DocumentFact]) -> DocumentChunk:
    return DocumentChunk(
        id=view.iri.value,
        number=view.index + 1,
        start=view.start,
        end=view.end,
        facts=[fact_of(fact) for fact in view.facts],
    )


def _fact(view: FactView, by: Extraction | None, outdated: bool) -> DocumentFact:
    subject, relation, object_ = view.labels
    source = view.source
    return DocumentFact(
        subject=subject,
        relation=relation,
        object=object_,
        confidence=source.confidence,
        page=source.page.value,
        start=source.start,
        end=source.end,
        text=source.text,
        read_by=f"{by.extractor} {by.version}" if by else "",
        outdated=outdated,
    )
