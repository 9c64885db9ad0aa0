"""What people decided of entities: that two are one, or that they are not. Decisions win over every rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.provenance.resolution import Verdict
from provgraph.rdf.terms import NamedNode, Quad, nodes_of, text_of
from provgraph.rdf.vocabulary import PROV, RDF, TG


@dataclass(frozen=True)
class Decision:
    """`entities` are two, in order, or one that is said to be one thing. `undone` is when it was taken back."""

    iri: NamedNode
    verdict: Verdict
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

    standing: tuple[Decision, ...] = ()
    _by_pair: Mapping[frozenset[str], Decision] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        ordered = sorted(self.standing, key=lambda decision: (decision.at, decision.iri.value))
        object.__setattr__(self, "_by_pair", {decision.pair: decision for decision in ordered})

    def of(self, *entities: str) -> Decision | None:
        """The last decision on exactly these entities."""
        return self._by_pair.get(frozenset(entities))

    def say(self, verdict: Verdict, *entities: str) -> bool:
        found = self.of(*entities)
        return found is not None and found.verdict is verdict

    def naming(self, entity: str) -> list[Decision]:
        return [decision for pair, decision in self._by_pair.items() if entity in pair]

    def one_with(self, entity: str) -> set[str]:
        """All that people decided to be one with an entity, itself included, step by step."""
        found, level = {entity}, {entity}
        while level:
            joined = (d for e in level for d in self.naming(e) if d.verdict is Verdict.SAME)
            level = {other for decision in joined for other in decision.entities} - found
            found |= level
        return found


async def read_decisions(store: QuadStore, graph: NamedNode) -> list[Decision]:
    """Every decision in a source graph, undone ones too, in the order in which they were made."""
    (found,) = await store.match([QuadPattern(None, RDF.type, TG.Resolution, graph)])
    nodes = [quad.subject for quad in found if isinstance(quad.subject, NamedNode)]
    described = await store.match([QuadPattern(node, graph=graph) for node in nodes])
    decisions = (_decision(node, quads) for node, quads in zip(nodes, described, strict=True))
    return sorted(decisions, key=lambda decision: (decision.at, decision.iri.value))


async def standing_decisions(store: QuadStore, graph: NamedNode) -> Decisions:
    return Decisions(
        tuple(decision for decision in await read_decisions(store, graph) if not decision.undone)
    )


def _decision(node: NamedNode, quads: Sequence[Quad]) -> Decision:
    by = next(iter(nodes_of(quads, PROV.was_attributed_to)), None)
    return Decision(
        iri=node,
        verdict=Verdict(text_of(quads, TG.verdict)),
        entities=tuple(sorted(node.value for node in nodes_of(quads, TG.resolved_entity))),
        by=by.value if by else "",
        at=text_of(quads, PROV.generated_at_time),
        undone=text_of(quads, PROV.invalidated_at_time),
    )
