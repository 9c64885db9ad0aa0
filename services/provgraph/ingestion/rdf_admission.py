"""Which statements of an RDF file may join what is stored: whole new documents and sessions, and nothing else.

Whoever can write a file of RDF can write anything into it. So a file never adds to a document that was read here, nor
to a session that was answered here. That is looked up in the store and not only in the file; what it does bring gets a
receipt.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.errors import Conflict
from provgraph.ports.quad_store import QuadPattern, StoreReader
from provgraph.provenance.receipt import ReceivedFile, ReceivedUnits
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import SessionNames, is_collection, session_uuid
from provgraph.rdf.terms import NamedNode, Quad, Term, Triple, named
from provgraph.rdf.vocabulary import PROV, RDF, RDFS, TG

_SHARED: Final = frozenset({PROV.Agent, TG.Collection})
"""What many things are tied to, and of which the store's own description stands."""

_Node = tuple[NamedNode, NamedNode]
"""What is described, and the graph in which it is."""


@dataclass(frozen=True)
class AdmittedRdf:
    """`quads` may be written, `restored` of them from the file, the rest its receipts; `facts` were asserted in it
    without a source of their own.

    `left_out` counts statements on sessions, agents and the collection that the store knows: those stand as they are.
    """

    quads: tuple[Quad, ...] = ()
    restored: int = 0
    facts: tuple[Triple, ...] = ()
    left_out: int = 0

    @property
    def documents(self) -> list[NamedNode]:
        return [named(quad.subject) for quad in self.quads if _says(quad, TG.Document)]


@dataclass(frozen=True)
class RdfAdmission:
    """Decides on the quads of one file, placed in the graphs of their collection."""

    reader: StoreReader
    graphs: CollectionGraphs

    def admitted(self, coming: Sequence[Quad], file: ReceivedFile) -> AdmittedRdf:
        """Raises `Conflict` for a file that would add to a document which the store has, and names it."""
        stored = self.reader.contains(coming)
        fresh = [quad for quad, is_stored in zip(coming, stored, strict=True) if not is_stored]
        said = [quad for quad in fresh if quad.graph_name != self.graphs.knowledge]
        kept = self._without_known_sessions(said)
        new = self._only_of_new_nodes(kept)
        self._refuse_additions(new)
        contained = {quad.object for quad in new if quad.predicate == TG.contains}
        knowledge = [quad for quad in fresh if quad.graph_name == self.graphs.knowledge]
        with_source = [quad for quad in knowledge if quad.triple in contained]
        without = tuple(quad.triple for quad in knowledge if quad.triple not in contained)
        units = ReceivedUnits(file, self.graphs)
        units.note(new)
        own = (*new, *with_source)
        left_out = len(fresh) - len(knowledge) - len(new)
        return AdmittedRdf((*own, *units.quads()), len(own), without, left_out)

    def _without_known_sessions(self, quads: Sequence[Quad]) -> list[Quad]:
        """What says something of a session that the store has is left out, whatever the file calls it."""
        uuids = {session_uuid(term) for quad in quads for term in (quad.subject, quad.object)} - {""}
        graph = self.graphs.retrieval
        names = sorted(uuids)
        found = self.reader.match(
            [QuadPattern(SessionNames(uuid).session, None, None, graph) for uuid in names], limit=1
        )
        known = {uuid for uuid, described in zip(names, found, strict=True) if described}
        return [quad for quad in quads if not {session_uuid(quad.subject), session_uuid(quad.object)} & known]

    def _only_of_new_nodes(self, quads: Sequence[Quad]) -> list[Quad]:
        types = self._stored_types((named(quad.subject), named(quad.graph_name)) for quad in quads)
        kept = []
        for quad in quads:
            stored = types[named(quad.subject), named(quad.graph_name)]
            if not stored:
                kept.append(quad)
            elif not stored & _SHARED and not is_collection(quad.subject):
                raise _addition(quad.subject)
        return kept

    def _refuse_additions(self, new: Sequence[Quad]) -> None:
        """A new node that is tied to one of another document, read here, would become part of that document."""
        links = [
            quad
            for quad in new
            if isinstance(quad.object, NamedNode) and quad.predicate not in (RDF.type, RDFS.label)
        ]
        types = self._stored_types((named(quad.object), named(quad.graph_name)) for quad in links)
        for quad in links:
            stored = types[named(quad.object), named(quad.graph_name)]
            if stored and not stored & _SHARED:
                raise _addition(quad.object)

    def _stored_types(self, nodes: Iterable[_Node]) -> dict[_Node, set[Term]]:
        """What the store says each is; nothing for one that it does not describe."""
        keys = list(dict.fromkeys(nodes))
        found = self.reader.match([QuadPattern(node, RDF.type, None, graph) for node, graph in keys])
        return {key: {quad.object for quad in quads} for key, quads in zip(keys, found, strict=True)}


def _says(quad: Quad, kind: NamedNode) -> bool:
    return quad.predicate == RDF.type and quad.object == kind


def _addition(node: Term) -> Conflict:
    iri = named(node).value
    document = iri.partition("/version/")[0].partition("/chunk/")[0]
    return Conflict(
        f"The file says something of {document[:200]}, which is stored here, that is not stored here. "
        "Nothing was imported. A file of RDF adds no fact to a document and no step to an answer: "
        "import it into another collection, or delete the document first."
    )
