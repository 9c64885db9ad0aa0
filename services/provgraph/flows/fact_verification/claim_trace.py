"""What a trace and a response say of a judged claim: passages, local graph and arguments, under the trace's names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from provgraph.flows.fact_verification.judgement import (
    EvidenceLine,
    JudgedClaim,
    Material,
    VerdictArgument,
    VerdictText,
)
from provgraph.flows.fact_verification.local_graph import RankedFact
from provgraph.flows.runner.answers import AnswerSentence, DraftAnswer
from provgraph.flows.runner.events import ClaimElement, ClaimFinding, ClaimVerdict, FindingFact
from provgraph.language.terms import content_terms
from provgraph.provenance import document_trace, verification_trace
from provgraph.provenance.candidates import RejectedEdge, rejected_edge_quads
from provgraph.provenance.document_trace import SelectedChunk
from provgraph.provenance.trace import Origin, Selected, SessionOutcome, TraceScope
from provgraph.provenance.verification_trace import JudgedElement, Label, Stand
from provgraph.rdf.terms import NamedNode, Quad

READER = "local-graph"


@dataclass(frozen=True)
class ClaimTrace:
    """Of one claim's material."""

    scope: TraceScope
    material: Material

    def selection(self) -> list[Quad]:
        """Every passage that is read, and the facts of the local graph that are in the store."""
        chunks = [
            SelectedChunk(
                passage.hit.chunk, passage.hit.score, self._met(passage.hit.text), _why(passage.rank), READER
            )
            for passage in self.material.passages
        ]
        edges = [_selected(number, each) for number, each in enumerate(self._stored(), 1)]
        return [
            *document_trace.chunk_selection_quads(self.scope, chunks),
            *verification_trace.local_graph_quads(self.scope, edges),
        ]

    def rejected(self) -> Iterator[Quad]:
        why = f"Ranked below the {len(self.material.graph.facts)} facts that are read."
        beyond = [
            RejectedEdge(fact.fact.triple, fact.rank, why)
            for fact in self.material.graph.beyond
            if fact.fact.triple
        ]
        return rejected_edge_quads(self.scope, beyond)

    def draft(self, judged: JudgedClaim, text: VerdictText) -> DraftAnswer:
        """The verdict as an answer: its lines with the words behind them, and how these stand to the claim."""
        stands = [Stand(index, line.stance) for index, line in enumerate(text.lines) if line.stance]
        decided = judged.judgement.label is not Label.NOT_ENOUGH_INFO
        findings = tuple(
            ClaimFinding(
                argument.stance, argument.reason, argument.confidence, argument.words, self._facts(argument)
            )
            for argument in judged.arguments
        )
        return DraftAnswer(
            text.text,
            tuple(self._sentence(judged, line) for line in text.lines),
            quads=[
                *verification_trace.verdict_quads(self.scope, judged.judgement),
                *verification_trace.stance_quads(self.scope, stands),
                *verification_trace.element_quads(
                    self.scope,
                    [_judged_element(element) for element in judged.elements],
                    first_quotation=sum(len(line.arguments) for line in text.lines),
                ),
            ],
            rejected=self.rejected(),
            verdict=ClaimVerdict(
                judged.judgement, judged.explanation, findings, judged.notes, judged.elements, judged.missing
            ),
            outcome=SessionOutcome.ANSWERED if decided else SessionOutcome.REFUSED,
        )

    def _sentence(self, judged: JudgedClaim, line: EvidenceLine) -> AnswerSentence:
        arguments = [judged.arguments[index] for index in line.arguments]
        edges = dict.fromkeys(edge for argument in arguments for edge in self._edges(argument))
        return AnswerSentence(
            line.start,
            line.end,
            tuple(argument.words for argument in arguments),
            tuple(edges) if line.stance else (),
            tuple(dict.fromkeys(argument.passage for argument in arguments)),
            origin=Origin.QUOTED if line.stance else judged.origin,
        )

    def _facts(self, argument: VerdictArgument) -> tuple[FindingFact, ...]:
        return tuple(
            FindingFact(self._edge(index), each.fact.labels, each.fact.confidence)
            for index, each in self.material.facts_of(argument.words)
        )

    def _edges(self, argument: VerdictArgument) -> tuple[int, ...]:
        numbers = [self._number(index) for index, _ in self.material.facts_of(argument.words)]
        return tuple(number for number in numbers if number is not None)

    def _edge(self, index: int) -> NamedNode | None:
        number = self._number(index)
        return None if number is None else self.scope.names.edge(number)

    def _number(self, index: int) -> int | None:
        """Which of the selected edges a fact of the local graph is; only what is stored is an edge of the trace."""
        facts = self.material.graph.facts
        if facts[index].fact.triple is None:
            return None
        return sum(fact.fact.triple is not None for fact in facts[:index])

    def _stored(self) -> list[RankedFact]:
        return [fact for fact in self.material.graph.facts if fact.fact.triple]

    def _met(self, text: str) -> tuple[str, ...]:
        words = content_terms(text)
        return tuple(word for term, word in content_terms(self.material.claim).items() if term in words)


def _judged_element(element: ClaimElement) -> JudgedElement:
    quotation = element.words.quotation_of_chunk if element.words else None
    return JudgedElement(
        element.text, element.start, element.end, element.role, element.relation, element.why, quotation
    )


def _why(rank: int) -> str:
    return f"Retrieved as number {rank}; all that is retrieved is read."


def _selected(number: int, fact: RankedFact) -> Selected:
    assert fact.fact.triple is not None
    named = f"; meets {', '.join(fact.met)}" if fact.met else ""
    reasoning = f"Number {number} of the local graph{named}."
    return Selected(fact.fact.triple, fact.rank, fact.met, reasoning, READER)
