"""What an IRI stands for word for word: the bytes of a document, the text of a page, a chunk or an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pyoxigraph import Literal, NamedNode, Quad

from provgraph.documents.library import Library
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.graphs import source_graph
from provgraph.rdf.iris import SessionNames
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
        return Content(await self.library.content(collection, node), is_text=TG.Page in kinds)

    async def _chunk(self, collection: str, described: Sequence[Quad]) -> bytes:
        said = {quad.predicate: quad.object for quad in described}
        page, start, length = said[PROV.was_derived_from], said[TG.char_offset], said[TG.char_length]
        assert isinstance(page, NamedNode)
        assert isinstance(start, Literal)
        assert isinstance(length, Literal)
        text = await self.library.text(collection, page)
        return text[int(start.value) : int(start.value) + int(length.value)].encode()
