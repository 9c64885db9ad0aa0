"""The routes of one process in groups, each of which imports and makes what it needs when it is made.

Those that are fast to import come first: a request goes down the list as far as the group that answers it.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Final

from fastapi import APIRouter

from provgraph.late_routes import LateGroup
from provgraph.roles import Role

if TYPE_CHECKING:  # an assembly makes its routes here
    from starlette.types import ASGIApp

    from provgraph.assembly.process import Assembly
    from provgraph.checking.pipeline import Extracted
    from provgraph.gateway.forwarding import Forwarded
    from provgraph.gateway.trustgraph.services import Services


def route_groups(made: Assembly) -> list[LateGroup]:
    """Those that the role of the process opens."""
    return [LateGroup(partial(make, made), _DESCRIBED.index(make)) for _, make in _open(made)]


def forwarded_routes(made: Assembly, groups: Sequence[LateGroup]) -> list[Forwarded]:
    """Those of the groups that a gateway passes on to other services."""
    if made.role is not Role.GATEWAY:
        return []
    owned = [(owner, group) for (owner, _), group in zip(_open(made), groups, strict=True)]
    return made.peers.forwarded(
        lambda role: [route for owner, group in owned if owner is role for route in group.routes]
    )


def _open(made: Assembly) -> list[tuple[Role | None, Callable[[Assembly], list[APIRouter]]]]:
    return [(owner, make) for owner, make in _GROUPS if owner is None or made.role.opens(owner)]


def _documents(made: Assembly) -> list[APIRouter]:
    from provgraph.gateway.document_routes import document_router

    return [document_router(made.collections, made.library, made.is_outdated)]


def _traces(made: Assembly) -> list[APIRouter]:
    from provgraph.traces.routes import comparison_router, purge_router, trace_router
    from provgraph.traces.subscription_routes import subscription_router

    return [
        comparison_router(made.traces, made.finder),
        trace_router(made.traces),
        purge_router(made.purge),
        subscription_router(made.whole.subscriptions),
    ]


def _queries(made: Assembly) -> list[APIRouter]:
    from provgraph.gateway.ontology_routes import ontology_router
    from provgraph.gateway.sparql import dataset_router, saved_query_router, sparql_router

    require = made.collections.require
    return [
        sparql_router(made.sparql, require),
        saved_query_router(made.sparql, require),
        dataset_router(made.sparql, made.collections),
        ontology_router(),
    ]


def _checking(made: Assembly) -> list[APIRouter]:
    from provgraph.checking.pipeline import Checker
    from provgraph.checking.routes import checking_router

    whole = made.inspected
    checker = Checker(
        whole.store, whole.library, whole.settings.explain_collection, partial(_extracted_again, whole)
    )
    limits = made.principal.collections if made.principal else ()
    return [checking_router(checker, made.collections, limits)]


async def _extracted_again(made: Assembly, collection: str) -> AsyncGenerator[Extracted]:
    from provgraph.checking.rules import Rule, finding
    from provgraph.ingestion.extracting_again import ExtractionComparison

    graphs = await made.collections.require(collection)
    async for read in ExtractionComparison(made.ingestion, collection, graphs).documents():
        yield read.compared, [finding(Rule.EXTRACTED, node.value, why) for node, why in read.wrong]


def _catalogue(made: Assembly) -> list[APIRouter]:
    from provgraph.gateway.catalogue_routes import catalogue_router

    return [catalogue_router(made.catalogue)]


def _lineage(made: Assembly) -> list[APIRouter]:
    from provgraph.gateway.fact_routes import lineage_router, neighbourhood_router, reading_comparison_router

    return [
        lineage_router(made.finder),
        neighbourhood_router(made.collections),
        reading_comparison_router(made.collections),
    ]


def _copies(made: Assembly) -> list[APIRouter]:
    from provgraph.archiving.routes import archiving_router, nanopublication_router
    from provgraph.assembly.archives import copies_of, importer_of
    from provgraph.assembly.process import now

    return [
        archiving_router(copies_of(made), importer_of(made, made.turn), made.folder.workspace),
        nanopublication_router(made.collections, now),
    ]


def _proofs(made: Assembly) -> list[APIRouter]:
    from provgraph.assembly.process import now
    from provgraph.catalogue.contents import PagePictures
    from provgraph.documents.drawn_pages import DrawnPages
    from provgraph.proofs.bundle import Proofs
    from provgraph.proofs.certificate import Certificates
    from provgraph.proofs.page import PageReader
    from provgraph.proofs.routes import proof_router

    pages = PageReader(made.library, PagePictures(made.store, made.library, DrawnPages()))
    proofs = Proofs(made.traces, made.store, pages, made.signer, now, made.journal.note_copy)
    return [proof_router(proofs, Certificates(made.collections, made.signer, made.journal.entries, now))]


def _removal(made: Assembly) -> list[APIRouter]:
    from provgraph.catalogue.deposits import Deposits
    from provgraph.ingestion.removal.deletion import Erasure
    from provgraph.ingestion.removal_routes import removal_router
    from provgraph.proofs.certificate import COMPACTED

    async def note() -> None:
        await made.journal.note(COMPACTED)

    whole = made.whole
    forget = [whole.forget, note]
    erasure = Erasure(
        whole.store, whole.collections, whole.retriever, whole.outbox, forget, whole.folder.size
    )
    return [removal_router(made.deletions, erasure, Deposits(made.store, made.library))]


def _retrieval(made: Assembly) -> list[APIRouter]:
    """What reads the indexes."""
    from provgraph.catalogue.decisions import DecisionWriter
    from provgraph.gateway.fact_routes import entity_router
    from provgraph.retrieval.reranking import RerankingRetriever
    from provgraph.retrieval.routes import index_router, retrieval_router

    own = made.indexes.own
    return [
        retrieval_router(RerankingRetriever(own, made.rerankers), made.collections),
        index_router(own, made.collections),
        entity_router(own, DecisionWriter(made.collections)),
    ]


def _answering(made: Assembly) -> list[APIRouter]:
    """Questions, and the sessions that answer them."""
    from provgraph.flows.attribution.routes import attribution_router
    from provgraph.flows.runner.routes import flow_router, session_router
    from provgraph.gateway.reference import flow_list_router

    flows, reader, hub = made.flows, made.reader, made.hub
    return [
        flow_router(flows, reader, hub),
        attribution_router(flows.attribution, reader, hub),
        flow_list_router(made.model.name if made.model else None),
        session_router(hub, made.settings.explain_collection),
    ]


def _openai(made: Assembly) -> list[APIRouter]:
    """The flows as models of OpenAI's API."""
    from provgraph.gateway.openai.routes import OpenAIModels, openai_router

    runners = {runner.flow.path: runner for runner in made.flows}
    explain = made.settings.explain_collection
    return [openai_router(OpenAIModels(runners, made.collections, made.reader, made.hub, explain))]


