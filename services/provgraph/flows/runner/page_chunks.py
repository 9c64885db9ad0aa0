"""The chunks of one page as passages, for what was found on the page itself."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from provgraph.catalogue.sources import ChunkOnPage
from provgraph.flows.runner.passages import RetrievedPassage
from provgraph.flows.runner.run import Run
from provgraph.ports.quad_store import QuadPattern
from provgraph.ports.retriever import ChunkHit
from provgraph.rdf.terms import NamedNode
from provgraph.rdf.vocabulary import PROV


@dataclass(frozen=True)
class PageChunks:
    """The chunks of a page of `document`, in their order; `text` is the page's."""

    document: NamedNode
    title: str
    text: str
    chunks: Sequence[ChunkOnPage]

    @classmethod
    async def of(cls, run: Run, page: NamedNode, document: NamedNode, title: str, text: str) -> PageChunks:
        pattern = QuadPattern(predicate=PROV.was_derived_from, object=page, graph=run.graphs.source)
        (quads,) = await run.services.store.match([pattern])
        named = [quad.subject for quad in quads if isinstance(quad.subject, NamedNode)]
        places = await run.reader.chunk_places(
            named_node for named_node in named if "/chunk/" in named_node.value
        )
        return cls(
            document, title, text, sorted(places.values(), key=lambda chunk_on_page: chunk_on_page.offset)
        )

    def passage_at(self, start: int, end: int) -> RetrievedPassage | None:
        """The chunk in which a span of the page begins, with its text to the end of the span at least."""
        place = bisect_right([page.offset for page in self.chunks], start) - 1
        if place < 0:
            return None
        chunk = self.chunks[place]
        later = self.chunks[place + 1].offset if place + 1 < len(self.chunks) else len(self.text)
        text = self.text[chunk.offset : max(later, end)]
        return RetrievedPassage(ChunkHit(chunk.place.chunk, self.document, self.title, 0.0, (), text), chunk)
