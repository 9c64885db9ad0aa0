"""All that the store holds of a document, and what goes with its nodes: facts without a source, agents
without a task, words that answers cite."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TypeVar

from provgraph.catalogue.naming import is_statement
from provgraph.ports.quad_store import QuadPattern, StoreReader
from provgraph.provenance.change import PastQuotation
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.terms import Literal, NamedNode, Quad, Triple
from provgraph.rdf.vocabulary import DC, PROV, RDF, RDFS, TG
from provgraph.traces.stale_answers import Loss, Losses


@dataclass
class DocumentClosure:
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
        named_nodes = set(nodes)
        for node in (*self.chunks, *self.subgraphs, *self.quotations):  # each kind after what it is made of
            if self.origin.get(node) in named_nodes:
                named_nodes.add(node)
        return named_nodes | {activity for node in named_nodes for activity in self.activities.get(node, ())}


def read_closure(reader: StoreReader, document: NamedNode, graph: NamedNode) -> DocumentClosure | None:
    """What the source graph holds of a document; None for one that it does not have."""
    closure = DocumentClosure(document)
    read = _Reading(reader, graph, closure)
    read.describe([document])
    if not any(quad.object == TG.Document for quad in closure.quads[document]):
        return None
    closure.versions = read.pointing(PROV.specialization_of, [document])
    read.derived([document])
    closure.quotations = read.pointing(TG.in_subgraph, closure.subgraphs)
    entries = [quad.object for quad in closure.quads[document] if quad.predicate == TG.metadata]
    read.describe([entry for entry in entries if isinstance(entry, NamedNode)])
    read.describe([*closure.versions, *closure.quotations])
    read.similarities(read.pointing(PROV.was_derived_from, closure.versions))
    read.activities([document, *closure.versions, *closure.pages, *closure.chunks, *closure.subgraphs])
    return closure


@dataclass(frozen=True)
class _Reading:
    reader: StoreReader
    graph: NamedNode
    found: DocumentClosure

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
                quad = Quad(fact.subject, fact.predicate, fact.object, self.graph)
                self.found.quads[node].append(quad)

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


Thing = TypeVar("Thing")


@dataclass(frozen=True)
class LostSupport:
    """Of the facts that lost a source: those that go, those that stay, and the entities that go with the first."""

    gone: frozenset[Triple]
    kept: frozenset[Triple]
    entities: frozenset[NamedNode]


def lost_support(
    reader: StoreReader, graphs: CollectionGraphs, facts_of: Mapping[NamedNode, Iterable[Triple]]
) -> LostSupport:
    """What becomes of the facts of subgraphs that go."""
    said = Counter(fact for facts in facts_of.values() for fact in facts)
    standing = _standing(
        reader, said, lambda fact: QuadPattern(None, TG.contains, fact, graphs.source), set(facts_of)
    )
    gone = frozenset(said.keys() - standing)
    return LostSupport(gone, frozenset(standing), _unused(reader, graphs.knowledge, gone))


def orphaned_agents(
    reader: StoreReader, graph: NamedNode, going: Set[NamedNode], quads: Iterable[Quad]
) -> set[NamedNode]:
    """The agents of activities that go, among `quads`, which no activity that stays is associated with."""
    named = Counter(
        quad.object
        for quad in quads
        if quad.predicate == PROV.was_associated_with and isinstance(quad.object, NamedNode)
    )
    standing = _standing(
        reader, named, lambda agent: QuadPattern(None, PROV.was_associated_with, agent, graph), going
    )
    return set(named) - standing


def _unused(reader: StoreReader, graph: NamedNode, gone: frozenset[Triple]) -> frozenset[NamedNode]:
    """The entities and relations of these facts that no other fact of the graph uses."""
    unused: set[NamedNode] | None = None
    places: tuple[Callable[[NamedNode], QuadPattern], ...] = (
        lambda node: QuadPattern(node, None, None, graph),
        lambda node: QuadPattern(None, node, None, graph),
        lambda node: QuadPattern(None, None, node, graph),
    )
    uses = [Counter(_nodes(gone, place)) for place in range(3)]
    nodes = {node for counted in uses for node in counted}
    for pattern, counted in zip(places, uses, strict=True):
        asked = Counter({node: counted[node] for node in nodes})
        standing = {
            node
            for node, quads in _found(reader, asked, pattern)
            if any(quad.triple not in gone for quad in quads)
        }
        nodes -= standing
        unused = nodes
    return frozenset(unused or ())


def _nodes(facts: Iterable[Triple], place: int) -> list[NamedNode]:
    """The named nodes at one place of the facts; classes, `rdf:type` and `rdfs:label` name what is always there."""
    nodes = []
    for fact in facts:
        if place == 1 and fact.predicate in (RDF.type, RDFS.label):
            continue
        if place == 2 and fact.predicate == RDF.type:
            continue
        term = (fact.subject, fact.predicate, fact.object)[place]
        if isinstance(term, NamedNode):
            nodes.append(term)
    return nodes


def _standing(
    reader: StoreReader,
    counted: Mapping[Thing, int],
    pattern: Callable[[Thing], QuadPattern],
    going: Set[NamedNode],
) -> set[Thing]:
    """The things at which something points that does not go."""
    return {
        thing
        for thing, quads in _found(reader, counted, pattern)
        if any(quad.subject not in going for quad in quads)
    }


def _found(
    reader: StoreReader, counted: Mapping[Thing, int], pattern: Callable[[Thing], QuadPattern]
) -> Iterable[tuple[Thing, list[Quad]]]:
    """For each thing one quad more than are counted: of so many, one must be another."""
    by_count: dict[int, list[Thing]] = defaultdict(list)
    for thing, count in counted.items():
        by_count[count].append(thing)
    for count, things in by_count.items():
        found = reader.match([pattern(thing) for thing in things], limit=count + 1)
        yield from zip(things, found, strict=True)


def losses(
    closure: DocumentClosure, facts_of: Mapping[NamedNode, Iterable[Triple]], gone: Collection[Triple]
) -> list[Loss]:
    """The statements among the facts that each subgraph no longer says; `gone` are those with no source left."""
    said = _quoted(closure)
    found = []
    for subgraph, facts in facts_of.items():
        activities = closure.activities.get(subgraph, ())
        read_at = next((closure.text(activity, PROV.started_at_time) for activity in activities), "")
        for fact in facts:
            if is_statement(fact):
                words = tuple(_lost(closure, node) for node in said[subgraph, fact])
                found.append(Loss(fact, read_at, fact in gone, words))
    return found


def _quoted(closure: DocumentClosure) -> dict[tuple[NamedNode, Triple], list[NamedNode]]:
    """The quotations of each fact, by subgraph."""
    said: dict[tuple[NamedNode, Triple], list[NamedNode]] = defaultdict(list)
    for quotation in closure.quotations:
        for fact in closure.facts(quotation):
            said[closure.origin[quotation], fact].append(quotation)
    return said


def _lost(closure: DocumentClosure, quotation: NamedNode) -> PastQuotation:
    page = closure.iri(quotation, PROV.was_quoted_from)
    return PastQuotation(
        quotation=quotation,
        page=page,
        page_number=closure.integer(page, TG.page_number),
        document=closure.document,
        title=closure.title,
        offset=closure.integer(quotation, TG.source_char_offset),
        text=closure.text(quotation, TG.source_text),
        confidence=closure.text(quotation, TG.confidence),
    )


@dataclass(frozen=True)
class CascadeChange:
    """`nodes` are all that go; `removed` their quads and those of what goes with them."""

    nodes: Set[NamedNode]
    removed: list[Quad]
    support: LostSupport
    losses: Losses

    def counts(self, closure: DocumentClosure) -> dict[NamedNode, int]:
        return {
            TG.removed_pages: len(self.nodes & set(closure.pages)),
            TG.removed_chunks: len(self.nodes & set(closure.chunks)),
            TG.removed_subgraphs: len(self.nodes & set(closure.subgraphs)),
            TG.removed_facts: len(self.support.gone),
            TG.kept_facts: len(self.support.kept),
            TG.removed_entities: len(self.support.entities),
        }


def taken(
    reader: StoreReader,
    graphs: CollectionGraphs,
    closure: DocumentClosure,
    nodes: Set[NamedNode],
    coming: Iterable[Quad] = (),
) -> CascadeChange:
    """What goes with these nodes, where `coming` is written in the same transaction."""
    going = [quad for node in nodes for quad in closure.quads[node]]
    facts_of = {node: closure.facts(node) for node in closure.subgraphs if node in nodes}
    support = lost_support(reader, graphs, facts_of)
    needed = {quad.object for quad in coming if quad.predicate == PROV.was_associated_with}
    agents = orphaned_agents(reader, graphs.source, nodes, going) - needed
    described = reader.match([QuadPattern(agent, graph=graphs.source) for agent in agents])
    facts = (Quad(fact.subject, fact.predicate, fact.object, graphs.knowledge) for fact in support.gone)
    removed = [*going, *(quad for quads in described for quad in quads), *facts]
    lost = Losses(losses(closure, facts_of, support.gone), [node for node in closure.chunks if node in nodes])
    return CascadeChange(nodes, removed, support, lost)
