"""A session as a response, whole or as the events of its making."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from itertools import count
from typing import Any

from provgraph.flows.runner.events import Event, Finished, TextAdded
from provgraph.gateway.openai.chat import usage
from provgraph.gateway.openai.replies import ReplyContext, citations, proof
from provgraph.rdf.iris import session_uuid


def response(finished: Finished, context: ReplyContext, identity: str = "") -> dict[str, Any]:
    """A finished session in one reply. Raises the error of one that failed."""
    if finished.error:
        raise finished.error
    name = identity or f"resp_{session_uuid(finished.session)}"
    return {
        **_frame(name, context, "completed"),
        "output": [_item(name, _part(finished.answer, citations(finished, context)))],
        "usage": _usage(finished),
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

    begun = {**_frame(identity, context, "in_progress"), "output": []}
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
                failed = {**_frame(identity, context, "failed"), "output": [], "error": told}
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


def _frame(identity: str, context: ReplyContext, status: str) -> dict[str, Any]:
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


def _usage(finished: Finished) -> dict[str, Any]:
    told = usage(finished)
    return {
        "input_tokens": told["prompt_tokens"],
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": told["completion_tokens"],
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": told["total_tokens"],
    }
