"""The services `graph-rag` and `document-rag`: a question, answered in messages that clients show as they come.

A step is told once and by the entity that clients know: the session as its question, the answer before its text.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, Final

from fastapi import APIRouter, Request, Response

from provgraph.errors import NotFound, NotProvided
from provgraph.flows.runner.events import Event, Explained, Finished, TextAdded
from provgraph.flows.runner.messages import message, whole
from provgraph.flows.runner.requests import RequestReader
from provgraph.flows.runner.runner import AnyRunner
from provgraph.flows.runner.sessions import RunningSession, SessionHub
from provgraph.gateway.trustgraph import fields
from provgraph.gateway.trustgraph.fields import Body, wire_quad
from provgraph.gateway.trustgraph.services import Service, ServiceReply
from provgraph.late_routes import LateRouter
from provgraph.peers.service import PeerService, answered_as_it_comes
from provgraph.rdf.graphs import DEFAULT_COLLECTION, DEFAULT_EXPLAIN_COLLECTION
from provgraph.rdf.terms import NamedNode, Quad
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

    async def __call__(self, body: Body) -> AsyncGenerator[ServiceReply]:
        session = self.hub.start(await self.reader.session(self.runner, self.request(body)))
        async for reply in _replies(self.hub, session, body):
            yield replace(reply, session=session.session.value if session.session else "")


def questions_of(
    graph_rag: AnyRunner, document_rag: AnyRunner, reader: RequestReader, hub: SessionHub
) -> dict[str, Service]:
    """The services that answer, by the names that clients know."""
    return {
        "graph-rag": QuestionService(graph_rag, reader, hub, _graph_request),
        "document-rag": QuestionService(document_rag, reader, hub, _document_request),
    }


async def _replies(hub: SessionHub, session: RunningSession, body: Body) -> AsyncGenerator[ServiceReply]:
    async with aclosing(hub.read(session)) as numbered:
        if fields.flag(body, "streaming"):
            async for reply in streamed(numbered, fields.flag(body, "explainable")):
                yield reply
        else:
            yield complete_reply([event async for _, event in numbered])


async def streamed(
    numbered: AsyncGenerator[tuple[int, Event]], explainable: bool
) -> AsyncGenerator[ServiceReply]:
    """The messages of a session. Raises the error of one that failed."""
    sent: set[NamedNode] = set()
    async for _, event in numbered:
        if isinstance(event, Explained):
            if explainable and event.entity not in sent:
                yield ServiceReply(_explanation(event), complete=False)
            sent.add(event.entity)
            continue
        if isinstance(event, Finished) and event.error:
            raise event.error
        reply = message(event, DEFAULT_EXPLAIN_COLLECTION).model_dump(mode="json", exclude_none=True)
        yield ServiceReply(reply, complete=not isinstance(event, TextAdded))


def complete_reply(events: Sequence[Event]) -> ServiceReply:
    """A session that has ended, in one message. Raises the error of one that failed."""
    answer = whole(events, DEFAULT_EXPLAIN_COLLECTION)
    known = answer.model_dump(mode="json", exclude_none=True, include=_OF_ANSWER)
    ends = {"end_of_stream": True, "end_of_session": True}
    return ServiceReply({"message_type": "chunk", "response": answer.response, **ends, **known})


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


ANSWERING: Final = ("graph-rag", "document-rag")
_PATH: Final = "/internal/v1/trustgraph"


@dataclass(frozen=True)
class PeerServiceCall:
    """The service of a name as `peer` gives it."""

    name: str
    peer: PeerService

    async def __call__(self, body: Body) -> AsyncGenerator[ServiceReply]:
        async with aclosing(self.peer.results(f"{_PATH}/{self.name}", dict(body))) as results:
            async for result in results:
                yield ServiceReply(result["response"], result["complete"])


def asking_port_router(services: Mapping[str, Service]) -> APIRouter:
    """`services` by name, for a gateway that is another process."""
    router = LateRouter(prefix=_PATH, tags=["internal"], include_in_schema=False)

    @router.post("/{name}")
    async def ask(name: str, request: Request) -> Response:
        if name not in services:
            raise NotFound(
                f"There is no service {name[:80]!r} here. Run the same version of ProvGraph everywhere."
            )
        return answered_as_it_comes(_responses(services[name], await request.json()))

    return router


async def _responses(service: Service, body: Body) -> AsyncGenerator[dict[str, Any]]:
    async with aclosing(service(body)) as replies:
        async for reply in replies:
            yield {"response": dict(reply.response), "complete": reply.complete}
