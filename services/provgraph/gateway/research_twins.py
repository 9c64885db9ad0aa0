"""The two routes that clients of the GraphRAG Research Assistant know, as thin twins of `/api/v1/research`."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Header, Response

from provgraph.errors import Unavailable
from provgraph.flows.research.entity_graph import EntityGraph, entity_graph
from provgraph.flows.research.flow import PaperQuestion, conversations_of
from provgraph.flows.research.graph_routes import missed
from provgraph.flows.research.paper_graph import PaperGraph, PaperGraphs
from provgraph.flows.runner.requests import RequestReader
from provgraph.flows.runner.routes import AnswerEncoding, Answers, Form
from provgraph.flows.runner.runner import Runner
from provgraph.flows.runner.sessions import SessionHub
from provgraph.ingestion.papers.building import BuildJobs
from provgraph.ingestion.papers.routes import Choice, Search, built_from
from provgraph.late_routes import LateRouter
from provgraph.wire.answer import Answer
from provgraph.wire.documents import Job
from provgraph.wire.event_stream import EventNames, progress_reply
from provgraph.wire.flow_requests import AskPapersRequest
from provgraph.wire.research import (
    AgentActionRequest,
    BuildGraphRequest,
    BuildRequest,
    BuiltGraph,
    EntityEdge,
    EntityNode,
    KnowledgeGraph,
    PaperEdge,
    PaperNode,
)

VECTORS_ALONE: Final = "vector"
MOST_RELATIONS: Final = 100
_NAMES: Final[EventNames] = {Job: "progress", BuiltGraph: "graph"}


@dataclass(frozen=True)
class TwinServices:
    research: Runner[PaperQuestion]
    reader: RequestReader
    graphs: PaperGraphs
    jobs: BuildJobs
    chosen: Choice
    search: Search


def research_twin_router(services: TwinServices, hub: SessionHub) -> APIRouter:
    router = LateRouter(prefix="/api", tags=["research"])
    answers = Answers(hub, AnswerEncoding(services.research.services.explain_collection))

    @router.post("/build_graph", response_model=BuiltGraph)
    async def build_graph(body: BuildGraphRequest, accept: Annotated[str, Header()] = "*/*") -> Response:
        """Search, read and link papers; the graphs come when all is done, or after its progress as a stream."""
        return await progress_reply(_building(services, body), _NAMES, accept)

    @router.post("/agent_action", response_model=Answer)
    async def agent_action(body: AgentActionRequest, form: Form) -> Response:
        """Answer a question of a session from its papers; a stream with `Accept: text/event-stream`."""
        collection = await conversations_of(services.research.services).collection_of(body.session_id)
        question = AskPapersRequest(
            query=body.query or body.action_query,
            collection=collection,
            papers=body.paper_names,
            conversation=body.session_id,
            method="" if body.use_hybrid else VECTORS_ALONE,
            rerank=None if body.use_reranking else False,
        )
        return await answers.response(form, lambda: services.reader.session(services.research, question))

    return router


async def _building(services: TwinServices, body: BuildGraphRequest) -> AsyncGenerator[Job | BuiltGraph]:
    asked_for = BuildRequest(topic=body.topic, max_results=body.max_results, collection=body.collection)
    collection, papers = built_from(asked_for, services.search)
    job = services.jobs.submit(papers, collection, services.chosen())
    async with aclosing(services.jobs.watch(job.id)) as states:
        async for state in states:
            yield state.model_copy(update={"documents": [], "refused": [], "failed": []})
    if job.state != "done":
        reason = job.problem.detail if job.problem else "It was ended. Build again; what is read is kept."
        raise Unavailable(f"The graph was not built: {reason}")
    yield await _built(services, collection)


async def _built(services: TwinServices, collection: str) -> BuiltGraph:
    graphs = services.graphs
    graph = await graphs.current(collection)
    of = await graphs.collections.require(collection)
    entities = await entity_graph(graphs.store, of, MOST_RELATIONS)
    return BuiltGraph(
        nodes=_papers(graph),
        edges=[
            PaperEdge(
                source=likeness.papers[0].value,
                target=likeness.papers[1].value,
                weight=round(likeness.weight, 4),
            )
            for likeness in graph.likenesses
        ],
        knowledge_graph=_entities(entities),
        session_id=await conversations_of(services.research.services).begin(collection),
        collection=collection,
        gaps=await missed(graphs, collection),
    )


def _papers(graph: PaperGraph) -> list[PaperNode]:
    return [
        PaperNode(
            id=paper.iri.value,
            title=paper.title,
            authors=list(paper.creators),
            published=paper.date,
            abstract=paper.abstract,
            url=paper.source,
        )
        for paper in graph.papers
    ]


def _entities(graph: EntityGraph) -> KnowledgeGraph:
    nodes = {
        str(term): EntityNode(id=str(term), label=graph.labels[term], type=graph.type_of(term))
        for fact in graph.facts
        for term in (fact.subject, fact.object)
    }
    edges = [
        EntityEdge(
            source=str(fact.subject),
            target=str(fact.object),
            relation=graph.labels[fact.predicate],
            papers=[paper.value for paper in graph.papers[fact]],
        )
        for fact in graph.facts
    ]
    return KnowledgeGraph(nodes=list(nodes.values()), edges=edges)
