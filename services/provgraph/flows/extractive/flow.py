"""extractive: a question answered in sentences of the documents, with everything that was counted for it shown.

Asks no model: passages are ranked by counted words, sentences by what they hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from anyio import to_thread

from provgraph.catalogue.sources import chunk_facts
from provgraph.flows.extractive.evidence import EvidenceLimits, Findings, ScoredEvidence, findings
from provgraph.flows.extractive.highlights import highlights, scores_text, term_scores
from provgraph.flows.extractive.statements import QuotedStatement, joined_text, statements
from provgraph.flows.runner.answers import REFUSAL, DraftAnswer
from provgraph.flows.runner.flow import Flow
from provgraph.flows.runner.passages import QuestionWeights
from provgraph.flows.runner.question import Question
from provgraph.flows.runner.read_passages import read_passages
from provgraph.flows.runner.reading_passages import is_english
from provgraph.flows.runner.run import Run
from provgraph.language.concepts import concepts
from provgraph.ports.retriever import RetrievalRequest, RetrievalResult
from provgraph.provenance import document_trace, trace
from provgraph.provenance.document_trace import ChunkEvidence, RejectedChunk, RetrievedDocument, SelectedChunk
from provgraph.provenance.flows import EXTRACTIVE
from provgraph.provenance.trace import RankedBy
from provgraph.wire.flow_requests import AskExtractiveRequest, PostedAskExtractiveRequest

FACTUAL_BOOST: Final = {"factual": 1.0}
"""S(Q, D) = Σ count(t, D) · w_t + 1_fact(D): the weights w are the method's own default."""

SELECTOR: Final = "sentence-selector"


@dataclass(frozen=True)
class ExtractiveQuestion(Question):
    """`chunk_limit` chunks are retrieved; `parameters` are the method's own."""

    parameters: Mapping[str, float] = field(default_factory=dict)
    chunk_limit: int = 40
    limits: EvidenceLimits = EvidenceLimits()

    default_method = "term-frequency"

    def request(self, grounding: tuple[str, ...] = ()) -> RetrievalRequest:
        parameters = dict(self.parameters) if self.method else {**FACTUAL_BOOST, **self.parameters}
        return replace(super().request(grounding), parameters=parameters)

    @property
    def fetched(self) -> int:
        return self.chunk_limit


class Extractive(Flow[ExtractiveQuestion]):
    name = EXTRACTIVE
    path = "extractive"
    summary = "Answer from quotations"
    description = (
        "Answer a question in sentences of the documents, with everything counted for it as `highlights`; as a stream "
        "with `Accept: text/event-stream`."
    )
    query = AskExtractiveRequest
    body = PostedAskExtractiveRequest
    inherited = ()

    def question(self, request: AskExtractiveRequest) -> ExtractiveQuestion:
        return ExtractiveQuestion(
            request.question,
            request.collection,
            request.method,
            parameters=request.parameters if isinstance(request, PostedAskExtractiveRequest) else {},
            chunk_limit=request.chunk_limit,
            limits=EvidenceLimits(
                request.doc_limit, request.evidence_limit, request.sentence_limit, request.near
            ),
        )

    async def answer(self, run: Run, question: ExtractiveQuestion) -> None:
        scope, grounding = run.scope, concepts(question.text)
        await run.explain("grounding", trace.grounding_quads(scope, grounding))

        result = await run.retrieve(question.request(grounding))
        candidates = await run.passages(result.chunks)
        weights = QuestionWeights(result.terms)
        reading = (
            await read_passages(question.text, weights, candidates) if is_english(question.text) else None
        )
        evidence = await to_thread.run_sync(findings, weights, candidates, question.limits, reading)
        retrieved = document_trace.document_retrieval_quads(
            scope,
            len(candidates),
            RankedBy(result.method, result.parameters),
            _retrieved_documents(evidence, result.parameters),
        )
        await run.explain("retrieval", retrieved)

        chunks = [_selected_chunk(index, evidence) for index in evidence.selected]
        await run.explain("selection", document_trace.chunk_selection_quads(scope, chunks))

        await run.announce_answer()
        await run.finish(await run.say_all(await _draft(run, result, evidence)))


async def _draft(run: Run, result: RetrievalResult, evidence: Findings) -> DraftAnswer:
    chunks = [evidence.passages[index].hit.chunk for index in evidence.selected]
    facts = await chunk_facts(run.services.store, run.graphs, chunks)
    quoted: tuple[QuotedStatement, ...] = await to_thread.run_sync(statements, evidence)
    cited = sum(len(statement.words) for statement in quoted)
    return DraftAnswer(
        joined_text(quoted) or REFUSAL,
        tuple(statement.sentence for statement in quoted),
        quads=document_trace.chunk_evidence_quads(run.scope, _chunk_evidence(evidence), cited),
        rejected=document_trace.rejected_chunk_quads(run.scope, _rejected_chunks(evidence)),
        highlights=highlights(result, evidence, quoted, facts),
    )


# what the trace says of findings


def _retrieved_documents(evidence: Findings, parameters: Mapping[str, float]) -> list[RetrievedDocument]:
    hits = [evidence.passages[document.best].hit for document in evidence.documents]
    return [
        RetrievedDocument(hit.document, hit.score, f"{scores_text(term_scores(hit, parameters), hit.score)}.")
        for hit in hits
    ]


def _rejected_chunks(evidence: Findings) -> list[RejectedChunk]:
    """The chunks of which no sentence is evidence."""
    read = {sentence.passage for sentence in evidence.sentences}
    return [
        RejectedChunk(
            passage.hit.chunk,
            passage.hit.score,
            "None of its sentences is among the best of its document."
            if index in read
            else "Its document, or what it repeats, is ranked after those that were looked at.",
        )
        for index, passage in enumerate(evidence.passages)
        if index not in evidence.selected
    ]


def _chunk_evidence(evidence: Findings) -> list[ChunkEvidence]:
    return [
        ChunkEvidence(
            evidence.selected.index(sentence.passage), sentence.words.quotation_of_chunk, sentence.score
        )
        for sentence in evidence.evidence
    ]


def _selected_chunk(index: int, evidence: Findings) -> SelectedChunk:
    hit = evidence.passages[index].hit
    own = [sentence for sentence in evidence.evidence if sentence.passage == index]
    met = tuple(dict.fromkeys(_terms(own)))
    best = max(own, key=lambda sentence: sentence.score)
    reasoning = (
        f"{len(own)} of its sentences {'is' if len(own) == 1 else 'are'} evidence; the best covers {best.coverage:.0%} "
        f"of the question's weight, and {best.density:.0%} of its words are asked for or name something; "
        f"retrieved as number {index + 1}."
    )
    return SelectedChunk(hit.chunk, hit.score, met, reasoning, SELECTOR)


def _terms(sentences: list[ScoredEvidence]) -> Iterator[str]:
    for sentence in sentences:
        yield from sentence.terms
