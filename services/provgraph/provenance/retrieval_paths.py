"""How retrieval came to its edges, as quads: how it ranked, and what led to each edge.

Examples in docstrings are held as those of `trace`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from provgraph.rdf import literals
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import TG


@dataclass(frozen=True)
class RankedBy:
    """The way of ranking, by name, and the numbers that it was given or has by default."""

    method: str = ""
    parameters: Mapping[str, float] = field(default_factory=dict)


UNKNOWN: Final = RankedBy()


@dataclass(frozen=True)
class RetrievalPath:
    """What led to an edge (`found_by`: words, passage, exact label …), and the labels from its seed to it."""

    found_by: str = ""
    path: tuple[str, ...] = ()

    @property
    def along(self) -> str:
        return " → ".join(self.path)


def ranking_quads(retrieval: NamedNode, ranked: RankedBy, graph: NamedNode) -> list[Quad]:
    """How a retrieval ranked; nothing where that is not known.

    <urn:trustgraph:prov:retrieval:1> tg:retrievalMethod "bm25" ; tg:retrievalParameter "k1=1.5" .
    """
    if not ranked.method:
        return []
    numbers = (f"{name}={number:g}" for name, number in sorted(ranked.parameters.items()))
    return [
        Quad(retrieval, TG.retrieval_method, literals.text(ranked.method), graph),
        *(Quad(retrieval, TG.retrieval_parameter, literals.text(number), graph) for number in numbers),
    ]


def retrieval_path_quads(edge: NamedNode, way: RetrievalPath, graph: NamedNode) -> Iterator[Quad]:
    """What led to an edge that was selected or passed over; nothing where that is not known.

    <urn:trustgraph:prov:edge:1:0> tg:foundBy "exact label" ; tg:foundAlong "Pierre Curie → Marie Curie" .
    """
    if way.found_by:
        yield Quad(edge, TG.found_by, literals.text(way.found_by), graph)
    if way.path:
        yield Quad(edge, TG.found_along, literals.text(way.along), graph)


def rescored(edge: NamedNode, score: float | None, graph: NamedNode) -> Iterator[Quad]:
    """What a reranking gave an edge, where there was one."""
    if score is not None:
        yield Quad(edge, TG.rerank_score, literals.decimal(score), graph)
