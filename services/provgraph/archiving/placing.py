"""The statements of an archive → the same statements in the graphs of the collection that they go into."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from provgraph.archiving.collection_parts import GRAPHS, PLAIN
from provgraph.archiving.unpacking import Package
from provgraph.errors import UnreadableArchive
from provgraph.rdf import literals
from provgraph.rdf.batches import in_batches
from provgraph.rdf.graphs import CollectionGraphs, collection_graphs
from provgraph.rdf.iris import agent_iri, collection_iri, is_collection, session_uuid
from provgraph.rdf.serialization import RdfFormat, parse
from provgraph.rdf.terms import BlankNames, NamedNode, Quad, Term
from provgraph.rdf.vocabulary import RDFS, TG

_BATCH: Final = 5_000
_AGENT: Final = agent_iri("").value


@dataclass(frozen=True)
class Destination:
    """The collection that an archive goes into; traces go where this store keeps traces."""

    collection: str
    explain_collection: str

    @property
    def graphs(self) -> CollectionGraphs:
        return collection_graphs(self.collection, self.explain_collection)


async def placed_quads(package: Package, into: Destination) -> AsyncGenerator[list[Quad]]:
    """The statements in batches, blank nodes named by the archive's hash and their order in it.

    What names the collection of the archive names the destination. Raises `UnreadableArchive` for RDF that does
    not parse, and for statements that no archive of a collection has.
    """
    place = _Placing(package.manifest.collection, package.manifest.parts_sha256[:32], into)
    with package.opened(GRAPHS) as part:
        parsed = in_batches(lambda: map(place.placed, parse(part, format=RdfFormat.N_QUADS)), _BATCH)
        try:
            async with aclosing(parsed):
                async for batch in parsed:
                    yield batch
        except (SyntaxError, ValueError) as error:
            raise UnreadableArchive(
                f"{GRAPHS} in it cannot be read ({error}). Make the archive anew."
            ) from error


class _Placing:
    def __init__(self, collection: str, archive: str, into: Destination) -> None:
        self._from, self._to = collection_iri(collection), collection_iri(into.collection)
        self._name = literals.text(into.collection)
        self._graphs = dict(zip(PLAIN, into.graphs, strict=True))
        self._blanks = BlankNames(archive)

    def placed(self, blank: Quad) -> Quad:
        quad = self._blanks.quad(blank)
        graph = self._graphs.get(quad.graph_name) if isinstance(quad.graph_name, NamedNode) else None
        if graph is None or not self._belongs(quad):
            raise UnreadableArchive(
                f"Its statement about {str(quad.subject)[:120]} belongs to no collection. Make the archive anew."
            )
        subject, object_ = quad.subject, quad.object
        if subject == self._from:
            subject = self._to
            object_ = self._name if quad.predicate == RDFS.label else object_
        if quad.predicate == TG.collection:
            object_ = self._to
        return Quad(subject, quad.predicate, object_, graph)

    def _belongs(self, quad: Quad) -> bool:
        """Of traces: what is of a session, and its agents. Of collections: the archive's own."""
        if quad.graph_name == PLAIN.retrieval:
            return bool(session_uuid(quad.subject)) or _is_agent(quad.subject)
        return not is_collection(quad.subject) or quad.subject == self._from


def _is_agent(node: Term) -> bool:
    return isinstance(node, NamedNode) and node.value.startswith(_AGENT)
