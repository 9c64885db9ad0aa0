"""All that the store holds of a document, as a transaction sees it; found by bound patterns, from the document down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from provgraph.ports.quad_store import QuadPattern, StoreReader
from provgraph.rdf.terms import Literal, NamedNode, Quad, Triple
from provgraph.rdf.vocabulary import DC, PROV, RDF, TG


@dataclass
class Holdings:
    """`quads` are all that describe each node; the nodes of each kind are in no order.

    `origin` leads from a page to its document, a chunk to its page, a subgraph to its chunk, a quotation to its
    subgraph; `activities` are the ones that used or made each node.
    """

    document: NamedNode
    versions: list[NamedNode] = field(default_factory=list)
    pages: list[NamedNode] = field(default_factory=list)
    chunks: list[NamedNode] = field(default_factory=list)
    subgraphs: list[NamedNode] = field(default_factory=list)
    quotations: list[NamedNode] = field(default_factory=list)
    origin: dict[NamedNode, NamedNode] = field(default_factory=dict)
    activities: dict[NamedNode, list[NamedNode]] = field(default_factory=dict)
    quads: dict[NamedNode, list[Quad]] = field(default_factory=dict)

    @property
    def nodes(self) -> list[NamedNode]:
        return list(self.quads)

    @property
    def title(self) -> str:
        return self.text(self.document, DC.title)

    def text(self, node: NamedNode, predicate: NamedNode) -> str:
        value = self.value(node, predicate)
        return value.value if isinstance(value, Literal) else ""

    def integer(self, node: NamedNode, predicate: NamedNode) -> int:
        return int(self.text(node, predicate) or 0)

    def iri(self, node: NamedNode, predicate: NamedNode) -> NamedNode:
        value = self.value(node, predicate)
        if not isinstance(value, NamedNode):
            raise LookupError(f"{node} has no {predicate}")
        return value

    def value(self, node: NamedNode, predicate: NamedNode) -> object:
        return next((quad.object for quad in self.quads.get(node, ()) if quad.predicate == predicate), None)

    def facts(self, subgraph: NamedNode) -> list[Triple]:
        return [quad.object for quad in self.quads[subgraph] if isinstance(quad.object, Triple)]

    def below(self, nodes: Iterable[NamedNode]) -> set[NamedNode]:
        """The nodes, what was made of them, and the activities that did."""
        found = set(nodes)
        for node in (*self.chunks, *self.subgraphs, *self.quotations):  # each kind after what it is made of
            if self.origin.get(node) in found:
                found.add(node)
        return found | {activity for node in found for activity in self.activities.get(node, ())}


def read_holdings(reader: StoreReader, document: NamedNode, graph: NamedNode) -> Holdings | None:
    """What the source graph holds of a document; None for one that it does not have."""
    found = Holdings(document)
    read = _Reading(reader, graph, found)
    read.describe([document])
    if not any(quad.object == TG.Document for quad in found.quads[document]):
        return None
    found.versions = read.pointing(PROV.specialization_of, [document])
    read.derived([document])
    found.quotations = read.pointing(TG.in_subgraph, found.subgraphs)
    read.describe([*found.versions, *found.quotations])
    read.similarities(read.pointing(PROV.was_derived_from, found.versions))
    read.activities([*found.versions, *found.pages, *found.chunks, *found.subgraphs])
    return found


@dataclass(frozen=True)
class _Reading:
    reader: StoreReader
    graph: NamedNode
    found: Holdings

    def describe(self, nodes: Sequence[NamedNode]) -> None:
        described = self.reader.match([QuadPattern(node, graph=self.graph) for node in nodes])
        self.found.quads.update(zip(nodes, described, strict=True))

    def pointing(self, predicate: NamedNode, nodes: Sequence[NamedNode]) -> list[NamedNode]:
        """What points at the nodes, with its origin noted."""
        pointing = self.reader.match([QuadPattern(None, predicate, node, self.graph) for node in nodes])
        above = {
            quad.subject: node
            for node, quads in zip(nodes, pointing, strict=True)
            for quad in quads
            if isinstance(quad.subject, NamedNode)
        }
        self.found.origin.update(above)
        return list(above)

    def derived(self, level: Sequence[NamedNode]) -> None:
        """Pages, chunks and subgraphs, level by level: what is imported may have a subgraph at any of them."""
        kinds = {
            TG.Page: self.found.pages,
            TG.Chunk: self.found.chunks,
            TG.Subgraph: self.found.subgraphs,
        }
        while level := self.pointing(PROV.was_derived_from, level):
            self.describe(level)
            for node in level:
                for quad in self.found.quads[node]:
                    if quad.predicate == RDF.type and quad.object in kinds:
                        kinds[quad.object].append(node)  # type: ignore[index]

    def similarities(self, nodes: Sequence[NamedNode]) -> None:
        """What was found of how alike the document is to others, and with each what it says."""
        self.describe(nodes)
        for node in nodes:
            for fact in self.found.facts(node):
                said = Quad(fact.subject, fact.predicate, fact.object, self.graph)
                self.found.quads[node].append(said)

    def activities(self, nodes: Sequence[NamedNode]) -> None:
        """Those that used a node, under that node; those that made a subgraph, under the subgraph.

        A chunk is used by every extractor, and each activity goes with what it made.
        """
        used = self.reader.match([QuadPattern(None, PROV.used, node, self.graph) for node in nodes])
        made = {activity: node for node in self.found.subgraphs for activity in self._makers(node)}
        for node, quads in zip(nodes, used, strict=True):
            for activity in (quad.subject for quad in quads):
                if isinstance(activity, NamedNode):
                    self.found.activities.setdefault(made.get(activity, node), []).append(activity)
        for activity, node in made.items():
            if activity not in self.found.activities.get(node, ()):
                self.found.activities.setdefault(node, []).append(activity)
        self.describe([activity for ran in list(self.found.activities.values()) for activity in ran])

    def _makers(self, node: NamedNode) -> Iterator[NamedNode]:
        for quad in self.found.quads[node]:
            if quad.predicate == PROV.was_generated_by and isinstance(quad.object, NamedNode):
                yield quad.object
