"""The words that each sentence of an old answer cites, as far as documents still have them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pyoxigraph import NamedNode, Quad

from provgraph.catalogue.lineage import Lineages
from provgraph.catalogue.sources import Place, Words
from provgraph.documents.library import Library
from provgraph.errors import NotFound
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.provenance.trace_nodes import Nodes
from provgraph.rdf.vocabulary import PROV, RDF, TG

WordsOfQuotations = Mapping[NamedNode, Words]


def words_of_facts(lineages: Lineages) -> dict[NamedNode, Words]:
    """By quotation, the sentences that say the facts: what an answer from edges cites."""
    return {source.quotation: source for lineage in lineages.of.values() for source in lineage.sources}


@dataclass(frozen=True)
class ChunkWords:
    """Looks up what an answer from chunks cites: spans of pages, whose words the library has.

    `graph` is the source graph of the collection.
    """

    store: QuadStore
    library: Library
    collection: str
    graph: NamedNode

    async def of(self, quads: Sequence[Quad], places: Iterable[Place]) -> dict[NamedNode, Words]:
        """By quotation; one whose document is gone, or says something else there now, is left out."""
        nodes = Nodes(quads)
        by_document = {place.document: place for place in places}
        found: dict[NamedNode, Words] = {}
        for quad in quads:
            if quad.predicate == RDF.type and quad.object == TG.ChunkQuotation:
                assert isinstance(quad.subject, NamedNode)
                document = next(iter(nodes.iris(quad.subject, TG.source_document)), None)
                place = by_document.get(document) if document else None
                if place and (words := await self._words(nodes, quad.subject, place)):
                    found[quad.subject] = words
        return found

    async def _words(self, nodes: Nodes, quotation: NamedNode, place: Place) -> Words | None:
        (page,) = nodes.iris(quotation, PROV.was_quoted_from)
        start = nodes.integer(quotation, TG.source_char_offset)
        end = start + nodes.integer(quotation, TG.source_char_length)
        try:
            text = await self.library.text(self.collection, page)
        except NotFound:
            return None
        (described,) = await self.store.match([QuadPattern(page, TG.page_number, None, self.graph)])
        number = Nodes(described).integer(page, TG.page_number)
        return Words(place, page, number, start, end, text[start:end]) if number else None
