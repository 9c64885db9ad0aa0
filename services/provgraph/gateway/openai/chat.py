"""A session as a chat completion, whole or in chunks."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

from provgraph.flows.runner.events import Event, Finished, TextAdded
from provgraph.gateway.openai.replies import ReplyContext, citations, error_body, proof
from provgraph.rdf.iris import session_uuid


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
        return {**_frame(identity, context), "choices": [choice], **more}

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
                yield {**_frame(identity, context), "choices": [], "usage": usage(event)}


def usage(finished: Finished) -> dict[str, int]:
    """Tokens that a language model read and wrote; none where none was asked."""
    read, written = finished.usage.in_tokens or 0, finished.usage.out_tokens or 0
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def _cited(finished: Finished, context: ReplyContext) -> dict[str, Any]:
    """Citations as chat completions nest them."""
    annotations = []
    for each in citations(finished, context):
        kind = each.pop("type")
        annotations.append({"type": kind, kind: each})
    return {"annotations": annotations}


def _frame(identity: str, context: ReplyContext) -> dict[str, Any]:
    return {
        "id": identity,
        "object": "chat.completion.chunk",
        "created": context.created,
        "model": context.model,
    }
