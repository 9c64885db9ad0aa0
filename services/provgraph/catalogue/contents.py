"""What an IRI stands for word for word: the bytes of a document, the text of a page, a chunk or an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.documents.library import Library
from provgraph.errors import NotFound
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
        (found,) = await self.store.match([pattern], limit=1)
        for version in (quad.subject for quad in found if isinstance(quad.subject, NamedNode)):
            try:
                return await self.library.content(collection, version)
            except NotFound:
                break
        return await self.library.content(collection, document)

    async def _is_past_page(self, node: NamedNode) -> bool:
        """Whether this is a page of an older version, kept for the sake of traces."""
        graph = retrieval_graph(self.explain_collection)
        (found,) = await self.store.match([QuadPattern(None, PROV.was_quoted_from, node, graph)], limit=1)
        return bool(found)

    async def _chunk(self, collection: str, described: Sequence[Quad]) -> bytes:
        said = {quad.predicate: quad.object for quad in described}
        page, start, length = said[PROV.was_derived_from], said[TG.char_offset], said[TG.char_length]
        assert isinstance(page, NamedNode)
        assert isinstance(start, Literal)
        assert isinstance(length, Literal)
        text = await self.library.text(collection, page)
        return text[int(start.value) : int(start.value) + int(length.value)].encode()
