"""One trace of a question through all services, as a collector of OpenTelemetry receives it."""

from __future__ import annotations

import asyncio

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from api.retrievers import EmptyRetriever
from api.running import listening
from api.test_apart import ASK, PATH, Apart, apart
from provgraph.peers.spans import export_spans

__all__ = ["apart"]
CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


async def test_a_question_is_one_trace_through_all_services_below_that_of_the_caller(apart: Apart) -> None:
    received: list[Span] = []

    async def collect(request: Request) -> Response:
        message = ExportTraceServiceRequest.FromString(await request.body())
        for resource in message.resource_spans:
            for scope in resource.scope_spans:
                received.extend(scope.spans)
        return Response()

    app = Starlette(routes=[Route("/v1/traces", collect, methods=["POST"])])
    async with listening(app) as url:
        send_the_rest = export_spans(url, "provgraph")
        client = await apart.gateway_before(EmptyRetriever())
        answered = await client.post(PATH, json=ASK, headers={"traceparent": CALLER})
        await asyncio.to_thread(send_the_rest)
    ours = [span for span in received if span.trace_id.hex() == CALLER.split("-")[1]]
    by_id = {span.span_id: span for span in ours}
    requests = [span for span in ours if span.name == f"POST {PATH}"]
    gateway, answering = sorted(requests, key=lambda span: span.start_time_unix_nano)
    assert gateway.parent_span_id.hex() == CALLER.split("-")[2]
    assert answering.parent_span_id == gateway.span_id
    stages = {span.name: span for span in ours if by_id.get(span.parent_span_id) is answering}
    assert {"grounding", "retrieval", "selection", "answer"} <= set(stages)
    told = {each.key: each.value.string_value for each in stages["retrieval"].attributes}
    assert told["provgraph.session"] == answered.json()["session"]
    assert told["gen_ai.operation.name"] == "retrieval"
    (agent,) = [span for span in ours if span.name == "invoke_agent provgraph"]
    told = {each.key: each.value.string_value for each in agent.attributes}
    assert told["gen_ai.conversation.id"] == answered.json()["session"]
    assert told["provgraph.outcome"] == answered.json()["outcome"]
