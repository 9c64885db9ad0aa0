"""Pages of older versions that the library keeps for the sake of traces."""

from __future__ import annotations

from collections.abc import Iterable

from provgraph.documents.library import Library
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.provenance.trace_reading import TracedSession
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import session_uuid
from provgraph.rdf.terms import NamedNode
from provgraph.rdf.vocabulary import PROV


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
