"""The services `graph-rag` and `document-rag`: a question, answered in messages that clients show while it streams.

A step is explained once and by the entity that clients know: the session as its question, the answer before its text.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final

from pyoxigraph import NamedNode, Quad

from provgraph.errors import NotProvided
from provgraph.flows.runner.events import Event, Explained, Finished, TextAdded
from provgraph.flows.runner.messages import message, whole
from provgraph.flows.runner.requests import RequestReader
from provgraph.flows.runner.runner import AnyRunner
from provgraph.flows.runner.sessions import RunningSession, SessionHub
from provgraph.gateway.trustgraph import fields
from provgraph.gateway.trustgraph.fields import Body
from provgraph.gateway.trustgraph.services import Reply, Service
from provgraph.gateway.trustgraph.terms import wire_quad
from provgraph.rdf.graphs import DEFAULT_COLLECTION, DEFAULT_EXPLAIN_COLLECTION
from provgraph.rdf.vocabulary import PROV, RDF, TG
from provgraph.wire.flow_requests import AskDocumentsRequest, AskRequest, FlowRequest

NOT_FOLLOWED: Final = ("grounding-seeds", "graph-seeds", "languages", "traversal-instructions")
"""What would narrow an answer: refused rather than passed over in silence."""

_WHOLE_GRAPHS: Final = (None, "", "urn:graph:knowledge")
_OF_ANSWER: Final = {"sources", "in_token", "out_token", "model"}


@dataclass(frozen=True)
class QuestionService:
    """A flow as TrustGraph's clients ask it; `request` reads their fields as a request of ours."""

    runner: AnyRunner
    reader: RequestReader
    hub: SessionHub
    request: Callable[[Body], FlowRequest]

    async def __call__(self, body: Body) -> AsyncGenerator[Reply]:
        session = self.hub.start(await self.reader.session(self.runner, self.request(body)))
        async for reply in _replies(self.hub, session, body):
            yield reply


def questions_of(
    graph_rag: AnyRunner, document_rag: AnyRunner, reader: RequestReader, hub: SessionHub
) -> dict[str, Service]:
    """The services that answer, by the names that clients know."""
    return {
        "graph-rag": QuestionService(graph_rag, reader, hub, _graph_request),
        "document-rag": QuestionService(document_rag, reader, hub, _document_request),
    }


async def _replies(hub: SessionHub, session: RunningSession, body: Body) -> AsyncGenerator[Reply]:
    async with aclosing(hub.read(session)) as numbered:
        if fields.flag(body, "streaming"):
            async for reply in streamed(numbered, fields.flag(body, "explainable")):
                yield reply
        else:
            yield whole_reply([event async for _, event in numbered])


async def streamed(numbered: AsyncGenerator[tuple[int, Event]], explainable: bool) -> AsyncGenerator[Reply]:
    """The messages of a session. Raises the error of one that failed."""
    sent: set[NamedNode] = set()
    async for _, event in numbered:
        if isinstance(event, Explained):
            if explainable and event.entity not in sent:
                yield Reply(_explanation(event), complete=False)
            sent.add(event.entity)
            continue
        if isinstance(event, Finished) and event.error:
            raise event.error
        reply = message(event, DEFAULT_EXPLAIN_COLLECTION).model_dump(mode="json", exclude_none=True)
        yield Reply(reply, complete=not isinstance(event, TextAdded))


def whole_reply(events: Sequence[Event]) -> Reply:
    """A session that has ended, in one message. Raises the error of one that failed."""
    answer = whole(events, DEFAULT_EXPLAIN_COLLECTION)
    known = answer.model_dump(mode="json", exclude_none=True, include=_OF_ANSWER)
    ends = {"end_of_stream": True, "end_of_session": True}
    return Reply({"message_type": "chunk", "response": answer.response, **ends, **known})


def _explanation(event: Explained) -> dict[str, Any]:
    entity, quads = _as_question(event.quads) or (event.entity, event.quads)
    return {
        "message_type": "explain",
        "explain_id": entity.value,
        "explain_graph": "urn:graph:retrieval",
        "explain_triples": [wire_quad(quad) for quad in quads],
    }


def _as_question(quads: Sequence[Quad]) -> tuple[NamedNode, list[Quad]] | None:
    """A session as it begins, told as its question with the time at which it was asked; None for any other step."""
    asked = [quad.subject for quad in quads if quad.predicate == RDF.type and quad.object == TG.Question]
    if not asked or not isinstance(asked[0], NamedNode):
        return None
    question = asked[0]
    started = [
        Quad(question, quad.predicate, quad.object, quad.graph_name)
        for quad in quads
        if quad.predicate == PROV.started_at_time
    ]
    return question, [*(quad for quad in quads if quad.subject == question), *started]


def _graph_request(body: Body) -> AskRequest:
    for name in NOT_FOLLOWED:
        if body.get(name):
            raise NotProvided(
                f"{name!r} is not provided here, and the answer would not keep to it. Leave it out."
            )
    if body.get("graph") not in _WHOLE_GRAPHS:
        raise NotProvided(
            "'graph' is not provided here: questions are answered from the whole of a collection. Leave it out."
        )
    return AskRequest(
        query=fields.text(body, "query"),
        collection=fields.text(body, "collection", "") or DEFAULT_COLLECTION,
        entity_limit=fields.number(body, "entity-limit", 50, 1_000),
        triple_limit=fields.number(body, "triple-limit", 30, 1_000),
        max_subgraph_size=fields.number(body, "max-subgraph-size", 150, 5_000),
        max_path_length=fields.number(body, "max-path-length", 2, 5),
        edge_limit=fields.number(body, "edge-limit", 25, 500),
    )


def _document_request(body: Body) -> AskDocumentsRequest:
    return AskDocumentsRequest(
        query=fields.text(body, "query"),
        collection=fields.text(body, "collection", "") or DEFAULT_COLLECTION,
        doc_limit=fields.number(body, "doc-limit", 10, 100),
        fetch_limit=fields.number(body, "fetch-limit", 0, 1_000),
    )
