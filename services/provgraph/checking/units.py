"""What belongs together: a page with all that was made of it, a document version, a session.

A unit is what is written in one go and can be judged by itself. Its signature tells when its activities ran, so
a unit that is made again, or to which another extractor adds, is a new one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.iris import digest
from provgraph.rdf.terms import NamedNode, Quad, Term
from provgraph.rdf.vocabulary import PROV, RDF, TG


@dataclass(frozen=True)
class CheckUnit:
    """`root` is the page, document version, or session; `final` is false while the unit may still grow."""

    root: NamedNode
    signature: str
    final: bool = True


@dataclass(frozen=True)
class UnitLinks:
    """Which links lead to the other nodes of a unit: `inward` to what points at a member, then `outward`."""

    inward: tuple[NamedNode, ...]
    outward: tuple[NamedNode, ...]


SOURCE_LINKS = UnitLinks(
    inward=(PROV.was_derived_from, PROV.used, TG.in_subgraph),
    outward=(
        PROV.was_associated_with,
        PROV.was_derived_from,
        PROV.was_generated_by,
        PROV.was_quoted_from,
        PROV.specialization_of,
        PROV.used,
        TG.document_version,
    ),
)
TRACE_LINKS = UnitLinks(
    inward=(
        PROV.was_generated_by,
        TG.candidate_of,
        TG.resolution_of,
        TG.sentence_of,
        TG.derivation_of,
    ),
    outward=(
        PROV.used,
        PROV.was_associated_with,
        PROV.was_derived_from,
        PROV.was_attributed_to,
        TG.selected_edge,
        TG.selected_chunk,
        TG.quotation,
        TG.supported_by,
    ),
)


async def source_units(store: QuadStore, graph: NamedNode) -> list[CheckUnit]:
    """The units of a source graph, found by three scans of short predicates."""
    started, used, derived = await store.match(
        [
            QuadPattern(predicate=predicate, graph=graph)
            for predicate in (PROV.started_at_time, PROV.used, PROV.was_derived_from)
        ]
    )
    parents: dict[Term, Term] = {quad.subject: quad.object for quad in derived}
    runs: dict[Term, list[str]] = defaultdict(list)
    for node in parents:
        runs[_root(node, parents)]
    moments = {quad.subject: str(quad) for quad in started}
    for quad in used:
        runs[_root(quad.object, parents)].append(moments.get(quad.subject, ""))
    return [CheckUnit(root, _signature(ran)) for root, ran in runs.items() if isinstance(root, NamedNode)]


async def trace_units(store: QuadStore, graph: NamedNode, collection: NamedNode) -> list[CheckUnit]:
    """The sessions that asked this collection."""
    asked, ended = await store.match(
        [
            QuadPattern(predicate=TG.collection, object=collection, graph=graph),
            QuadPattern(predicate=PROV.ended_at_time, graph=graph),
        ]
    )
    ends = {quad.subject: str(quad) for quad in ended}
    return [
        CheckUnit(quad.subject, _signature([ends.get(quad.subject, "")]), final=quad.subject in ends)
        for quad in asked
        if isinstance(quad.subject, NamedNode)
    ]


async def unit_quads(
    store: QuadStore, graph: NamedNode, roots: Iterable[NamedNode], links: UnitLinks
) -> list[Quad]:
    """All quads of these units: their members, and what the members lead to."""
    members = await _inward(store, graph, set(roots), links.inward)
    return await _outward(store, graph, members, links.outward)


async def types_beyond(store: QuadStore, graph: NamedNode, quads: Sequence[Quad]) -> list[Quad]:
    """The types of nodes that these quads link to and do not describe, since they belong to other units."""
    described = {quad.subject for quad in quads}
    linked = {quad.object for quad in quads if isinstance(quad.object, NamedNode)} - described
    found = await store.match([QuadPattern(node, RDF.type, None, graph) for node in linked])
    return [quad for own in found for quad in own]


async def _inward(
    store: QuadStore, graph: NamedNode, nodes: set[NamedNode], predicates: Sequence[NamedNode]
) -> set[NamedNode]:
    members, level = set(nodes), nodes
    while level:
        patterns = [QuadPattern(None, predicate, node, graph) for node in level for predicate in predicates]
        found = await store.match(patterns)
        level = {q.subject for quads in found for q in quads if isinstance(q.subject, NamedNode)} - members
        members |= level
    return members


async def _outward(
    store: QuadStore, graph: NamedNode, nodes: set[NamedNode], predicates: Sequence[NamedNode]
) -> list[Quad]:
    described: list[Quad] = []
    seen, level = set(nodes), nodes
    while level:
        found = await store.match([QuadPattern(subject=node, graph=graph) for node in level])
        quads = [quad for own in found for quad in own]
        described += quads
        targets = {q.object for q in quads if q.predicate in predicates and isinstance(q.object, NamedNode)}
        level = targets - seen
        seen |= level
    return described


def _root(node: Term, parents: Mapping[Term, Term]) -> Term:
    """The last before the document on the way up: a page, or what no page is above."""
    path = [node]
    while (above := parents.get(path[-1])) is not None and above not in path:
        path.append(above)
    return path[-2] if len(path) > 1 else node


def _signature(runs: Iterable[str]) -> str:
    return digest("\n".join(sorted(runs)).encode())
