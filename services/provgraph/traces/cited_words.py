"""The words that each sentence of an old answer cites, as far as documents, or pages that are kept for
traces, have them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from provgraph.catalogue.documents import files_of, titles_of
from provgraph.catalogue.lineage import Lineages
from provgraph.catalogue.sources import ChunkLocation, Words
from provgraph.documents.library import Library
from provgraph.errors import NotFound
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.provenance.trace_nodes import Nodes
from provgraph.provenance.trace_reading import TracedSession
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import session_uuid
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import PROV, RDF, TG

WordsOfQuotations = Mapping[NamedNode, Words]


def words_of_facts(lineages: Lineages) -> dict[NamedNode, Words]:
    """By quotation, the sentences that say the facts: what an answer from edges cites."""
    return {source.quotation: source for lineage in lineages.of.values() for source in lineage.sources}


@dataclass(frozen=True)
class ChunkWords:
    """Looks up what an answer from chunks cites: spans of pages, whose words the library has.

    A trace says where the words are, so that they are found also when the document has been revised since, as long as
    the library keeps the page for it. `graph` is the source graph of the collection.
    """

    store: QuadStore
    library: Library
    collection: str
    graph: NamedNode

    async def of(self, quads: Sequence[Quad]) -> dict[NamedNode, Words]:
        """By quotation; one whose document is gone is left out."""
        nodes = Nodes(quads)
        quotations = nodes.pointing_to(RDF.type, TG.ChunkQuotation)
        of_document = {node: nodes.iris(node, TG.source_document)[0] for node in quotations}
        titles = await titles_of(self.store, self.graph, of_document.values())
        files = await files_of(self.store, self.graph, titles)
        found: dict[NamedNode, Words] = {}
        for node, document in of_document.items():
            names = (titles.get(document, ""), files.get(document, ""))
            if document in titles and (words := await self._words(nodes, node, document, names)):
                found[node] = words
        return found

    async def _words(
        self, nodes: Nodes, node: NamedNode, document: NamedNode, names: tuple[str, str]
    ) -> Words | None:
        """`names` are the title and the file name of the document."""
        (page,) = nodes.iris(node, PROV.was_quoted_from)
        try:
            text = await self.library.text(self.collection, page)
        except NotFound:
            return None
        number = nodes.integer(node, TG.page_number)
        start = nodes.integer(node, TG.source_char_offset)
        end = start + nodes.integer(node, TG.source_char_length)
        (chunk,) = nodes.iris(node, TG.in_chunk)
        place = ChunkLocation(chunk, nodes.integer(node, TG.chunk_index), page, number, document, *names)
        return Words(place, page, number, start, end, text[start:end])


async def release_pages(
    store: QuadStore,
    library: Library,
    session: TracedSession,
    graphs: CollectionGraphs,
    pages: Iterable[NamedNode],
) -> None:
    """Remove the texts of these pages, where neither a document has them nor a trace but `session` quotes them.

    For whoever removes traces: the pages are what the past quotations of `session` were quoted from. Done before these
    go, so that a removal that is cut off finds them again.
    """
    for page in dict.fromkeys(pages):
        described, quoted = await store.match(
            [
                QuadPattern(page, graph=graphs.source),
                QuadPattern(None, PROV.was_quoted_from, page, graphs.retrieval),
            ]
        )
        own = session_uuid(session.iri)
        if not described and all(session_uuid(quad.subject) == own for quad in quoted):
            await library.drop(session.collection, page)
