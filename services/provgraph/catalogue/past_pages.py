"""Pages of older versions that the library keeps for the sake of traces."""

from __future__ import annotations

from collections.abc import Iterable

from pyoxigraph import NamedNode

from provgraph.documents.library import Library
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.vocabulary import PROV


async def release_pages(
    store: QuadStore, library: Library, collection: str, graphs: CollectionGraphs, pages: Iterable[NamedNode]
) -> None:
    """Remove the texts of these pages, where neither a document has them nor a trace quotes them any more.

    For whoever removes traces: the pages are what their past quotations were quoted from.
    """
    for page in dict.fromkeys(pages):
        used = await store.match(
            [
                QuadPattern(page, graph=graphs.source),
                QuadPattern(None, PROV.was_quoted_from, page, graphs.retrieval),
            ],
            limit=1,
        )
        if not any(used):
            await library.drop(collection, page)