def _extraction(made: Assembly) -> list[APIRouter]:
    return list(made.extraction.routers)


def _rdf(made: Assembly) -> list[APIRouter]:
    from provgraph.ingestion.rdf_routes import rdf_router

    return [rdf_router(made.ingestion, made.deletions.turn)]


def _research(made: Assembly) -> list[APIRouter]:
    return made.research.routers(made.hub, made.reader)


def _trustgraph(made: Assembly) -> list[APIRouter]:
    known = made.principal is not None  # who has shown a token before coming here
    return made.trustgraph.routers(
        lambda token: known or made.authentication.rules.admits(token), partial(_opened, made)
    )


@asynccontextmanager
async def _opened(made: Assembly, app: ASGIApp) -> AsyncGenerator[Services]:
    """The services of a principal's app; of any other that a token opens, those of the process."""
    from provgraph.assembly.principal_apps import PrincipalApp

    if isinstance(app, PrincipalApp):
        with app.answering():
            yield app.services.trustgraph.services
    else:
        yield made.trustgraph.services


def _page(_: Assembly) -> list[APIRouter]:
    from provgraph.web.routes import page_router

    return [page_router()]


def _access(made: Assembly) -> list[APIRouter]:
    """Who may see what."""
    from provgraph.gateway.access_routes import audit_router, policy_router, reader_router, token_router

    tokens = [token_router(made.authentication.principals, bool(made.settings.token))]
    return [
        *(tokens if made.role is Role.ALL else []),  # nobody would know them in a service apart
        reader_router(made.collections, made.principal),
        policy_router(made.collections, made.authentication.principals),
        audit_router(made.authentication.log, made.principal),
    ]


def _ports(made: Assembly) -> list[APIRouter]:
    """What only the services beside this one call."""
    if made.role is Role.RETRIEVAL:
        from provgraph.retrieval.port_routes import retrieval_port_router, similarity_port_router

        indexes = made.indexes
        return [retrieval_port_router(indexes.own), similarity_port_router(indexes.nodes, indexes.documents)]
    if made.role is Role.GRAPH_RAG:
        from provgraph.gateway.trustgraph.asking import asking_port_router

        return [asking_port_router(made.questions)]
    return []


def _mcp(_: Assembly) -> list[APIRouter]:
    """The service as tools of an agent."""
    from provgraph.gateway.mcp.routes import mcp_router

    return [mcp_router()]


def _process(made: Assembly) -> list[APIRouter]:
    """What is told of the process itself."""
    from provgraph.assembly.models import model_probes
    from provgraph.gateway.health import Probes, folder_router, health_router
    from provgraph.gateway.reference import reference_router

    needed = {**made.storage.probes, **made.work.probes, **made.peers.probes}
    placed = {f"store:{name}": probe for name, probe in made.storage.opened.placed.items()}
    probes = Probes(needed, placed, model_probes(made.settings))
    return [folder_router(made.prover), made.metrics.router(), health_router(probes), reference_router()]


_GROUPS: Final[Sequence[tuple[Role | None, Callable[[Assembly], list[APIRouter]]]]] = (
    (Role.EXTRACTION, _documents),
    (Role.GATEWAY, _queries),
    (Role.GATEWAY, _checking),
    (Role.GATEWAY, _traces),
    (Role.GATEWAY, _lineage),
    (Role.GATEWAY, _copies),
    (Role.GATEWAY, _proofs),
    (Role.GATEWAY, _removal),
    (Role.GATEWAY, _access),
    (Role.RETRIEVAL, _retrieval),
    (Role.GRAPH_RAG, _answering),
    (Role.GATEWAY, _catalogue),
    (Role.EXTRACTION, _extraction),
    (Role.GATEWAY, _rdf),
    (Role.GRAPH_RAG, _research),
    (Role.GRAPH_RAG, _openai),
    (Role.GATEWAY, _mcp),
    (Role.GATEWAY, _page),
    (Role.GATEWAY, _trustgraph),
    (None, _ports),
    (None, _process),
)
"""Each with the service that answers it itself, or None where every process does."""

_DESCRIBED: Final = (
    _answering,
    _research,
    _extraction,
    _documents,
    _retrieval,
    _traces,
    _proofs,
    _removal,
    _rdf,
    _copies,
    _checking,
    _queries,
    _lineage,
    _catalogue,
    _access,
    _page,
    _trustgraph,
    _openai,
    _mcp,
    _ports,
    _process,
)
"""In the order of the API's description: questions first."""
