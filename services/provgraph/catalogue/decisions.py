"""What people decided of entities, that two are one or are not: read, recorded, and taken back. Facts are
never touched."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from uuid import uuid4

from provgraph.catalogue.collections import Collections
from provgraph.catalogue.naming import called, patterns_around
from provgraph.errors import Conflict, InvalidInput, NotFound
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.provenance.resolution import DecisionRecord, ResolutionVerdict, decision_quads, undoing_quads
from provgraph.rdf import literals
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import person_iri, resolution_iri
from provgraph.rdf.terms import NamedNode, Quad, nodes_of, text_of
from provgraph.rdf.vocabulary import PROV, RDF, TG


@dataclass(frozen=True)
class IdentityDecision:
    """`entities` are two, in order, or one that is said to be one thing. `undone` is when it was taken back."""

    iri: NamedNode
    verdict: ResolutionVerdict
    entities: tuple[str, ...]
    by: str = ""
    at: str = ""
    undone: str = ""

    @property
    def pair(self) -> frozenset[str]:
        return frozenset(self.entities)


@dataclass(frozen=True)
class Decisions:
    """Decisions that stand, looked up by the entities that they are about."""

    standing: tuple[IdentityDecision, ...] = ()
    _by_pair: Mapping[frozenset[str], IdentityDecision] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        ordered = sorted(self.standing, key=lambda decision: (decision.at, decision.iri.value))
        object.__setattr__(self, "_by_pair", {decision.pair: decision for decision in ordered})

    def of(self, *entities: str) -> IdentityDecision | None:
        """The last decision on exactly these entities."""
        return self._by_pair.get(frozenset(entities))

    def say(self, verdict: ResolutionVerdict, *entities: str) -> bool:
        decision = self.of(*entities)
        return decision is not None and decision.verdict is verdict

    def naming(self, entity: str) -> list[IdentityDecision]:
        return [decision for pair, decision in self._by_pair.items() if entity in pair]

    def one_with(self, entity: str) -> set[str]:
        """All that people decided to be one with an entity, itself included, step by step."""
        found, level = {entity}, {entity}
        while level:
            joined = (d for e in level for d in self.naming(e) if d.verdict is ResolutionVerdict.SAME)
            level = {other for decision in joined for other in decision.entities} - found
            found |= level
        return found


async def read_decisions(store: QuadStore, graph: NamedNode) -> list[IdentityDecision]:
    """Every decision in a source graph, undone ones too, in the order in which they were made."""
    (found,) = await store.match([QuadPattern(None, RDF.type, TG.Resolution, graph)])
    nodes = [quad.subject for quad in found if isinstance(quad.subject, NamedNode)]
    if not nodes:
        return []
    described = await store.match([QuadPattern(node, graph=graph) for node in nodes])
    decisions = (_decision(node, quads) for node, quads in zip(nodes, described, strict=True))
    return sorted(decisions, key=lambda decision: (decision.at, decision.iri.value))


async def standing_decisions(store: QuadStore, graph: NamedNode) -> Decisions:
    return Decisions(
        tuple(decision for decision in await read_decisions(store, graph) if not decision.undone)
    )


def _decision(node: NamedNode, quads: Sequence[Quad]) -> IdentityDecision:
    by = next(iter(nodes_of(quads, PROV.was_attributed_to)), None)
    return IdentityDecision(
        iri=node,
        verdict=ResolutionVerdict(text_of(quads, TG.verdict)),
        entities=tuple(sorted(node.value for node in nodes_of(quads, TG.resolved_entity))),
        by=by.value if by else "",
        at=text_of(quads, PROV.generated_at_time),
        undone=text_of(quads, PROV.invalidated_at_time),
    )


@dataclass(frozen=True)
class DecisionWriter:
    """`now` is the clock."""

    collections: Collections
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    async def decide(
        self, verdict: ResolutionVerdict, names: Sequence[str], collection: str, by: str
    ) -> IdentityDecision:
        """Record a decision of two entities, by name or IRI; the one name twice says that it is one thing.

        The same decision again changes nothing, and one to the contrary on the same entities is undone by it. Raises
        `Conflict` where other decisions say otherwise, step by step; `NotFound` and `InvalidInput` for a name that no
        entity has, or several have.
        """
        graphs = await self.collections.require(collection)
        entities = await self._entities(names, graphs)
        if verdict is ResolutionVerdict.APART and len(entities) < 2:
            raise InvalidInput("An entity cannot be kept apart from itself. Name two.")
        standing = await standing_decisions(self.collections.store, graphs.source)
        known = standing.of(*(entity.value for entity in entities))
        if known and known.verdict is verdict:
            return known
        others = Decisions(tuple(decision for decision in standing.standing if decision != known))
        _require_agreement(verdict, entities, others)
        record = DecisionRecord(resolution_iri(str(uuid4())), verdict, entities, by, self.now())
        undone = undoing_quads(known.iri, by, record.at, graphs.source) if known else []
        await self.collections.store.add([*decision_quads(record, graphs.source), *undone])
        pair = tuple(entity.value for entity in entities)
        return IdentityDecision(record.iri, verdict, pair, person_iri(by).value, _date_text(record.at))

    async def undo(self, names: Sequence[str], collection: str, by: str) -> IdentityDecision:
        """Take back what was decided of these entities. Raises `NotFound` where nothing was."""
        graphs = await self.collections.require(collection)
        entities = await self._entities(names, graphs, also_gone=True)
        standing = await standing_decisions(self.collections.store, graphs.source)
        known = standing.of(*(entity.value for entity in entities))
        if known is None:
            raise NotFound(
                "No decision is recorded for these. List decisions with 'provgraph entities NAME'."
            )
        at = self.now()
        await self.collections.store.add(undoing_quads(known.iri, by, at, graphs.source))
        return replace(known, undone=_date_text(at))

    async def _entities(
        self, names: Sequence[str], graphs: CollectionGraphs, *, also_gone: bool = False
    ) -> tuple[NamedNode, ...]:
        nodes = {await self._entity(name, graphs, also_gone=also_gone) for name in names}
        return tuple(sorted(nodes, key=lambda node: node.value))

    async def _entity(self, name: str, graphs: CollectionGraphs, *, also_gone: bool) -> NamedNode:
        """The entity of this name; with `also_gone` one that stands in no fact any more, too."""
        nodes = await called(self.collections.store, graphs.knowledge, name)
        found = await self.collections.store.match(patterns_around(nodes, graphs.knowledge), limit=1)
        there = [
            node for node, at in zip(nodes, range(0, len(found), 2), strict=True) if any(found[at : at + 2])
        ]
        if not there and also_gone and nodes:
            return nodes[0]
        if not there:
            raise NotFound(
                f"No entity is named {name[:200]!r}. Look up names with 'provgraph entities NAME'."
            )
        if len(there) > 1:
            listed = ", ".join(node.value for node in there[:5])
            raise InvalidInput(
                f"{len(there)} entities are named {name[:200]!r}. Name one by its IRI: {listed}."
            )
        return there[0]


def _date_text(at: datetime) -> str:
    """A moment as the store has it."""
    return literals.date_time(at).value


def _require_agreement(verdict: ResolutionVerdict, entities: Sequence[NamedNode], others: Decisions) -> None:
    one, other = entities[0].value, entities[-1].value
    mine, theirs = others.one_with(one), others.one_with(other)
    if verdict is ResolutionVerdict.APART and other in mine:
        raise Conflict("Other decisions make these one, step by step. Undo one of those first.")
    if verdict is ResolutionVerdict.SAME and one != other:
        parted = [(a, b) for a in mine for b in theirs if others.say(ResolutionVerdict.APART, a, b)]
        if parted:
            raise Conflict("Other decisions keep apart what this would join. Undo those first.")
