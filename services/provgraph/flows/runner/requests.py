"""A request → the question that it asks: an earlier session asked again, documents and edges looked up by name."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any, Final

from provgraph.catalogue.document_names import DocumentNames, narrowed_documents
from provgraph.errors import InvalidInput
from provgraph.flows.runner.flow import Flow, Q
from provgraph.flows.runner.follow_ups import ConversationTurn, in_context
from provgraph.flows.runner.runner import Runner, Session
from provgraph.ports.retriever import Without
from provgraph.provenance.circumstances import Circumstances, read_circumstances
from provgraph.provenance.trace_reading import read_session
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.terms import NamedNode
from provgraph.reading.kept_parses import KeptParses
from provgraph.reading.parser import BuiltInParser
from provgraph.reading.syntax import Parser
from provgraph.traces.reader import Traces
from provgraph.traces.why_not import FactFinder
from provgraph.wire.flow_requests import (
    FlowRequest,
    LeftOutRequest,
    PostedFlowRequest,
    PostedQuestionRequest,
    question_text,
)

_NO_SETTINGS: Final = frozenset({"collection", "again", "without", "documents", "history"})


@dataclass(frozen=True)
class RequestReader:
    """Knows the sessions that may be asked again, and the documents and edges of collections by name; `parser` reads
    follow-ups."""

    traces: Traces
    finder: FactFinder
    parser: Parser = field(default_factory=lambda: KeptParses(BuiltInParser()))

    async def session(self, runner: Runner[Q], request: FlowRequest) -> Session:
        """The session that a request asks for, not yet begun. A wrong choice is told before there is a session."""
        return runner.session(await runner.resolved(await self.question(runner.flow, request)))

    async def question(self, flow: Flow[Q], request: FlowRequest) -> Q:
        """Raises `NotFound` for a collection, session, document or edge that is not there, and `InvalidInput`."""
        earlier = Circumstances()
        if isinstance(request, PostedFlowRequest) and request.again:
            request, earlier = await self._again(flow, request)
        request, asked = self._understood(request)
        graphs = await self.finder.collections.require(request.collection)
        names = DocumentNames(self.finder.collections.store, graphs)
        left_out = earlier.without
        if isinstance(request, PostedFlowRequest):
            left_out = _both(
                left_out, await self._left_out(request.without, names, request.collection, graphs)
            )
        narrowed = await narrowed_documents(self.finder.collections.store, graphs, request)
        return replace(
            flow.question(request),
            without=_both(left_out, Without(narrowed.others)),
            circumstances=Circumstances(
                _settings(flow, request, narrowed.named), left_out, earlier.again_of, asked
            ),
        )

    def _understood(self, request: FlowRequest) -> tuple[FlowRequest, str]:
        """A follow-up with what it points back to named in its words, and those that it was put in; a question that
        points back to nothing as it is, and nothing."""
        if not isinstance(request, PostedQuestionRequest) or not request.history:
            return request, ""
        turns = [
            ConversationTurn(turn_request.question, turn_request.answer) for turn_request in request.history
        ]
        meant = in_context(request.query, turns, self.parser)
        if meant == request.query:
            return request, ""
        return request.model_copy(update={"query": meant}), request.query.strip()

    async def _again(
        self, flow: Flow[Q], request: PostedFlowRequest
    ) -> tuple[PostedFlowRequest, Circumstances]:
        """The request of an earlier session, with what this one says of its own in its place."""
        names = self.traces.names(request.again)
        quads = await self.traces.quads(names)
        session = read_session(names.session, quads)
        text = getattr(request, request.text_field)
        if text.strip() and question_text(text) != session.query:
            raise InvalidInput(
                "The question differs from that of the session to be asked again. Leave out the one or the other."
            )
        before = read_circumstances(names.session, quads)
        known = {name: value for name, value in before.fields.items() if name in flow.body.model_fields}
        own = request.model_dump(exclude_unset=True)
        fields = {**known, "collection": session.collection, **own, request.text_field: session.query}
        return flow.body.model_validate(fields), Circumstances((), before.without, names.session)

    async def _left_out(
        self, left_out: LeftOutRequest, names: DocumentNames, collection: str, graphs: CollectionGraphs
    ) -> Without:
        edges = []
        for text in left_out.edges:
            edge = await self.finder.edge(text, collection, graphs)
            if edge is None:
                raise InvalidInput(
                    f"{text[:200]!r} is not an edge. Write SUBJECT | RELATION | OBJECT, or its IRI in a trace."
                )
            edges.append(edge)
        return Without(await names.resolved(left_out.documents), tuple(edges))


def _both(one: Without, other: Without) -> Without:
    return Without(
        tuple(dict.fromkeys((*one.documents, *other.documents))),
        tuple(dict.fromkeys((*one.edges, *other.edges))),
    )


def _settings(flow: Flow[Q], request: FlowRequest, documents: tuple[NamedNode, ...]) -> tuple[str, ...]:
    """What of a request is not the default, as name=value with the value in JSON."""
    chosen: dict[str, Any] = request.model_dump(mode="json", exclude_defaults=True)
    skipped = _NO_SETTINGS | flow.unrecorded | {request.text_field}
    settings = {name: value for name, value in chosen.items() if name not in skipped}
    if documents:
        settings["documents"] = [document.value for document in documents]
    return tuple(f"{name}={json.dumps(settings[name])}" for name in sorted(settings))
