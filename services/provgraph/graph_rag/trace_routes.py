"""HTTP face of the traces: `/api/v1/traces` and `/api/v1/explain`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Header, Query, Response
from fastapi.responses import JSONResponse

from provgraph.graph_rag.messages import cited_source
from provgraph.graph_rag.traces import OpenedTrace, Traces
from provgraph.provenance.trace_reading import TracedCall, TracedEdge, TracedSession
from provgraph.rdf.iris import iri
from provgraph.rdf.serialization import format_of_media_type, serialized
from provgraph.rdf.terms import quad_to_json, triple_to_json
from provgraph.wire.trace import (
    TraceAnswer,
    TraceCall,
    TraceCheck,
    TraceEdge,
    TraceEntity,
    TraceReformulation,
    TraceReranking,
    TraceSentence,
    TraceSummary,
    TraceView,
)


def trace_router(traces: Traces) -> APIRouter:
    router = APIRouter(prefix="/api/v1", tags=["traces"])

    @router.get("/traces", response_model=list[TraceSummary])
    async def sessions(limit: Annotated[int, Query(ge=1, le=10_000)] = 100) -> list[TraceSummary]:
        """Past sessions, the newest first."""
        return [_summary(session) for session in (await traces.sessions())[:limit]]

    @router.get("/traces/{session:path}", response_model=TraceView)
    async def trace(session: str, accept: Annotated[str, Header()] = "*/*") -> Response:
        """One session, by IRI or UUID, as JSON; as Turtle, TriG or JSON-LD with the sources of its edges."""
        opened = await traces.open(session)
        rdf_format = format_of_media_type(accept)
        if rdf_format is None:
            return JSONResponse(_view(opened).model_dump(mode="json", exclude_none=True))
        quads = [*opened.quads, *opened.source_quads]
        return Response(serialized(quads, rdf_format), media_type=rdf_format.media_type)

    @router.get("/explain")
    async def explain(id: str) -> Response:
        """The triples of one entity of a trace, by the `explain_id` of a message."""
        quads = await traces.entity(iri(id))
        return JSONResponse({"explain_id": id, "explain_triples": [quad_to_json(quad) for quad in quads]})

    return router


def _summary(session: TracedSession) -> TraceSummary:
    return TraceSummary(
        session=session.iri.value,
        query=session.query,
        collection=session.collection,
        started=session.started,
        ended=session.ended or None,
        outcome=session.outcome or None,
        failure=session.failure or None,
    )


def _view(opened: OpenedTrace) -> TraceView:
    trace = opened.trace
    return TraceView(
        **_summary(trace.session).model_dump(),
        concepts=list(trace.concepts),
        edge_count=trace.edge_count,
        entities=[TraceEntity(id=seed.value, label=opened.labels[seed]) for seed in trace.seeds],
        selected=[_edge(opened, edge) for edge in trace.selected],
        passed_over=[_edge(opened, edge) for edge in trace.passed_over],
        answer=_answer(opened) if opened.answer else None,
        calls=[_call(call) for call in trace.calls],
        warnings=list(trace.warnings),
        ignored_lines=trace.ignored_lines,
        checks=[TraceCheck(**asdict(check)) for check in trace.checks],
        reformulation=TraceReformulation(**asdict(trace.reformulation)) if trace.reformulation else None,
        reranking=TraceReranking(**asdict(trace.reranking)) if trace.reranking else None,
    )


def _edge(opened: OpenedTrace, edge: TracedEdge) -> TraceEdge:
    fact = edge.edge
    return TraceEdge(
        id=edge.iri.value,
        subject=opened.labels[fact.subject],
        relation=opened.labels[fact.predicate],
        object=opened.labels[fact.object],
        triple=triple_to_json(fact),
        score=edge.score,
        rerank_score=edge.rerank_score,
        concepts=list(edge.concepts),
        reasoning=edge.reasoning,
        agent=edge.agent or None,
        sources=[cited_source(source) for source in opened.sources.get(fact, ())],
    )


def _answer(opened: OpenedTrace) -> TraceAnswer:
    trace, names = opened.trace, opened.names
    call = next((call for call in trace.calls if call.step == "answer"), None)
    return TraceAnswer(
        id=names.step("answer").value,
        document=names.answer_text.value,
        text=opened.answer,
        sentences=[
            TraceSentence(
                start=sentence.start,
                end=sentence.end,
                text=opened.answer[sentence.start : sentence.end],
                supported=sentence.supported,
                edges=[edge.value for edge in sentence.edges],
            )
            for sentence in trace.sentences
        ],
        model=call.model if call else None,
        in_token=call.in_tokens if call else None,
        out_token=call.out_tokens if call else None,
    )


def _call(call: TracedCall) -> TraceCall:
    return TraceCall(
        step=call.step,
        model=call.model,
        in_token=call.in_tokens,
        out_token=call.out_tokens,
        duration_ms=call.duration_ms,
        prompt=call.prompt.value,
        reply=call.reply.value,
    )
