"""Which wordings answer, and what the trace says of them: each edge chosen and why, each rejected and why not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from provgraph.catalogue.sources import Source, SourceReader
from provgraph.flows.kgqa.graph import PairEdge, PairGraph
from provgraph.flows.kgqa.group_search import Hit
from provgraph.flows.kgqa.question_analysis import AnalysedQuestion
from provgraph.flows.kgqa.ranking import RankedWordings, Wording
from provgraph.flows.runner.answers import AnswerSentence, DraftAnswer, joined
from provgraph.ports.reranker import HIGHEST
from provgraph.provenance.candidates import RejectedEdge
from provgraph.provenance.trace import RetrievalPath, Selected
from provgraph.rdf.iris import subgraph_of
from provgraph.rdf.terms import Triple

RANKER: Final = "wording-ranker"
MOST_PASSED_OVER: Final = 100
MOST_EDGES: Final = 8
"""Edges of one group that an answer stands on."""


@dataclass(frozen=True)
class WordingSelection:
    """The edges of the answers, the answers themselves, and the edges that were put into words and not chosen."""

    edges: tuple[Selected, ...]
    answer: DraftAnswer
    rejected: tuple[RejectedEdge, ...]


async def select_wordings(
    question: AnalysedQuestion, graph: PairGraph, best: RankedWordings, reader: SourceReader
) -> WordingSelection:
    """The edges of the answers with why each was chosen, and all others that were put into words with why not."""
    edges: dict[Triple, tuple[int, Selected]] = {}
    behind: list[tuple[int, ...]] = []
    sources: list[tuple[Source, ...]] = []
    for number, wording in enumerate(best.answers, 1):
        own = wording.group.edges[:MOST_EDGES]
        for edge in own:
            if edge.triple not in edges:
                edges[edge.triple] = len(edges), _selected(question, wording, edge, number)
        behind.append(tuple(edges[edge.triple][0] for edge in own))
        sources.append(await _sources(graph, wording, reader))

    def sentence(index: int, start: int, end: int) -> AnswerSentence:
        return AnswerSentence(start, end, sources[index], behind[index], origin=best.answers[index].origin)

    return WordingSelection(
        tuple(selected for _, selected in edges.values()),
        joined([wording.text for wording in best.answers], sentence),
        tuple(_rejected(best, set(edges))),
    )


async def _sources(graph: PairGraph, wording: Wording, reader: SourceReader) -> tuple[Source, ...]:
    """The words that the pair was made of, and those that give its clause its number."""
    sources: list[Source] = []
    for group in (wording.group, *graph.numbering(wording.group)):
        fact, own = group.edges[0].triple, {pair.iri for pair in group.pairs}
        every = await reader.sources([fact], within={subgraph_of(quotation) for quotation in own})
        sources += [source for source in every[fact] if source.quotation in own]
    return tuple(sources)


def _selected(question: AnalysedQuestion, wording: Wording, edge: PairEdge, number: int) -> Selected:
    return Selected(
        edge.triple,
        wording.score,
        wording.met,
        f"Answer {number}: {_met(question, wording)}; {_found_by(wording.hits)}.",
        RANKER,
        wording.rerank_score if wording.rerank_score is not None else round(wording.score * HIGHEST, 2),
        _way(wording.hits),
    )


def _rejected(best: RankedWordings, taken: set[Triple]) -> Iterator[RejectedEdge]:
    seen = set(taken)
    for wording in best.others:
        for edge in wording.group.edges:
            if edge.triple not in seen and len(seen) < len(taken) + MOST_PASSED_OVER:
                seen.add(edge.triple)
                yield RejectedEdge(
                    edge.triple,
                    wording.score,
                    _why_not(best, wording),
                    round(wording.score * HIGHEST, 2),
                    way=_way(wording.hits),
                )


def _why_not(best: RankedWordings, wording: Wording) -> str:
    if not best.answers:
        return (
            f"Its wording meets {wording.coverage:.0%} of the question's weight; an answer needs "
            f"{min(best.needed, 1):.0%}."
        )
    return f"Its wording scores {wording.score:.2f}, the last answer {best.answers[-1].score:.2f}."


def _met(question: AnalysedQuestion, wording: Wording) -> str:
    if question.only_clauses:
        return f"it is in clause {wording.group.clause}, which the question names"
    words = f" ({', '.join(wording.met)})" if wording.met else ""
    return (
        f"its wording meets {len(wording.met)} of {len(question.terms)} terms{words}, {wording.coverage:.0%} of the "
        f"question's weight, and scores {wording.score:.2f}"
    )


def _found_by(hits: Iterable[Hit]) -> str:
    ways = [f"{hit.how} of {hit.label} ({hit.score:.2f})" for hit, _ in zip(hits, range(3), strict=False)]
    return f"found by {', '.join(ways)}"


def _way(hits: tuple[Hit, ...]) -> RetrievalPath:
    return RetrievalPath(hits[0].how, (hits[0].label,) if hits[0].label else ()) if hits else RetrievalPath()
