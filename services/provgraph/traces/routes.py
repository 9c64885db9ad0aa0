"""HTTP face of traces: `/api/v1/traces`, `/api/v1/explain`, the difference of two, pictures, and purging."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final

from fastapi import APIRouter, Header, Query, Response
from fastapi.responses import JSONResponse

from provgraph.errors import InvalidInput
from provgraph.late_routes import LateRouter
from provgraph.provenance.change import PastQuotation
from provgraph.provenance.document_trace import TracedChunk
from provgraph.provenance.prov_document import PROV_FORMATS, prov_format, prov_text
from provgraph.provenance.trace_reading import TracedCall, TracedEdge, TracedSession
from provgraph.rdf.graphs import retrieval_graph
from provgraph.rdf.iris import iri
from provgraph.rdf.json_terms import quad_to_json, triple_to_json
from provgraph.rdf.serialization import RdfFormat, format_of_media_type, serialized
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.sparql.formats import GRAPH_FORMATS, accepted_version, with_version
from provgraph.traces.difference import difference
from provgraph.traces.drawings import Form
from provgraph.traces.graph import trace_graph
from provgraph.traces.reader import OpenedTrace, Traces
from provgraph.traces.removal import Purged, TracePurge
from provgraph.traces.staleness import Staleness
from provgraph.traces.views import (
    cited_source,
    claim_view,
    contradiction_views,
    mention_views,
    received_view,
    short_answer_view,
    source_views,
    verdict_view,
)
from provgraph.traces.why_not import FactFinder, Inquiry
from provgraph.wire.event_stream import json_reply
from provgraph.wire.picture import PlacedGraph
from provgraph.wire.service import PurgedTraces
from provgraph.wire.trace import (
    CitedDocument,
    Difference,
    PastSource,
    TraceAnswer,
    TraceCall,
    TraceCheck,
    TraceChunk,
    TraceDocument,
    TraceEdge,
    TraceEntity,
    TraceListRequest,
    TraceReformulation,
    TraceReranking,
    TraceResolution,
    TraceSentence,
    TraceSummary,
    TraceView,
    WhyNotAnswer,
)


def trace_router(traces: Traces) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["traces"])
    router.routes.extend(picture_router(traces).routes)

    @router.get("/traces", response_model=list[TraceSummary])
    async def sessions(
        request: Annotated[TraceListRequest, Query()],
    ) -> list[TraceSummary]:
        """Past sessions, the newest first, all or those that are wanted."""
        found = await traces.listed(request)
        return [_summary(session, staleness) for session, staleness in found]

    @router.get("/traces/{session:path}", response_model=TraceView)
    async def trace(session: str, rdf: str = "", accept: Annotated[str, Header()] = "*/*") -> Response:
        """One session, by IRI or UUID, as JSON; as Turtle, TriG, N-Triples, N-Quads, JSON-LD, PROV-JSON or PROV-N with
        the sources of its edges. `rdf=1.1`, or `version=1.1` in Accept, is for readers that know no triple terms."""
        opened = await traces.open(session)
        if style := prov_format(accept):
            written = prov_text([*opened.quads, *opened.source_quads], style)
            return Response(written, media_type=PROV_FORMATS[style])
        rdf_format = format_of_media_type(accept)
        if rdf_format is None:
            return await json_reply(lambda: trace_view(opened))
        graph = retrieval_graph(traces.explain_collection)
        quads = [
            *opened.quads,
            *opened.source_quads,
            *opened.doubt_quads(graph),
            *opened.citation_quads(graph),
        ]
        return rdf_reply(quads, with_version(accept, rdf) if rdf else accept, rdf_format)

    @router.get("/explain")
    async def explain(id: str) -> Response:
        """The triples of one entity of a trace, by the `explain_id` of a message."""
        quads = await traces.entity(iri(id))
        return JSONResponse({"explain_id": id, "explain_triples": [quad_to_json(quad) for quad in quads]})

    return router


def rdf_reply(quads: Sequence[Quad], accept: str, rdf_format: RdfFormat) -> Response:
    """The quads in the version of RDF that `accept` names with this format."""
    (chosen,) = (
        graph_format for graph_format in GRAPH_FORMATS if graph_format.media_type == rdf_format.media_type
    )
    version = accepted_version(accept, chosen)
    headers = {"Content-Type": chosen.in_version(version).content_type, "Vary": "Accept"}
    return Response(serialized(quads, rdf_format, version), headers=headers)


def _summary(session: TracedSession, staleness: Staleness) -> TraceSummary:
    return TraceSummary(
        session=session.iri.value,
        query=session.query,
        collection=session.collection,
        started=session.started,
        ended=session.ended or None,
        flow=session.flow,
        outcome=session.outcome or None,
        failure=session.failure or None,
        received=session.receipt is not None,
        stale=list(staleness.reasons),
    )


def trace_view(opened: OpenedTrace) -> TraceView:
    trace = opened.trace
    return TraceView(
        **_summary(trace.session, opened.staleness).model_dump(),
        **_circumstances(opened),
        author=trace.session.author or None,
        version=trace.session.version or None,
        receipt=received_view(opened.receipt),
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
            TraceDocument(
                document=document.document.value, score=document.score, reasoning=document.reasoning
            )
            for document in trace.chunks.documents
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
        "asked_as": put.asked,
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
                edges=[edge.value for edge in sentence.edges if edge not in chunks],
                chunks=[edge.value for edge in sentence.edges if edge in chunks],
                sources=[
                    cited_source(opened.cited[quotation])
                    for quotation in sentence.quotations
                    if quotation in opened.cited
                ],
                stance=sentence.stance,
                origin=sentence.origin.value if sentence.origin else None,
                claim=claim_view(opened, sentence.claim) if sentence.claim else None,
                mentions=mention_views(opened, sentence),
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


def comparison_router(traces: Traces, finder: FactFinder) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["traces"])

    @router.get("/traces/{session}/difference")
    async def compared(session: str, before: str = "") -> Difference:
        """What changed from the session `before`, or from the one that this session asked again, to this one."""
        after = await traces.open(session)
        earlier = before or (again.value if (again := after.circumstances.again_of) else "")
        if not earlier:
            raise InvalidInput(
                "This session asked no other again. Name the one to compare it with as 'before'."
            )
        return difference(await traces.open(earlier), after)

    @router.get("/traces/{session}/why-not")
    async def why_not(
        session: str, edge: Annotated[str, Query(min_length=1, max_length=6_000)]
    ) -> WhyNotAnswer:
        """Why an edge is not behind an answer. `edge` is SUBJECT | RELATION | OBJECT in labels or IRIs, the IRI of an
        edge in a trace, or the name of a thing, for all edges around it."""
        return await Inquiry(finder, await traces.open(session)).answer(edge.strip())

    return router


Around = Annotated[int, Query(ge=0, le=300, description="How many facts to show around the selected edges.")]


def picture_router(traces: Traces) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["traces"])

    @router.get("/traces/{session}/picture", response_class=Response)
    async def picture(session: str, format: Form = "svg", around: Around = 40) -> Response:
        """The selected edges of a session and the facts around them, drawn; red is what a sentence rests on."""
        found = await trace_graph(traces.store, await traces.open(session), around)
        return await found.picture(format)

    @router.get("/traces/{session}/graph")
    async def graph(session: str, around: Around = 40) -> PlacedGraph:
        """The same picture as places, for a program that draws it itself."""
        opened = await traces.open(session)
        found = await trace_graph(traces.store, opened, around)
        return await found.places(opened.trace.session.collection)

    return router


_AGE: Final = re.compile(r"([0-9]{1,6})([hdw])")
_UNITS: Final = {"h": "hours", "d": "days", "w": "weeks"}


def purge_router(purge: TracePurge) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["traces"])

    @router.delete("/traces")
    async def remove(older_than: str, dry_run: bool = False) -> PurgedTraces:
        """Remove the traces of sessions that began before a time, with their answers, prompts and replies.

        `older_than` is an age such as `30d`, `12h` or `4w`, or a time in ISO 8601. `dry_run` only tells.
        """
        before = moment(older_than, purge.now)
        return _message(await (purge.plan(before) if dry_run else purge.purge(before)), dry_run)

    return router


def moment(older_than: str, now: Callable[[], datetime]) -> datetime:
    """An age, or a time, as a time; one without a time zone is in UTC. Raises `InvalidInput` for anything else."""
    try:
        if age := _AGE.fullmatch(older_than):
            return now() - timedelta(**{_UNITS[age[2]]: int(age[1])})
        given = datetime.fromisoformat(older_than)
        return given.astimezone(UTC) if given.tzinfo else given.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise InvalidInput(
            f"{older_than[:40]!r} is neither an age nor a time. Give an age such as 30d, 12h or 4w, or a date."
        ) from error


def _message(purged: Purged, dry_run: bool) -> PurgedTraces:
    started = [session.started for session in purged.sessions]
    return PurgedTraces(
        before=purged.before.isoformat(timespec="seconds"),
        sessions=len(started),
        oldest=min(started, default=None),
        newest=max(started, default=None),
        dry_run=dry_run,
        purge=purged.purge.value if purged.purge else None,
    )
