"""What became of candidates, as quads: relevance checks, reranking, and the edges that were retrieved and not chosen,
two quads for each, and one text for all of a retrieval.

A question passes over some 150 edges. Each stays a node of its own, to be found by its fact and by its retrieval; what
is measured of it is a line of the retrieval's notes. `told` gives every line back as the properties that it stands for:
what reads a trace sees those only.

With a check that failed, a trace leads answer → selection → second retrieval → second grounding → reformulation → check
→ first retrieval → first grounding → question, by `prov:wasDerivedFrom` alone. Examples in docstrings are held as those
of `trace`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from provgraph.provenance.nodes import entity_quads
from provgraph.provenance.trace import RetrievalPath, TraceScope, attribution, described_step
from provgraph.rdf import literals
from provgraph.rdf.iris import SessionNames
from provgraph.rdf.terms import Literal, NamedNode, Quad, Triple, named
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


RETRIEVALS: Final = ("retrieval", "retrieval:1")
_BREAKS: Final = str.maketrans("\t\n\r", "   ")


@dataclass(frozen=True)
class RejectedEdge:
    """An edge that was retrieved and not chosen, and why not; `retrieval` is the step that found it."""

    edge: Triple
    score: float
    reasoning: str
    rerank_score: float | None = None
    retrieval: str = "retrieval"
    way: RetrievalPath = RetrievalPath()


def rejected_edge_quads(scope: TraceScope, passed_over: Sequence[RejectedEdge]) -> Iterator[Quad]:
    """Why not: the edges retrieved and not chosen.

        <urn:trustgraph:prov:candidate:1:0> tg:candidateOf <urn:trustgraph:prov:retrieval:1> ;
            tg:candidateEdge <<( e:curie e:born-in e:warsaw )>> .
        <urn:trustgraph:prov:notes:1> a prov:Entity, tg:CandidateNotes ;
            tg:candidateOf <urn:trustgraph:prov:retrieval:1> ;
            tg:candidateNotes "\\n0\\t0.12\\tScored below the 25 selected.\\t\\t\\t1.0\\n" .

    A line of the notes has the number at the end of a candidate's name, its score, the reason, `foundBy`, `foundAlong`
    and `rerankScore`, a tabulator between each. They point to the retrieval, not it to them: its own description stays
    short for clients that read it whole.
    """
    lines: dict[str, list[str]] = defaultdict(list)
    for index, edge in enumerate(passed_over):
        node = scope.names.candidate(index)
        yield Quad(node, TG.candidate_of, scope.names.step(edge.retrieval), scope.graph)
        yield Quad(node, TG.candidate_edge, edge.edge, scope.graph)
        lines[edge.retrieval].append(_line(index, edge))
    for retrieval, own in lines.items():
        node = notes_iri(scope.names, retrieval)
        yield from entity_quads(node, TG.CandidateNotes, scope.graph)
        yield Quad(node, TG.candidate_of, scope.names.step(retrieval), scope.graph)
        yield Quad(node, TG.candidate_notes, _text(own), scope.graph)


def notes_iri(names: SessionNames, retrieval: str) -> NamedNode:
    """The notes of a retrieval, one of `RETRIEVALS`."""
    return names.step(retrieval.replace("retrieval", "notes"))


def expanded(quads: Iterable[Quad]) -> list[Quad]:
    """The quads of a trace with each candidate's line as its own properties, and without the notes.

    Those of a candidate that older versions wrote have its properties already.
    """
    given = list(quads)
    notes = {
        quad.subject: quad.object.value
        for quad in given
        if isinstance(quad.object, Literal) and _is_notes(quad)
    }
    if not notes:
        return given
    of = {quad.subject: quad.object for quad in given if quad.predicate == TG.candidate_of}
    lines = {of[node]: _by_index(text) for node, text in notes.items() if node in of}
    kept: list[Quad] = []
    for quad in given:
        if quad.subject not in notes:
            kept.append(quad)
        if quad.predicate == TG.candidate_edge and isinstance(quad.subject, NamedNode):
            retrieval = of.get(quad.subject)
            line = lines.get(retrieval, {}).get(_index(quad.subject)) if retrieval else None
            kept += noted_edge_quads(quad.subject, line, named(quad.graph_name)) if line else ()
    return kept


def noted_edge_quads(node: NamedNode, line: Sequence[str], graph: NamedNode) -> Iterator[Quad]:
    """What a line of notes says of a candidate, as its own properties: what older versions wrote, and no part of the
    store any more.

    <urn:trustgraph:prov:candidate:1:0> a prov:Entity, tg:PassedOverEdge ; tg:score 0.12 ; tg:rerankScore 1.0 ;
        tg:reasoning "Scored below the 25 selected." .
    """
    _, score, reasoning, found_by, along, rescored = line
    yield from entity_quads(node, TG.PassedOverEdge, graph)
    yield Quad(node, TG.score, literals.decimal(float(score)), graph)
    yield Quad(node, TG.reasoning, literals.text(reasoning), graph)
    if rescored:
        yield Quad(node, TG.rerank_score, literals.decimal(float(rescored)), graph)
    if found_by:
        yield Quad(node, TG.found_by, literals.text(found_by), graph)
    if along:
        yield Quad(node, TG.found_along, literals.text(along), graph)


def is_noted(candidate: Iterable[Quad]) -> bool:
    """Whether what is measured of a candidate stands in notes."""
    nodes = {quad.predicate for quad in candidate}
    return TG.candidate_edge in nodes and TG.score not in nodes


def without_lines(notes: Quad, gone: Collection[NamedNode]) -> Quad | None:
    """The text of notes without the lines of some candidates; None where no line is left."""
    assert isinstance(notes.object, Literal)
    indexes = set(map(_index, gone))
    left = [line for index, line in _by_index(notes.object.value).items() if index not in indexes]
    if not left:
        return None
    return Quad(notes.subject, notes.predicate, _text("\t".join(line) for line in left), notes.graph_name)


def _line(index: int, edge: RejectedEdge) -> str:
    words = (edge.reasoning, edge.way.found_by, edge.way.along if edge.way.path else "")
    said = (word.translate(_BREAKS) for word in words)
    return "\t".join((str(index), _number(edge.score), *said, _number(edge.rerank_score)))


def _number(value: float | None) -> str:
    """As `literals.decimal` has it, which takes a store for each."""
    return "" if value is None else re.sub(r"(?<!\.)0{1,6}\Z", "", f"{value:.6f}")


def _text(lines: Iterable[str]) -> Literal:
    return literals.text("".join(("\n", *(f"{line}\n" for line in lines))))


def _by_index(text: str) -> Mapping[str, Sequence[str]]:
    lines = (line.split("\t") for line in text.split("\n") if line)
    return {line[0]: line for line in lines if len(line) == 6}


def _index(candidate: NamedNode) -> str:
    return candidate.value.rpartition(":")[2]


def _is_notes(quad: Quad) -> bool:
    return quad.predicate == TG.candidate_notes
