"""HTTP face of the traces: `/api/v1/traces` and `/api/v1/explain`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Response
from fastapi.responses import JSONResponse
from pyoxigraph import NamedNode

from provgraph.late_routes import LateRouter
from provgraph.provenance.change import PastQuotation
from provgraph.provenance.document_trace_reading import TracedChunk
from provgraph.provenance.flows import flow_of
from provgraph.provenance.prov_document import PROV_FORMATS, prov_format, prov_text
from provgraph.provenance.trace_reading import TracedCall, TracedEdge, TracedSession
from provgraph.rdf.graphs import retrieval_graph
from provgraph.rdf.iris import iri
from provgraph.rdf.serialization import format_of_media_type, serialized
from provgraph.rdf.terms import quad_to_json, triple_to_json
from provgraph.traces.lineage_views import cited_source, contradiction_views, source_views
from provgraph.traces.picture_routes import picture_router
from provgraph.traces.reader import OpenedTrace, Traces
from provgraph.traces.short_answer_views import short_answer_view
from provgraph.traces.staleness import Staleness
from provgraph.traces.verdict_views import verdict_view
from provgraph.wire.trace import (
    CitedDocument,
    PastSource,
    TraceAnswer,
    TraceCall,
    TraceCheck,
    TraceChunk,
    TraceDocument,
    TraceEdge,
    TraceEntity,
    TraceReformulation,
    TraceReranking,
    TraceResolution,
    TraceSentence,
    TraceSummary,
    TraceView,
)


def trace_router(traces: Traces) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["traces"])
    router.routes.extend(picture_router(traces).routes)

    @router.get("/traces", response_model=list[TraceSummary])
    async def sessions(
        limit: Annotated[int, Query(ge=1, le=10_000)] = 100, stale: bool = False
    ) -> list[TraceSummary]:
        """Past sessions, the newest first; with `stale` only those whose answer no longer stands."""
        found = await traces.listed(limit, stale_only=stale)
        return [_summary(session, staleness) for session, staleness in found]

    @router.get("/traces/{session:path}", response_model=TraceView)
    async def trace(session: str, accept: Annotated[str, Header()] = "*/*") -> Response:
        """One session, by IRI or UUID, as JSON; as Turtle, TriG, JSON-LD, PROV-JSON or PROV-N with the sources of its
        edges."""
        opened = await traces.open(session)
        if style := prov_format(accept):
            written = prov_text([*opened.quads, *opened.source_quads], style)
            return Response(written, media_type=PROV_FORMATS[style])
        rdf_format = format_of_media_type(accept)
        if rdf_format is None:
            return JSONResponse(_view(opened).model_dump(mode="json", exclude_none=True))
        doubts = opened.doubt_quads(retrieval_graph(traces.explain_collection))
        quads = [*opened.quads, *opened.source_quads, *doubts]
        return Response(serialized(quads, rdf_format), media_type=rdf_format.media_type)

    @router.get("/explain")
    async def explain(id: str) -> Response:
        """The triples of one entity of a trace, by the `explain_id` of a message."""
        quads = await traces.entity(iri(id))
        return JSONResponse({"explain_id": id, "explain_triples": [quad_to_json(quad) for quad in quads]})

    return router


def _summary(session: TracedSession, staleness: Staleness) -> TraceSummary:
    return TraceSummary(
        session=session.iri.value,
        query=session.query,
        collection=session.collection,
        started=session.started,
        ended=session.ended or None,
        outcome=session.outcome or None,
        failure=session.failure or None,
        stale=list(staleness.reasons),
    )


def _view(opened: OpenedTrace) -> TraceView:
    trace = opened.trace
    return TraceView(
        **_summary(trace.session, opened.staleness).model_dump(),
        **_circumstances(opened),
        flow=flow_of(opened.names.session, opened.quads),
        concepts=list(trace.concepts),
        edge_count=trace.edge_count,
        entities=[_entity(opened, seed) for seed in trace.seeds],
        taken_as_one=[
            TraceResolution(
                entities=[_entity(opened, entity) for entity in use.entities],
                rule=use.rule,
                reasoning=use.reasoning,
                quotations=[quotation.value for quotation in use.quotations],
            )
            for use in trace.resolutions
        ],
        selected=[_edge(opened, edge) for edge in trace.selected],
        passed_over=[_edge(opened, edge) for edge in trace.passed_over],
        answer=_answer(opened) if opened.answer else None,
        calls=[_call(call) for call in trace.calls],
        warnings=list(trace.warnings),
        ignored_lines=trace.ignored_lines,
        checks=[TraceCheck(**asdict(check)) for check in trace.checks],
        reformulation=TraceReformulation(**asdict(trace.reformulation)) if trace.reformulation else None,
        reranking=TraceReranking(**asdict(trace.reranking)) if trace.reranking else None,
        method=trace.method,
        parameters=list(trace.parameters),
        chunk_count=trace.chunks.count,
        ranked_documents=[
            TraceDocument(document=each.document.value, score=each.score, reasoning=each.reasoning)
            for each in trace.chunks.documents
        ],
        cited_documents=_cited_documents(opened),
        selected_chunks=[_chunk(opened, chunk) for chunk in trace.chunks.selected],
        passed_over_chunks=[_chunk(opened, chunk) for chunk in trace.chunks.passed_over],
    )


def _cited_documents(opened: OpenedTrace) -> list[CitedDocument]:
    titles = {words.place.document: words.place.title for words in opened.cited.values()}
    return [
        CitedDocument(id=node.value, title=title, media_type=opened.media_types.get(node, ""))
        for node, title in titles.items()
    ]


def _entity(opened: OpenedTrace, entity: NamedNode) -> TraceEntity:
    return TraceEntity(id=entity.value, label=opened.labels[entity])


def _circumstances(opened: OpenedTrace) -> dict[str, Any]:
    put = opened.circumstances
    return {
        "settings": list(put.settings),
        "again": put.again_of.value if put.again_of else None,
        "without_documents": [document.value for document in put.without.documents],
        "without_edges": [triple_to_json(edge) for edge in put.without.edges],
    }


def _edge(opened: OpenedTrace, edge: TracedEdge) -> TraceEdge:
    fact = edge.edge
    lineage = opened.lineages.of.get(fact)
    return TraceEdge(
        id=edge.iri.value,
        subject=opened.labels[fact.subject],
        relation=opened.labels[fact.predicate],
        object=opened.labels[fact.object],
        subject_types=list(opened.types.get(fact.subject, ())),
        object_types=list(opened.types.get(fact.object, ())),
        triple=triple_to_json(fact),
        score=edge.score,
        rerank_score=edge.rerank_score,
        concepts=list(edge.concepts),
        reasoning=edge.reasoning,
        agent=edge.agent or None,
        found_by=edge.found_by,
        found_along=edge.found_along,
        documents=lineage.documents if lineage else None,
        sources=source_views(opened.lineages, lineage) if lineage else [],
        past_sources=[_past_source(past) for past in opened.past_quotations.get(edge.iri, ())],
        contradictions=contradiction_views(opened.lineages, lineage) if lineage else [],
    )


def _past_source(past: PastQuotation) -> PastSource:
    return PastSource(
        document=past.document.value,
        title=past.title,
        page=past.page.value,
        page_number=past.page_number,
        start=past.offset,
        end=past.offset + len(past.text),
        text=past.text,
    )


def _chunk(opened: OpenedTrace, chunk: TracedChunk) -> TraceChunk:
    place = opened.places.get(chunk.chunk)
    return TraceChunk(
        id=chunk.iri.value,
        chunk=chunk.chunk.value,
        title=place.title if place else "",
        page_number=place.page_number if place else 0,
        chunk_number=place.chunk_index + 1 if place else 0,
        score=chunk.score,
        rerank_score=chunk.rerank_score,
        concepts=list(chunk.concepts),
        reasoning=chunk.reasoning,
        agent=chunk.agent or None,
    )


def _answer(opened: OpenedTrace) -> TraceAnswer:
    trace, names = opened.trace, opened.names
    call = next((call for call in trace.calls if call.step == "answer"), None)
    chunks = {chunk.iri for chunk in trace.chunks.selected}
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
                edges=[each.value for each in sentence.edges if each not in chunks],
                chunks=[each.value for each in sentence.edges if each in chunks],
                sources=[
                    cited_source(opened.cited[each]) for each in sentence.quotations if each in opened.cited
                ],
                stance=sentence.stance,
                origin=sentence.origin.value if sentence.origin else None,
            )
            for sentence in trace.sentences
        ],
        verdict=verdict_view(opened),
        short_answer=short_answer_view(opened),
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
