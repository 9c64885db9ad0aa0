"""What a trace says of the answers from pairs: each edge chosen and why, each passed over, each sentence's support."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from provgraph.catalogue.sources import Source, SourceReader
from provgraph.flows.kgqa.asked import Asked
from provgraph.flows.kgqa.finding import Hit
from provgraph.flows.kgqa.graph import GraphEdge, PairGraph
from provgraph.flows.kgqa.ranking import Ranked, Wording
from provgraph.ports.reranker import HIGHEST
from provgraph.provenance.retrieval_paths import Way
from provgraph.provenance.trace import PassedOver, Selected, Support
from provgraph.rdf.iris import SessionNames
from provgraph.rdf.terms import Triple

RANKER: Final = "wording-ranker"
MOST_PASSED_OVER: Final = 100
MOST_EDGES: Final = 8
"""Edges of one group that an answer stands on."""


@dataclass(frozen=True)
class Statement:
    """One answer, `text` from `start` to `end`: indexes of the selected edges behind it, and the words cited."""

    text: str
    start: int
    edges: tuple[int, ...]
    sources: tuple[Source, ...]

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    def support(self, names: SessionNames) -> Support:
        return Support(
            self.start,
            self.end,
            tuple(map(names.edge, self.edges)),
            tuple(source.quotation for source in self.sources),
        )


@dataclass(frozen=True)
class Selection:
    edges: tuple[Selected, ...]
    statements: tuple[Statement, ...]
    passed_over: tuple[PassedOver, ...]


async def selection_of(asked: Asked, graph: PairGraph, best: Ranked, reader: SourceReader) -> Selection:
    """The edges of the answers with why each was chosen, and all others that were put into words with why not."""
    edges: dict[Triple, tuple[int, Selected]] = {}
    statements: list[Statement] = []
    start = 0
    for number, wording in enumerate(best.answers, 1):
        for edge in wording.group.edges[:MOST_EDGES]:
            if edge.triple not in edges:
                edges[edge.triple] = len(edges), _selected(asked, wording, edge, number)
        behind = tuple(edges[edge.triple][0] for edge in wording.group.edges[:MOST_EDGES])
        statements.append(Statement(wording.text, start, behind, await _sources(graph, wording, reader)))
        start = statements[-1].end + 1
    chosen = tuple(selected for _, selected in edges.values())
    return Selection(chosen, tuple(statements), tuple(_passed_over(best, set(edges))))


async def _sources(graph: PairGraph, wording: Wording, reader: SourceReader) -> tuple[Source, ...]:
    """The words that the pair was made of, and those that give its clause its number."""
    found: list[Source] = []
    for group in (wording.group, *graph.numbering(wording.group)):
        fact, own = group.edges[0].triple, {pair.iri for pair in group.pairs}
        said = await reader.sources([fact])
        found += [source for source in said[fact] if source.quotation in own]
    return tuple(found)


def _selected(asked: Asked, wording: Wording, edge: GraphEdge, number: int) -> Selected:
    return Selected(
        edge.triple,
        wording.score,
        wording.met,
        f"Answer {number}: {_met(asked, wording)}; {_found_by(wording.hits)}.",
        RANKER,
        wording.rerank_score if wording.rerank_score is not None else round(wording.score * HIGHEST, 2),
        _way(wording.hits),
    )


def _passed_over(best: Ranked, taken: set[Triple]) -> Iterator[PassedOver]:
    told = set(taken)
    for wording in best.others:
        for edge in wording.group.edges:
            if edge.triple not in told and len(told) < len(taken) + MOST_PASSED_OVER:
                told.add(edge.triple)
                yield PassedOver(
                    edge.triple,
                    wording.score,
                    _why_not(best, wording),
                    round(wording.score * HIGHEST, 2),
                    way=_way(wording.hits),
                )


def _why_not(best: Ranked, wording: Wording) -> str:
    if not best.answers:
        return (
            f"Its wording meets {wording.coverage:.0%} of the question's weight; an answer needs "
            f"{min(best.needed, 1):.0%}."
        )
    return f"Its wording scores {wording.score:.2f}, the last answer {best.answers[-1].score:.2f}."


def _met(asked: Asked, wording: Wording) -> str:
    if asked.only_clauses:
        return f"it is in clause {wording.group.clause}, which the question names"
    words = f" ({', '.join(wording.met)})" if wording.met else ""
    return (
        f"its wording meets {len(wording.met)} of {len(asked.terms)} terms{words}, {wording.coverage:.0%} of the "
        f"question's weight, and scores {wording.score:.2f}"
    )


def _found_by(hits: Iterable[Hit]) -> str:
    told = [f"{hit.how} of {hit.label} ({hit.score:.2f})" for hit, _ in zip(hits, range(3), strict=False)]
    return f"found by {', '.join(told)}"


def _way(hits: tuple[Hit, ...]) -> Way:
    return Way(hits[0].how, (hits[0].label,) if hits[0].label else ()) if hits else Way()
