"""A page of a stored PDF as a picture, and the places of its words on it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from provgraph.documents.drawn_pages import DrawnPages, FoundWords
from provgraph.documents.library import Library
from provgraph.errors import Conflict, InvalidInput, NotFound, UnsupportedDocument
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.graphs import source_graph
from provgraph.rdf.terms import NamedNode
from provgraph.rdf.vocabulary import PROV

_PAGE: Final = re.compile(r"((.+)/version/[0-9a-f]{32})/page/([1-9][0-9]{0,8})", re.DOTALL)


@dataclass(frozen=True)
class PagePictures:
    """Draws from the bytes that the library keeps of the page's own version.

    Every method raises `NotFound` for what is no page, or of a version whose bytes are gone, and
    `UnsupportedDocument` for a page of a document that is no PDF.
    """

    store: QuadStore
    library: Library
    drawn: DrawnPages

    async def picture(self, collection: str, page: NamedNode, width: int, regions: bool = False) -> bytes:
        """The page as PNG, `width` pixels wide; with `regions` what the reader finds is drawn over it."""
        content, index = await self._content(collection, page)
        draw = self.drawn.regions if regions else self.drawn.draw
        return await draw(content, index, width)

    async def words(self, collection: str, page: NamedNode, start: int, end: int) -> FoundWords:
        """Where the characters `start` to `end` of the page's stored text stand.

        Raises `InvalidInput` for a span that is not in the text, and `Conflict` where this reader makes another text of
        the page than the one that is stored: then no place of it would be sure.
        """
        text = await self.library.text(collection, page)
        if not 0 <= start < end <= len(text):
            raise InvalidInput(
                f"The page's text has {len(text)} characters. Give a start before an end, both within it."
            )
        content, index = await self._content(collection, page)
        found = await self.drawn.find(content, index, start, end)
        if found.text != text:
            raise Conflict(
                "The page was read by another version of the reader, so the places of its words are not known. "
                "Its text has them; to mark them on the page, delete the document and ingest it again."
            )
        return found

    async def _content(self, collection: str, page: NamedNode) -> tuple[bytes, int]:
        """The bytes of the page's version, and the page's place in them, from 0."""
        named = _PAGE.fullmatch(page.value)
        if not named:
            raise NotFound(f"{page.value[:200]} is not a page of a document. Take the `page` of a source.")
        version, document, number = NamedNode(named[1]), NamedNode(named[2]), int(named[3])
        content = await self._bytes(collection, version, document)
        if b"%PDF-" not in content[:1024]:
            raise UnsupportedDocument(
                "Only pages of PDFs have a picture. This document is text: read the page instead."
            )
        return content, number - 1

    async def _bytes(self, collection: str, version: NamedNode, document: NamedNode) -> bytes:
        try:
            return await self.library.content(collection, version)
        except NotFound:
            pattern = QuadPattern(version, PROV.specialization_of, document, source_graph(collection))
            (current,) = await self.store.match([pattern], limit=1)
            if not current:
                raise
        return await self.library.content(collection, document)  # folders of an older time keep it there
