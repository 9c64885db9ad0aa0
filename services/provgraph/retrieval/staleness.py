"""Which documents an index does not have as the store has them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Protocol

from anyio import to_thread

from provgraph.errors import Unavailable
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.graphs import source_graph
from provgraph.rdf.terms import NamedNode
from provgraph.rdf.vocabulary import PROV, RDF, TG


class FollowingIndex(Protocol):
    """An index made of documents that knows which subgraphs it has, and from which documents."""

    def subgraphs(self) -> set[str]: ...

    def documents_of(self, subgraphs: Sequence[str]) -> set[str]: ...


async def stale_documents(store: QuadStore, collection: str, index: FollowingIndex) -> list[NamedNode]:
    """The documents of all subgraphs that only one of store and index has."""
    graph = source_graph(collection)
    (found,) = await store.match([QuadPattern(None, RDF.type, TG.Subgraph, graph)])
    stored = {quad.subject for quad in found if isinstance(quad.subject, NamedNode)}
    indexed = await to_thread.run_sync(index.subgraphs)
    gone = indexed - {node.value for node in stored}
    removed = await to_thread.run_sync(index.documents_of, sorted(gone))
    missing = [node for node in stored if node.value not in indexed]
    documents = {NamedNode(document) for document in removed} | await _origins(store, missing, graph)
    return sorted(documents, key=lambda document: document.value)


async def each_by_itself(collections: Iterable[str], agree: Callable[[str], Awaitable[None]]) -> None:
    """Let each collection agree with the store, also where the store of another is away; that is raised in the end."""
    away: Unavailable | None = None
    for collection in collections:
        try:
            await agree(collection)
        except Unavailable as error:
            away = error
    if away:
        raise away


async def _origins(store: QuadStore, nodes: Sequence[NamedNode], graph: NamedNode) -> set[NamedNode]:
    """The ends of the chains of derivation that begin at the nodes."""
    origins: set[NamedNode] = set()
    while nodes:
        patterns = [QuadPattern(node, PROV.was_derived_from, None, graph) for node in nodes]
        above: set[NamedNode] = set()
        for node, quads in zip(nodes, await store.match(patterns), strict=True):
            above.update(quad.object for quad in quads if isinstance(quad.object, NamedNode))
            if not quads:
                origins.add(node)
        nodes = list(above)
    return origins
