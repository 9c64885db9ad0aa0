"""The end of a session as OpenAI's clients read it: the text, citations by character, usage, and the proof.

Citations are `url_citation`s: the characters of the answer that a source says, and an address that opens its page with
the words marked.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any
from urllib.parse import quote, urlencode

from provgraph.flows.runner.events import CitedSentence, Event, Finished, TextAdded
from provgraph.flows.runner.messages import message
from provgraph.rdf.iris import session_uuid
from provgraph.traces.views import cited_source
from provgraph.wire.text import CitedSource


@dataclass(frozen=True)
class ReplyContext:
    """What replies say of the question: its `model` as it was named, the address of the service, `created` in seconds
    since 1970."""

    model: str
    collection: str
    explain_collection: str
    base_url: str
    created: int


def proof(finished: Finished, context: ReplyContext) -> dict[str, Any]:
    """What stands under `provgraph`: the last message of our own routes, and where the trace is to be had."""
    uuid = session_uuid(finished.session)
    told = message(finished, context.explain_collection).model_dump(mode="json", exclude_none=True)
    kept = {
        name: told[name]
        for name in told.keys() - {"message_type", "response", "end_of_stream", "end_of_session"}
    }
    return {
        "outcome": finished.outcome.value,
        "session": finished.session.value,
        "trace": f"{context.base_url}/api/v1/traces/{uuid}",
        "page": f"{context.base_url}/#/session/{uuid}",
        **kept,
    }


def citations(finished: Finished, context: ReplyContext) -> list[dict[str, Any]]:
    """One for each source of each sentence, in the order of the text."""
    return [
        {
            "type": "url_citation",
            "start_index": sentence.start,
            "end_index": sentence.end,
            "title": source.title or source.source,
            "url": source_address(source, context),
        }
        for sentence, source in _sources(finished.sentences)
    ]


def _sources(sentences: tuple[CitedSentence, ...]) -> Iterator[tuple[CitedSentence, CitedSource]]:
    for sentence in sentences:
        for words in sentence.sources:
            yield sentence, cited_source(words)


def source_address(source: CitedSource, context: ReplyContext) -> str:
    """The page of the reader that opens a source with its words marked."""
    place = {
        "collection": context.collection,
        "page": source.page,
        "start": source.start,
        "end": source.end,
    }
    return f"{context.base_url}/#/documents/{quote(source.document, safe='')}?{urlencode(place)}"


def error_body(message: str, kind: str, code: str | None = None) -> dict[str, Any]:
    """An error in the one shape that these clients know."""
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def completion(finished: Finished, context: ReplyContext) -> dict[str, Any]:
    """A finished session in one reply. Raises the error of one that failed."""
    if finished.error:
        raise finished.error
    said = {"role": "assistant", "content": finished.answer, "refusal": None, **_cited(finished, context)}
    return {
        "id": f"chatcmpl-{session_uuid(finished.session)}",
        "object": "chat.completion",
        "created": context.created,
        "model": context.model,
        "choices": [{"index": 0, "message": said, "finish_reason": "stop", "logprobs": None}],
        "usage": usage(finished),
        "provgraph": proof(finished, context),
    }


async def chunks(
    events: AsyncGenerator[Event], context: ReplyContext, identity: str, *, with_usage: bool
) -> AsyncGenerator[dict[str, Any]]:
    """The chunks of a session as it is answered; the last with a choice has citations and proof."""

    def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return {**_chat_frame(identity, context), "choices": [choice], **more}

    yield chunk({"role": "assistant", "content": ""})
    async for event in events:
        if isinstance(event, TextAdded):
            yield chunk({"content": event.text})
        elif isinstance(event, Finished):
            if event.error:
                yield error_body(str(event.error), event.error.slug)
                return
            yield chunk(_cited(event, context), "stop", provgraph=proof(event, context))
            if with_usage:
                yield {**_chat_frame(identity, context), "choices": [], "usage": usage(event)}


def usage(finished: Finished) -> dict[str, int]:
    """Tokens that a language model read and wrote; none where none was asked."""
    read, written = finished.usage.in_tokens or 0, finished.usage.out_tokens or 0
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def _cited(finished: Finished, context: ReplyContext) -> dict[str, Any]:
    """Citations as chat completions nest them."""
    annotations = []
    for citation in citations(finished, context):
        kind = citation.pop("type")
        annotations.append({"type": kind, kind: citation})
    return {"annotations": annotations}


def _chat_frame(identity: str, context: ReplyContext) -> dict[str, Any]:
    return {
        "id": identity,
        "object": "chat.completion.chunk",
        "created": context.created,
        "model": context.model,
    }


def response(finished: Finished, context: ReplyContext, identity: str = "") -> dict[str, Any]:
    """A finished session in one reply. Raises the error of one that failed."""
    if finished.error:
        raise finished.error
    name = identity or f"resp_{session_uuid(finished.session)}"
    return {
        **_response_frame(name, context, "completed"),
        "output": [_item(name, _part(finished.answer, citations(finished, context)))],
        "usage": _response_usage(finished),
        "provgraph": proof(finished, context),
    }


async def response_events(
    events: AsyncGenerator[Event], context: ReplyContext, identity: str
) -> AsyncGenerator[dict[str, Any]]:
    """The events of a response, in the order and with the names of OpenAI's."""
    numbers = count()
    item = f"msg_{identity}"

    def event(kind: str, **fields: Any) -> dict[str, Any]:
        return {"type": f"response.{kind}", "sequence_number": next(numbers), **fields}

    begun = {**_response_frame(identity, context, "in_progress"), "output": []}
    yield event("created", response=begun)
    yield event("in_progress", response=begun)
    opened = {**_item(identity, None), "status": "in_progress"}
    yield event("output_item.added", output_index=0, item=opened)
    place = {"item_id": item, "output_index": 0, "content_index": 0}
    yield event("content_part.added", **place, part=_part("", []))
    async for each in events:
        if isinstance(each, TextAdded):
            yield event("output_text.delta", **place, delta=each.text, logprobs=[])
        elif isinstance(each, Finished):
            if each.error:
                told = {"code": "server_error", "message": str(each.error)}
                failed = {**_response_frame(identity, context, "failed"), "output": [], "error": told}
                yield event("failed", response=failed)
                return
            part = _part(each.answer, citations(each, context))
            for number, annotation in enumerate(part["annotations"]):
                yield event(
                    "output_text.annotation.added", **place, annotation_index=number, annotation=annotation
                )
            yield event("output_text.done", **place, text=each.answer, logprobs=[])
            yield event("content_part.done", **place, part=part)
            yield event("output_item.done", output_index=0, item=_item(identity, part))
            yield event("completed", response=response(each, context, identity))


def _response_frame(identity: str, context: ReplyContext, status: str) -> dict[str, Any]:
    return {
        "id": identity,
        "object": "response",
        "created_at": context.created,
        "status": status,
        "model": context.model,
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "parallel_tool_calls": False,
        "temperature": None,
        "tool_choice": "none",
        "tools": [],
        "top_p": None,
    }


def _item(identity: str, part: dict[str, Any] | None) -> dict[str, Any]:
    return {
        "id": f"msg_{identity}",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [] if part is None else [part],
    }


def _part(text: str, annotations: list[dict[str, Any]]) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": annotations, "logprobs": []}


def _response_usage(finished: Finished) -> dict[str, Any]:
    told = usage(finished)
    return {
        "input_tokens": told["prompt_tokens"],
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": told["completion_tokens"],
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": told["total_tokens"],
    }
