"""The statements of an archive, in the graphs of the collection that they go into: which are new to it, and
which it contradicts."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Final

from provgraph.archiving.archive_file import Package
from provgraph.archiving.collection_export import GRAPHS, PLAIN, KeptContent, words_of
from provgraph.archiving.snapshot import WITH_CONTENT
from provgraph.catalogue.naming import quotes_a_name
from provgraph.documents.library import Library, companion_of
from provgraph.errors import Conflict, UnreadableArchive
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.provenance.receipt import ReceivedUnits
from provgraph.rdf import literals
from provgraph.rdf.batches import in_batches
from provgraph.rdf.graphs import CollectionGraphs, collection_graphs
from provgraph.rdf.iris import SessionNames, agent_iri, collection_iri, is_collection, session_uuid
from provgraph.rdf.terms import BlankNames, NamedNode, Quad, Term, named
from provgraph.rdf.untrusted import archived_quads
from provgraph.rdf.vocabulary import PROV, RDF, RDFS, TG

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
        parsed = in_batches(lambda: map(place.placed, archived_quads(part)), _BATCH)
        try:
            async with aclosing(parsed):
                async for batch in parsed:
                    yield batch
        except (SyntaxError, ValueError) as error:
            raise UnreadableArchive(
                f"{GRAPHS} in it cannot be read ({error}). Create the archive again."
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
                f"Its statement about {str(quad.subject)[:120]} belongs to no collection. Create the archive again."
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


_Node = tuple[NamedNode, NamedNode]
"""What is described, and the graph in which it is."""

_FIRST_STANDS: Final = frozenset({PROV.Activity, PROV.Agent, TG.Collection})


@dataclass
class ImportComparison:
    """Sees all statements, then all contents. Changes nothing."""

    store: QuadStore
    library: Library
    into: Destination
    received: ReceivedUnits
    documents: set[str] = field(default_factory=set)
    describes_collection: bool = False
    _owners: set[str] = field(default_factory=set)
    _sessions: dict[str, bool] = field(default_factory=dict)

    async def new_quads(self, batch: Sequence[Quad]) -> list[Quad]:
        """Those that the store lacks and is to have. Raises `Conflict`, naming the document."""
        self._note_owners(batch)
        stored = await self._beside.contains(batch)
        fresh = [quad for quad, is_stored in zip(batch, stored, strict=True) if not is_stored]
        await self._note_sessions(batch)
        types = await self._types(fresh)
        await self._refuse_other_versions(fresh)
        new = [quad for quad in fresh if self._is_new(quad, types)]
        self.received.note(new)
        return new

    def receipts(self) -> list[Quad]:
        """What marks all that is new as received. To be asked for when all statements were seen."""
        return self.received.quads()

    async def is_new(self, kept: KeptContent, content: bytes) -> bool:
        """Whether the library is to have this content. Raises `Conflict` when it holds another under the IRI.

        Raises `UnreadableArchive` for content of nothing that the archive describes.
        """
        node = NamedNode(kept.iri)
        if not self._has_owner(kept):
            raise UnreadableArchive(f"It has content for {kept.iri[:120]}, which it does not describe.")
        collection = self.destination_of(kept)
        (is_held,) = await self.library.holds(collection, [node])
        if not is_held:
            return True
        is_beside = companion_of(node) != node  # what is known beside a page: another reader may know more
        if kept.of == "traces" or is_beside or await self.library.content(collection, node) == content:
            return False
        raise self._conflict(kept.iri)

    @property
    def _beside(self) -> QuadStore:
        """Where the statements go. Whether there is a session is asked of the whole store: there is one of its name."""
        return self.store.of(self.into.collection)

    def destination_of(self, kept: KeptContent) -> str:
        return self.into.explain_collection if kept.of == "traces" else self.into.collection

    def _has_owner(self, kept: KeptContent) -> bool:
        if kept.of == "collection":
            return kept.iri in self._owners or companion_of(NamedNode(kept.iri)).value in self._owners
        uuid = next((part for part in kept.iri.split(":") if part in self._sessions), "")
        return bool(uuid) and kept.iri.startswith(tuple(words_of(uuid)))

    def _note_owners(self, batch: Iterable[Quad]) -> None:
        traces = self.into.graphs.retrieval
        for quad in batch:
            if quad.predicate == PROV.was_quoted_from and quad.graph_name == traces:
                self._owners.add(named(quad.object).value)  # a page that the trace itself quotes
            if quad.predicate != RDF.type:
                continue
            self.describes_collection |= quad.object == TG.Collection
            if quad.object in WITH_CONTENT:
                self._owners.add(named(quad.subject).value)
            if quad.object == TG.Document:
                self.documents.add(named(quad.subject).value)

    async def _note_sessions(self, batch: Iterable[Quad]) -> None:
        """Which sessions of the archive the store has; asked once for each, before anything is written."""
        found = {session_uuid(q.subject) for q in batch if q.graph_name == self.into.graphs.retrieval}
        unknown = sorted(found - self._sessions.keys() - {""})
        graph = self.into.graphs.retrieval
        markers = [Quad(SessionNames(uuid).session, RDF.type, TG.Session, graph) for uuid in unknown]
        self._sessions.update(zip(unknown, await self.store.contains(markers), strict=True))

    async def _types(self, fresh: Iterable[Quad]) -> dict[_Node, set[Term]]:
        """What the store says its subjects are; nothing for one that it does not describe."""
        facts = self.into.graphs.knowledge
        keys = list(dict.fromkeys(_node(quad) for quad in fresh if quad.graph_name != facts))
        patterns = [QuadPattern(subject, RDF.type, None, graph) for subject, graph in keys]
        found = await self._beside.match(patterns)
        return {key: {quad.object for quad in quads} for key, quads in zip(keys, found, strict=True)}

    def _is_new(self, quad: Quad, types: dict[_Node, set[Term]]) -> bool:
        if quad.graph_name == self.into.graphs.knowledge:
            return True
        if self._sessions.get(session_uuid(quad.subject)):
            return False
        stored = types[_node(quad)]
        if not stored:
            return True
        if stored & _FIRST_STANDS or quotes_a_name(quad):
            return False
        raise self._conflict(named(quad.subject).value)

    async def _refuse_other_versions(self, fresh: Iterable[Quad]) -> None:
        versions = [quad for quad in fresh if quad.predicate == PROV.specialization_of]
        graph = self.into.graphs.source
        patterns = [QuadPattern(None, PROV.specialization_of, quad.object, graph) for quad in versions]
        for quad, others in zip(versions, await self.store.match(patterns, limit=1), strict=True):
            if others:
                raise self._conflict(named(quad.object).value)

    def _conflict(self, iri: str) -> Conflict:
        document = iri.partition("/version/")[0].partition("/chunk/")[0]
        return Conflict(
            f"The collection {self.into.collection!r} holds {document[:200]} with other content than the archive. "
            "Nothing was imported. Import it into a collection of another name, with --collection."
        )


def _node(quad: Quad) -> _Node:
    return named(quad.subject), named(quad.graph_name)
