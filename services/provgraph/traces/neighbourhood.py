"""Facts of a collection as a graph: those around some things, or all, of some relations and of some years."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.catalogue.naming import fact_terms, is_statement, labels, patterns_around
from provgraph.catalogue.sources import SourceReader
from provgraph.errors import NotFound
from provgraph.pictures.graph import DrawnEdge, DrawnNode, Emphasis
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.terms import Literal, NamedNode, Triple
from provgraph.traces.drawings import Drawing
from provgraph.traces.graph import DrawnParts, add_fact, ends_of, kind_of, types_of

_OF_ONE_THING: Final = 2_000
_OF_ALL: Final = 20_000
_YEAR: Final = re.compile(r"(?<![\d.,$€£])(1\d{3}|20\d{2})(?![\d,.]*\d)")


@dataclass(frozen=True)
class FactFilter:
    """At most `most` facts; of `relations` (IRIs) where some are named, and where a year bounds them, of those years:
    the fact is a date of them, or a sentence that says it names one."""

    most: int
    relations: Sequence[str] = ()
    since: int | None = None
    until: int | None = None

    def allows(self, fact: Triple) -> bool:
        return is_statement(fact) and (not self.relations or fact.predicate.value in self.relations)

    @property
    def is_of_years(self) -> bool:
        return self.since is not None or self.until is not None

    def is_in_years(self, texts: Iterable[str]) -> bool:
        years = (int(year) for text in texts for year in _YEAR.findall(text))
        return any((self.since or 0) <= year <= (self.until or 9999) for year in years)


async def neighbourhood(
    store: QuadStore, graphs: CollectionGraphs, centres: Sequence[NamedNode], wanted: FactFilter
) -> Drawing:
    """The facts of these things, of each thing in turn. Raises `NotFound` where the collection says nothing of them."""
    found = await store.match(patterns_around(centres, graphs.knowledge), limit=_OF_ONE_THING)
    known = {term for quads in found for quad in quads for term in (quad.subject, quad.object)}
    centres = [centre for centre in centres if centre in known]
    if not centres:
        raise NotFound("The collection says nothing of such a thing.")
    turns: dict[Triple, int] = {}
    for quads in found:
        facts = [quad.triple for quad in quads if wanted.allows(quad.triple)]
        for turn, fact in enumerate(sorted(facts, key=str)):
            turns.setdefault(fact, turn)
    ranked = sorted(turns, key=lambda fact: (turns[fact], str(fact)))
    return await _drawing(store, graphs, centres, await _chosen(store, graphs, ranked, wanted))


async def whole_graph(store: QuadStore, graphs: CollectionGraphs, wanted: FactFilter) -> Drawing:
    """The facts of a collection, those first whose things have the most."""
    (quads,) = await store.match([QuadPattern(graph=graphs.knowledge)], limit=_OF_ALL)
    facts = [quad.triple for quad in quads if wanted.allows(quad.triple)]
    degree = Counter(term for fact in facts for term in (fact.subject, fact.object))
    ranked = sorted(facts, key=lambda fact: (-degree[fact.subject] - degree[fact.object], str(fact)))
    return await _drawing(store, graphs, [], await _chosen(store, graphs, ranked, wanted))


async def _chosen(
    store: QuadStore, graphs: CollectionGraphs, ranked: Sequence[Triple], wanted: FactFilter
) -> Sequence[Triple]:
    if not wanted.is_of_years:
        return ranked[: wanted.most]
    sources = await SourceReader(store, graphs.source).sources(ranked)
    texts = {
        fact: [
            *(source.text for source in sources.get(fact, ())),
            *(term.value for term in fact_terms(fact) if isinstance(term, Literal)),
        ]
        for fact in ranked
    }
    return [fact for fact in ranked if wanted.is_in_years(texts[fact])][: wanted.most]


async def _drawing(
    store: QuadStore, graphs: CollectionGraphs, centres: Sequence[NamedNode], facts: Sequence[Triple]
) -> Drawing:
    terms = [*centres, *(term for fact in facts for term in fact_terms(fact))]
    shown = await labels(store, graphs.knowledge, terms)
    ends = (term for fact in facts for term in (fact.subject, fact.object))
    types = await types_of(store, graphs.knowledge, [*centres, *ends])
    parts = DrawnParts()
    for fact in facts:
        own = Emphasis.CHOSEN if {fact.subject, fact.object} <= set(centres) else Emphasis.CONTEXT
        edge = DrawnEdge(str(fact), *ends_of(fact, str(fact)), shown[fact.predicate], 0, own)
        add_fact(parts, fact, edge, shown, types)
    for node in centres:
        parts.nodes.setdefault(
            str(node), DrawnNode(str(node), shown[node], kind_of(node), types.get(node, ""))
        )
        parts.terms[str(node)] = node
    return parts.drawing(", ".join(shown[node] for node in centres) or "All facts")
