"""What was found out about candidates before the selection, as quads: relevance checks, and reranking.

With a check that failed, a trace leads answer → selection → second retrieval → second grounding → reformulation →
check → first retrieval → first grounding → question, by `prov:wasDerivedFrom` alone. Examples are held as those of
`trace`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from provgraph.provenance.trace import TraceScope, attribution, described_step
from provgraph.rdf import literals
from provgraph.rdf.terms import Quad
from provgraph.rdf.vocabulary import TG


class CandidateKind(StrEnum):
    EDGES = "edges"
    CHUNKS = "chunks"


_COUNTED_BY: Final = {CandidateKind.EDGES: TG.edge_count, CandidateKind.CHUNKS: TG.chunk_count}


@dataclass(frozen=True)
class RelevanceVerdict:
    """Whether candidates are relevant to the question; `reasoning` in the words of `agent`, who judged."""

    relevant: bool
    reasoning: str
    agent: str


def check_quads(scope: TraceScope, verdict: RelevanceVerdict | None, number: str = "") -> list[Quad]:
    """A check of a retrieval; without a verdict, one that could not be made.

    <urn:trustgraph:prov:check:1> a prov:Entity, tg:RelevanceCheck ; rdfs:label "Relevance check" ;
        prov:wasGeneratedBy <urn:trustgraph:session:1> ;
        prov:wasDerivedFrom <urn:trustgraph:prov:retrieval:1> ; tg:relevant false ;
        tg:reasoning "The edges are about radium." ; prov:wasAttributedTo <urn:trustgraph:agent:a-model> .
    <urn:trustgraph:agent:a-model> a prov:Agent ; rdfs:label "a-model" .
    """
    names, graph = scope.names, scope.graph
    node, retrieval = names.step(f"check{number}"), names.step(f"retrieval{number}")
    quads = described_step(scope, node, TG.RelevanceCheck, "Relevance check", retrieval)
    if verdict:
        quads += [
            Quad(node, TG.relevant, literals.boolean(verdict.relevant), graph),
            Quad(node, TG.reasoning, literals.text(verdict.reasoning), graph),
            *attribution(node, verdict.agent, graph),
        ]
    return quads


def reformulation_quads(scope: TraceScope, question: str, agent: str) -> list[Quad]:
    """The question in other words, for a second retrieval.

    <urn:trustgraph:prov:reformulation:1> a prov:Entity, tg:Reformulation ; rdfs:label "Reformulated question" ;
        prov:wasGeneratedBy <urn:trustgraph:session:1> ; prov:wasDerivedFrom <urn:trustgraph:prov:check:1> ;
        tg:query "Who found the element polonium?" ; prov:wasAttributedTo <urn:trustgraph:agent:a-model> .
    <urn:trustgraph:agent:a-model> a prov:Agent ; rdfs:label "a-model" .
    """
    node, check = scope.names.step("reformulation"), scope.names.step("check")
    return [
        *described_step(scope, node, TG.Reformulation, "Reformulated question", check),
        Quad(node, TG.query, literals.text(question), scope.graph),
        *attribution(node, agent, scope.graph),
    ]


def reranking_quads(
    scope: TraceScope, kind: CandidateKind, scored: int, agent: str, retrieval: str
) -> list[Quad]:
    """That candidates of a retrieval were scored again, how many of them, and by whom; the scores are on them.

    <urn:trustgraph:prov:reranking:1> a prov:Entity, tg:Reranking ; rdfs:label "Reranked edges" ;
        prov:wasGeneratedBy <urn:trustgraph:session:1> ;
        prov:wasDerivedFrom <urn:trustgraph:prov:retrieval:1> ; tg:edgeCount 2 ;
        prov:wasAttributedTo <urn:trustgraph:agent:a-model> .
    <urn:trustgraph:agent:a-model> a prov:Agent ; rdfs:label "a-model" .

    Chunks are counted by `tg:chunkCount`.
    """
    node, origin = scope.names.step("reranking"), scope.names.step(retrieval)
    return [
        *described_step(scope, node, TG.Reranking, f"Reranked {kind}", origin),
        Quad(node, _COUNTED_BY[kind], literals.integer(scored), scope.graph),
        *attribution(node, agent, scope.graph),
    ]
