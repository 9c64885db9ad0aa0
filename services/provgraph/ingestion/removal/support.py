"""What still has something to stand on when some subgraphs and activities go: facts, entities, agents.

Each question binds a term and stops at the first answer that decides, so the cost is that of what goes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from typing import TypeVar

from provgraph.ports.quad_store import QuadPattern, StoreReader
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.terms import NamedNode, Quad, Triple
from provgraph.rdf.vocabulary import PROV, RDF, RDFS, TG

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
    found = []
    for fact in facts:
        if place == 1 and fact.predicate in (RDF.type, RDFS.label):
            continue
        if place == 2 and fact.predicate == RDF.type:
            continue
        term = (fact.subject, fact.predicate, fact.object)[place]
        if isinstance(term, NamedNode):
            found.append(term)
    return found


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
