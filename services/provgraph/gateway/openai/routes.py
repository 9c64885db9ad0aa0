"""HTTP face of the flows as OpenAI's clients ask them; what they send beside the conversation is passed over."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final

from anyio import to_thread
from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from fastapi.sse import format_sse_event

from provgraph.catalogue.collections import Collections
from provgraph.errors import NotFound, Unavailable
from provgraph.flows.runner.events import Event, Finished
from provgraph.flows.runner.requests import RequestReader
from provgraph.flows.runner.routes import provenance_linked, read_whole
from provgraph.flows.runner.runner import AnyRunner
from provgraph.flows.runner.sessions import RunningSession, SessionHub
from provgraph.gateway.openai.chat_tasks import task_answer, task_completion
from provgraph.gateway.openai.errors import PREFIX
from provgraph.gateway.openai.replies import ReplyContext, chunks, completion, response, response_events
from provgraph.gateway.openai.requests import (
    ChatRequest,
    Message,
    ResponsesRequest,
    described,
    history_of,
    listing,
    model_name,
    models,
    question_of,
    require_followed,
)
from provgraph.late_routes import LateRouter
from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.wire.event_stream import frame_stream
from provgraph.wire.flow_requests import PostedFlowRequest, PostedQuestionRequest

_DONE: Final = "[DONE]"

Whole = Callable[[Finished, ReplyContext], dict[str, Any]]
Streamed = Callable[[AsyncGenerator[Event], ReplyContext, str], AsyncGenerator[dict[str, Any]]]


@dataclass(frozen=True)
class OpenAIModels:
    """The flows by the last part of their addresses, the default one first."""

    runners: Mapping[str, AnyRunner]
    collections: Collections
    reader: RequestReader
    hub: SessionHub
    explain_collection: str

    async def names(self) -> list[str]:
        names = sorted(await self.collections.names(), key=lambda name: (name != DEFAULT_COLLECTION, name))
        return models(names, list(self.runners))

    async def turn(self, response: str) -> list[Message]:
        """The question and the answer of an earlier response. Raises `NotFound`."""
        try:
            opened = await self.reader.traces.open(response.removeprefix("resp_"))
        except NotFound as error:
            raise NotFound(
                f"There is no response {response[:80]!r}. Leave 'previous_response_id' out, or send the messages."
            ) from error
        question = Message(role="user", content=opened.trace.session.query)
        return [question, Message(role="assistant", content=opened.answer)]

    async def begun(
        self, model: str, messages: list[Message], request: Request
    ) -> tuple[RunningSession, ReplyContext]:
        """The session of a question. Raises before there is one."""
        name = model_name(model, list(self.runners))
        runner = self.runners[name.flow]
        asked = _request(runner, question_of(messages), name.collection, messages)
        session = self.hub.start(await self.reader.session(runner, asked))
        return session, self.context(model, request)

    def context(self, model: str, request: Request) -> ReplyContext:
        """What replies say of the request. Raises `NotFound` for a model that there is not."""
        collection = model_name(model, list(self.runners)).collection
        return ReplyContext(model, collection, self.explain_collection, base_url(request), int(time.time()))


def openai_router(served: OpenAIModels) -> APIRouter:
    router = LateRouter(prefix=PREFIX.rstrip("/"), tags=["openai"])

    @router.get("/models")
    async def list_models() -> JSONResponse:
        """The flows of all collections, as models."""
        return JSONResponse(listing(await served.names()))

    @router.get("/models/{model:path}")
    async def one_model(model: str) -> JSONResponse:
        """One model."""
        name = model_name(model, list(served.runners))
        await served.collections.require(name.collection)
        return JSONResponse(described(model))

    @router.post("/chat/completions")
    async def chat(body: ChatRequest, request: Request) -> Response:
        """Answer the last message of a conversation, with `url_citation`s and the proof under `provgraph`."""
        require_followed(body)
        if not body.stream and (answer := task_answer(question_of(body.messages))):
            return JSONResponse(task_completion(answer, served.context(body.model, request)))
        with_usage = body.stream_options is not None and body.stream_options.include_usage

        def streamed(
            events: AsyncGenerator[Event], context: ReplyContext, identity: str
        ) -> AsyncGenerator[dict[str, Any]]:
            return chunks(events, context, f"chatcmpl-{identity}", with_usage=with_usage)

        return await _reply(served, body, request, completion, streamed)

    @router.post("/responses")
    async def respond(body: ResponsesRequest, request: Request) -> Response:
        """The same as a response of OpenAI's newer API."""
        require_followed(body)
        if previous := body.previous_response_id:
            body.input = [*await served.turn(previous), *body.messages]

        def streamed(
            events: AsyncGenerator[Event], context: ReplyContext, identity: str
        ) -> AsyncGenerator[dict[str, Any]]:
            return response_events(events, context, f"resp_{identity}")

        return await _reply(served, body, request, response, streamed, named=True)

    return router


async def _reply(
    served: OpenAIModels,
    body: ChatRequest | ResponsesRequest,
    request: Request,
    whole: Whole,
    streamed: Streamed,
    *,
    named: bool = False,
) -> Response:
    """The reply to the last message: its session as `whole` or `streamed`, by `named` events or by data alone."""
    session, context = await served.begun(body.model, body.messages, request)
    if body.stream:
        messages = streamed(_events(served.hub, session), context, await session.begun())
        return provenance_linked(frame_stream(_frames(messages, named=named)), session.uuid)
    finished = _ended(await read_whole(served.hub, session, request))
    reply = await to_thread.run_sync(lambda: json.dumps(whole(finished, context)))
    return provenance_linked(Response(reply, media_type="application/json"), session.uuid)


async def _events(hub: SessionHub, session: RunningSession) -> AsyncGenerator[Event]:
    async with aclosing(hub.read(session)) as numbered:
        async for _, event in numbered:
            yield event


async def _frames(messages: AsyncGenerator[dict[str, Any]], *, named: bool) -> AsyncGenerator[bytes]:
    """Each message as a line of data; those of responses also by name, those of chats with a mark at the end."""
    async with aclosing(messages) as stream:
        async for message in stream:
            data = json.dumps(message, ensure_ascii=False)
            yield format_sse_event(event=message["type"] if named else None, data_str=data)
    if not named:
        yield format_sse_event(data_str=_DONE)


def _ended(events: Iterable[Event]) -> Finished:
    last = next((event for event in reversed(list(events)) if isinstance(event, Finished)), None)
    if last is None:
        raise Unavailable("The session ended before the answer was complete. Ask again.")
    return last


def _request(runner: AnyRunner, question: str, collection: str, messages: list[Message]) -> PostedFlowRequest:
    """The request of the flow's own route that asks the same."""
    fields: dict[str, Any] = {runner.flow.body.text_field: question, "collection": collection}
    if issubclass(runner.flow.body, PostedQuestionRequest):
        fields["history"] = history_of(messages)
    return runner.flow.body.model_validate(fields)


def base_url(request: Request) -> str:
    """The address that the client has of the service, also where a gateway passed the request on."""
    host = request.headers.get("x-forwarded-host") or request.headers.get("host", "")
    scheme = request.headers.get("x-forwarded-proto") or request.url.scheme
    return f"{scheme}://{host}"
