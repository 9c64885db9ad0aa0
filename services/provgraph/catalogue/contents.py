"""What an IRI stands for word for word: the bytes of a document, the text of a page, a chunk or an answer; and a page
of a stored PDF as a picture, with the places of its words on it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.documents.drawn_pages import DrawnPages, FoundWords
from provgraph.documents.library import Library
from provgraph.errors import Conflict, InvalidInput, NotFound, UnsupportedDocument
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.graphs import retrieval_graph, source_graph
from provgraph.rdf.iris import SessionNames
from provgraph.rdf.terms import Literal, NamedNode, Quad
from provgraph.rdf.vocabulary import PROV, RDF, TG

_OF_SESSIONS: Final = (
    SessionNames("").answer_text.value,
    SessionNames("").prompt("").value.removesuffix(":"),
    SessionNames("").reply("").value.removesuffix(":"),
)


@dataclass(frozen=True)
class Content:
    """`is_text` tells that the bytes are text in UTF-8; a document is as it was given."""

    content: bytes
    is_text: bool


@dataclass(frozen=True)
class Contents:
    """Reads what the library keeps; a chunk is kept as a part of its page."""

    store: QuadStore
    library: Library
    explain_collection: str

    async def content(self, collection: str, node: NamedNode) -> Content:
        """Raises `NotFound` for an IRI that stands for nothing in the collection."""
        if node.value.startswith(_OF_SESSIONS):
            return Content(await self.library.content(self.explain_collection, node), is_text=True)
        (described,) = await self.store.match([QuadPattern(node, graph=source_graph(collection))])
        kinds = {quad.object for quad in described if quad.predicate == RDF.type}
        if TG.Chunk in kinds:
            return Content(await self._chunk(collection, described), is_text=True)
        if TG.Document in kinds:
            return Content(await self._document(collection, node), is_text=False)
        is_text = TG.Page in kinds or await self._is_past_page(node)
        return Content(await self.library.content(collection, node), is_text)

    async def _document(self, collection: str, document: NamedNode) -> bytes:
        """The bytes of its version; folders of an older time keep them under the document itself."""
        pattern = QuadPattern(None, PROV.specialization_of, document, source_graph(collection))
        (quads,) = await self.store.match([pattern], limit=1)
        for version in (quad.subject for quad in quads if isinstance(quad.subject, NamedNode)):
            try:
                return await self.library.content(collection, version)
            except NotFound:
                break
        return await self.library.content(collection, document)

    async def sizes(self, collection: str, documents: Sequence[NamedNode]) -> list[int | None]:
        """The bytes of each document, None of what has no file."""
        graph = source_graph(collection)
        patterns = [QuadPattern(None, PROV.specialization_of, document, graph) for document in documents]
        kept = [
            next((quad.subject for quad in quads if isinstance(quad.subject, NamedNode)), document)
            for document, quads in zip(documents, await self.store.match(patterns), strict=True)
        ]
        return await self.library.sizes(collection, kept)

    async def _is_past_page(self, node: NamedNode) -> bool:
        """Whether this is a page of an older version, kept for the sake of traces."""
        graph = retrieval_graph(self.explain_collection)
        (quads,) = await self.store.match([QuadPattern(None, PROV.was_quoted_from, node, graph)], limit=1)
        return bool(quads)

    async def _chunk(self, collection: str, described: Sequence[Quad]) -> bytes:
        said = {quad.predicate: quad.object for quad in described}
        page, start, length = said[PROV.was_derived_from], said[TG.char_offset], said[TG.char_length]
        assert isinstance(page, NamedNode)
        assert isinstance(start, Literal)
        assert isinstance(length, Literal)
        text = await self.library.text(collection, page)
        return text[int(start.value) : int(start.value) + int(length.value)].encode()


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
        found_words = await self.drawn.find(content, index, start, end)
        if found_words.text is not None and text.startswith(found_words.text) and end > len(found_words.text):
            raise Conflict(
                "These words were recognised in a picture on the page, so their places are not known. Look at the "
                "page itself."
            )
        if found_words.text is None or not text.startswith(found_words.text):
            raise Conflict(
                "The page was read by another version of the reader, so the places of its words are not known. "
                "Its text has them; to mark them on the page, delete the document and ingest it again."
            )
        return found_words

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
