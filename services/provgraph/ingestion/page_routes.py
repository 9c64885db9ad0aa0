"""HTTP face of pages as pictures: `/api/v1/documents/page` and `…/page/words`."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Query, Response

from provgraph.catalogue.collections import Collections
from provgraph.catalogue.page_pictures import PagePictures
from provgraph.documents.drawn_pages import MEDIA_TYPE, DrawnPages
from provgraph.documents.library import Library
from provgraph.late_routes import LateRouter
from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.rdf.iris import iri
from provgraph.wire.documents import MarkedRectangle, PageWords

NEVER_CHANGES: Final = {
    "Cache-Control": "private, max-age=86400, immutable",
    "X-Content-Type-Options": "nosniff",
}
"""A page is named by the bytes of its document."""


def page_router(collections: Collections, library: Library) -> APIRouter:
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
        found = await pictures.words(collection, iri(id), start, end)
        return PageWords(
            page=id,
            start=start,
            end=end,
            aspect=found.width / found.height,
            rectangles=[
                MarkedRectangle(
                    x=left / found.width,
                    y=top / found.height,
                    width=(right - left) / found.width,
                    height=(bottom - top) / found.height,
                )
                for left, top, right, bottom in found.rectangles
            ],
        )

    return router
