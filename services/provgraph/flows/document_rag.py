"""document-rag: a question answered from chunks of documents, without the detour over facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from anyio import to_thread

from provgraph.flows.runner.answering_sentences import answering_sentences
from provgraph.flows.runner.chunk_answers import (
    ChunkSelection,
    ChunkWriter,
    ModelChunkWriter,
    QuotingWriter,
    select_chunks,
)
from provgraph.flows.runner.flow import Flow
from provgraph.flows.runner.passages import QuestionWeights, RetrievedPassage
from provgraph.flows.runner.question import Question
from provgraph.flows.runner.run import Run
from provgraph.flows.runner.services import FlowServices
from provgraph.language.concepts import concepts
from provgraph.ports.retriever import QuestionTerm
from provgraph.prompts import read_prompt
from provgraph.provenance import document_trace, trace
from provgraph.provenance.flows import DOCUMENT_RAG
from provgraph.provenance.trace import RankedBy
from provgraph.wire.flow_requests import AskDocumentsRequest, PostedAskDocumentsRequest

FETCHED_FOR_EACH: Final = 4
"""How many chunks are weighed for each that may be selected, where a question does not say."""


@dataclass(frozen=True)
class DocumentQuestion(Question):
    """`chunk_limit` chunks are selected at most, of `fetch_limit` that are retrieved; 0 for four times as many."""

    chunk_limit: int = 10
    fetch_limit: int = 0

    @property
    def fetched(self) -> int:
        return max(self.fetch_limit or FETCHED_FOR_EACH * self.chunk_limit, self.chunk_limit)


class DocumentRag(Flow[DocumentQuestion]):
    name = DOCUMENT_RAG
    path = "document-rag"
    summary = "Answer from passages"
    description = "Answer a question from chunks of documents, as a stream with `Accept: text/event-stream`."
    query = AskDocumentsRequest
    body = PostedAskDocumentsRequest

    def question(self, request: AskDocumentsRequest) -> DocumentQuestion:
        return DocumentQuestion(
            request.question,
            request.collection,
            request.method,
            request.engine,
            chunk_limit=request.doc_limit,
            fetch_limit=request.fetch_limit,
        )

    def check(self, question: DocumentQuestion, services: FlowServices) -> None:
        _writer(services, question.engine)

    async def answer(self, run: Run, question: DocumentQuestion) -> None:
        scope, grounding = run.scope, concepts(question.text)
        await run.explain("grounding", trace.grounding_quads(scope, grounding))

        result = await run.retrieve(question.request(grounding))
        candidates = await run.passages(result.chunks)
        ranked = RankedBy(result.method, result.parameters)
        await run.explain(
            "retrieval", document_trace.chunk_retrieval_quads(scope, len(candidates), ranked=ranked)
        )

        selection = await to_thread.run_sync(_selection, question, result.terms, candidates)
        chunks = await to_thread.run_sync(selection.selected_chunks)
        await run.explain("selection", document_trace.chunk_selection_quads(scope, chunks))

        await run.announce_answer()
        writer = _writer(run.services, question.engine)
        draft = await writer.answer(run, question.text, selection)
        rejected = document_trace.rejected_chunk_quads(scope, selection.rejected)
        await run.finish(replace(draft, rejected=rejected))


def _selection(
    question: DocumentQuestion, terms: Sequence[QuestionTerm], candidates: Sequence[RetrievedPassage]
) -> ChunkSelection:
    sentences = answering_sentences(question.text, terms, candidates)
    return select_chunks(QuestionWeights(terms), candidates, question.chunk_limit, sentences)


def _writer(services: FlowServices, engine: str) -> ChunkWriter:
    """Raises `InvalidInput` for an engine, or a prompt, that cannot be used."""
    model = services.model_use.chosen(engine)
    if model is None:
        return QuotingWriter()
    places = frozenset({"question", "passages"})
    return ModelChunkWriter(model, read_prompt("document-answer", places, services.model_use.prompts))
