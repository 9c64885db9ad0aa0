"""Which sessions somebody may read: those that stand on nothing but what they see themselves.

A session asked over a whole collection is for those who see the whole collection; one asked over a view is also for
those who see every document of the view.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from provgraph.access.scope import AccessScope
from provgraph.ports.quad_store import QuadPattern, QuadStore, StoreReader
from provgraph.provenance.access import view_of
from provgraph.rdf.graphs import retrieval_graph
from provgraph.rdf.iris import SessionNames, collection_of_iri
from provgraph.rdf.terms import NamedNode, Quad, nodes_of
from provgraph.rdf.vocabulary import TG

_UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_AGENT: Final = "urn:trustgraph:agent:"

_Reading = Generator[list[QuadPattern], list[list[Quad]], None]


def uuid_in(node: object) -> str:
    """The UUID in the name of what belongs to a session, or nothing."""
    match = _UUID.search(node.value) if isinstance(node, NamedNode) else None
    return match[0] if match else ""


@dataclass
class VisibleSessions:
    """What is known of the sessions that a scope was asked for; who they are asked over never changes."""

    scope: AccessScope
    explain_collection: str
    _known: dict[str, bool] = field(default_factory=dict)

    async def shown(self, quads: Sequence[Quad], store: QuadStore) -> list[Quad]:
        """Of quads of the graph of traces those that are to be seen."""
        reading, patterns = self._looked_up(quads)
        while patterns:
            patterns = _next(reading, await store.match(patterns))
        return self._visible(quads)

    def shown_in(self, quads: Sequence[Quad], reader: StoreReader) -> list[Quad]:
        """The same, within a transaction."""
        reading, patterns = self._looked_up(quads)
        while patterns:
            patterns = _next(reading, reader.match(patterns))
        return self._visible(quads)

    async def shows(self, node: NamedNode, store: QuadStore) -> bool:
        """Whether what belongs to a session is to be seen."""
        return bool(await self.shown([Quad(node, TG.collection, node)], store))

    def _visible(self, quads: Sequence[Quad]) -> list[Quad]:
        return [quad for quad in quads if self._shows(quad.subject)]

    def _shows(self, node: object) -> bool:
        if self.scope.is_whole or (isinstance(node, NamedNode) and node.value.startswith(_AGENT)):
            return True
        return self._known.get(uuid_in(node), False)

    def _looked_up(self, quads: Iterable[Quad]) -> tuple[_Reading, list[QuadPattern]]:
        uuids = set() if self.scope.is_whole else {uuid_in(quad.subject) for quad in quads}
        uuids -= self._known.keys() | {""}
        reading = self._read(sorted(uuids))
        return reading, next(reading, [])

    def _read(self, uuids: Sequence[str]) -> _Reading:
        """Of what was never begun, or is gone, nothing is noted: it may be there the next time."""
        if not uuids:
            return
        graph = retrieval_graph(self.explain_collection)
        nodes = [SessionNames(uuid).session for uuid in uuids]
        collections = yield [QuadPattern(node, TG.collection, None, graph) for node in nodes]
        asked = yield [QuadPattern(node, TG.asked_over, None, graph) for node in nodes]
        over = [next(iter(nodes_of(quads, TG.asked_over)), None) for quads in asked]
        views = sorted({view for view in over if view}, key=str)
        found = (yield [QuadPattern(view, TG.view_document, None, graph) for view in views]) if views else []
        members = {view: _members(view, quads) for view, quads in zip(views, found, strict=True)}
        for uuid, quads, view in zip(uuids, collections, over, strict=True):
            for collection in nodes_of(quads, TG.collection):
                shown = self._may_read(collection_of_iri(collection), members.get(view) if view else None)
                self._known[uuid] = shown

    def _may_read(self, collection: str, documents: frozenset[NamedNode] | None) -> bool:
        if self.scope.shows_all_of(collection):
            return True
        seen = self.scope.documents.get(collection) if self.scope.shows(collection) else None
        return documents is not None and seen is not None and documents <= seen


def _members(view: NamedNode, quads: Sequence[Quad]) -> frozenset[NamedNode] | None:
    """The documents of a view; None where those that are noted are not all, as after an import of what named it."""
    documents = frozenset(nodes_of(quads, TG.view_document))
    return documents if view_of(documents) == view else None


def _next(reading: _Reading, found: list[list[Quad]]) -> list[QuadPattern]:
    try:
        return reading.send(found)
    except StopIteration:
        return []
