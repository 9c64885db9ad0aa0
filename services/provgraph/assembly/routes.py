"""The routes of one process in groups, each of which imports and makes what it needs when it is made.

Those that are fast to import come first: a request goes down the list as far as the group that answers it.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
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


def route_groups(assembly: Assembly) -> list[LateGroup]:
    """Those that the role of the process opens."""
    return [
        LateGroup(partial(make, assembly), _DESCRIBED.index(make), _BEGINNINGS.get(make, ("/",)))
        for _, make in _open(assembly)
    ]


def forwarded_routes(assembly: Assembly, groups: Sequence[LateGroup]) -> list[Forwarded]:
    """Those of the groups that a gateway passes on to other services."""
    if assembly.role is not Role.GATEWAY:
        return []
    owned = [(owner, group) for (owner, _), group in zip(_open(assembly), groups, strict=True)]
    return assembly.peers.forwarded(
        lambda role: [route for owner, group in owned if owner is role for route in group.routes]
    )


def _open(assembly: Assembly) -> list[tuple[Role | None, Callable[[Assembly], list[APIRouter]]]]:
    return [(owner, make) for owner, make in _GROUPS if owner is None or assembly.role.opens(owner)]


def _documents(assembly: Assembly) -> list[APIRouter]:
    from provgraph.gateway.document_routes import document_router

    return [document_router(assembly.collections, assembly.library, assembly.is_outdated)]


def _traces(assembly: Assembly) -> list[APIRouter]:
    from provgraph.traces.routes import comparison_router, purge_router, trace_router
    from provgraph.traces.subscription_routes import subscription_router

    return [
        comparison_router(assembly.traces, assembly.finder),
        trace_router(assembly.traces),
        purge_router(assembly.purge),
        subscription_router(assembly.whole.subscriptions),
    ]


def _queries(assembly: Assembly) -> list[APIRouter]:
    from provgraph.gateway.ontology_routes import ontology_router
    from provgraph.gateway.sparql import dataset_router, saved_query_router, sparql_router

    require = assembly.collections.require
    return [
        sparql_router(assembly.sparql, require),
        saved_query_router(assembly.sparql, require),
        dataset_router(assembly.sparql, assembly.collections),
        ontology_router(),
    ]


def _checking(assembly: Assembly) -> list[APIRouter]:
    from provgraph.checking.pipeline import Checker
    from provgraph.checking.routes import checking_router

    whole = assembly.inspected
    checker = Checker(
        whole.store, whole.library, whole.settings.explain_collection, partial(_extracted_again, whole)
    )
    limits = assembly.principal.collections if assembly.principal else ()
    return [checking_router(checker, assembly.collections, limits)]


async def _extracted_again(assembly: Assembly, collection: str) -> AsyncGenerator[Extracted]:
    from provgraph.checking.rules import Rule, finding
    from provgraph.ingestion.extracting_again import ExtractionComparison

    graphs = await assembly.collections.require(collection)
    async for read in ExtractionComparison(assembly.ingestion, collection, graphs).documents():
        yield read.compared, [finding(Rule.EXTRACTED, node.value, why) for node, why in read.wrong]


def _catalogue(assembly: Assembly) -> list[APIRouter]:
    from provgraph.gateway.catalogue_routes import catalogue_router

    return [catalogue_router(assembly.catalogue)]


def _lineage(assembly: Assembly) -> list[APIRouter]:
    from provgraph.gateway.fact_routes import lineage_router, neighbourhood_router, reading_comparison_router

    return [
        lineage_router(assembly.finder),
        neighbourhood_router(assembly.collections),
        reading_comparison_router(assembly.collections),
    ]


def _copies(assembly: Assembly) -> list[APIRouter]:
    from provgraph.archiving.routes import archiving_router, nanopublication_router
    from provgraph.assembly.archives import copies_of, importer_of
    from provgraph.assembly.process import now

    return [
        archiving_router(
            copies_of(assembly), importer_of(assembly, assembly.turn), assembly.folder.workspace
        ),
        nanopublication_router(assembly.collections, now),
    ]


def _proofs(assembly: Assembly) -> list[APIRouter]:
    from provgraph.assembly.process import now
    from provgraph.catalogue.contents import PagePictures
    from provgraph.documents.drawn_pages import DrawnPages
    from provgraph.proofs.bundle import Proofs
    from provgraph.proofs.certificate import Certificates
    from provgraph.proofs.page import PageReader
    from provgraph.proofs.routes import proof_router

    pages = PageReader(assembly.library, PagePictures(assembly.store, assembly.library, DrawnPages()))
    proofs = Proofs(assembly.traces, assembly.store, pages, assembly.signer, now, assembly.journal.note_copy)
    return [
        proof_router(
            proofs, Certificates(assembly.collections, assembly.signer, assembly.journal.entries, now)
        )
    ]


def _removal(assembly: Assembly) -> list[APIRouter]:
    from provgraph.catalogue.deposits import Deposits
    from provgraph.ingestion.removal.deletion import Erasure
    from provgraph.ingestion.removal_routes import removal_router
    from provgraph.proofs.certificate import COMPACTED

    async def note() -> None:
        await assembly.journal.note(COMPACTED)

    whole = assembly.whole
    forget = [whole.forget, note]
    erasure = Erasure(
        whole.store, whole.collections, whole.retriever, whole.outbox, forget, whole.folder.size
    )
    return [removal_router(assembly.deletions, erasure, Deposits(assembly.store, assembly.library))]


def _retrieval(assembly: Assembly) -> list[APIRouter]:
    """What reads the indexes."""
    from provgraph.catalogue.decisions import DecisionWriter
    from provgraph.gateway.fact_routes import entity_router
    from provgraph.retrieval.reranking import RerankingRetriever
    from provgraph.retrieval.routes import index_router, retrieval_router

    own = assembly.indexes.own
    return [
        retrieval_router(RerankingRetriever(own, assembly.rerankers), assembly.collections),
        index_router(own, assembly.collections),
        entity_router(own, DecisionWriter(assembly.collections)),
    ]


def _answering(assembly: Assembly) -> list[APIRouter]:
    """Questions, and the sessions that answer them."""
    from provgraph.flows.attribution.routes import attribution_router
    from provgraph.flows.runner.routes import flow_router, session_router
    from provgraph.gateway.reference import flow_list_router

    flows, reader, hub = assembly.flows, assembly.reader, assembly.hub
    return [
        flow_router(flows, reader, hub),
        attribution_router(flows.attribution, reader, hub),
        flow_list_router(assembly.model.name if assembly.model else None),
        session_router(hub, assembly.settings.explain_collection),
    ]


def _openai(assembly: Assembly) -> list[APIRouter]:
    """The flows as models of OpenAI's API."""
    from provgraph.gateway.openai.routes import OpenAIModels, openai_router

    runners = {runner.flow.path: runner for runner in assembly.flows}
    explain = assembly.settings.explain_collection
    return [
        openai_router(OpenAIModels(runners, assembly.collections, assembly.reader, assembly.hub, explain))
    ]


def _extraction(assembly: Assembly) -> list[APIRouter]:
    return list(assembly.extraction.routers)


def _rdf(assembly: Assembly) -> list[APIRouter]:
    from provgraph.ingestion.rdf_routes import rdf_router

    return [rdf_router(assembly.ingestion, assembly.deletions.turn)]


def _research(assembly: Assembly) -> list[APIRouter]:
    return assembly.research.routers(assembly.hub, assembly.reader)


def _trustgraph(assembly: Assembly) -> list[APIRouter]:
    known = assembly.principal is not None  # who has shown a token before coming here
    return assembly.trustgraph.routers(
        lambda token: known or assembly.authentication.rules.admits(token), partial(_opened, assembly)
    )


@asynccontextmanager
async def _opened(assembly: Assembly, app: ASGIApp) -> AsyncGenerator[Services]:
    """The services of a principal's app; of any other that a token opens, those of the process."""
    from provgraph.assembly.principal_apps import PrincipalApp

    if isinstance(app, PrincipalApp):
        with app.answering():
            yield app.services.trustgraph.services
    else:
        yield assembly.trustgraph.services


def _page(_: Assembly) -> list[APIRouter]:
    from provgraph.web.routes import page_router

    return [page_router()]


def _access(assembly: Assembly) -> list[APIRouter]:
    """Who may see what."""
    from provgraph.gateway.access_routes import audit_router, policy_router, reader_router, token_router

    tokens = [token_router(assembly.authentication.principals, bool(assembly.settings.token))]
    return [
        *(tokens if assembly.role is Role.ALL else []),  # nobody would know them in a service apart
        reader_router(assembly.collections, assembly.principal),
        policy_router(assembly.collections, assembly.authentication.principals),
        audit_router(assembly.authentication.log, assembly.principal),
    ]


def _ports(assembly: Assembly) -> list[APIRouter]:
    """What only the services beside this one call."""
    if assembly.role is Role.RETRIEVAL:
        from provgraph.retrieval.port_routes import retrieval_port_router, similarity_port_router

        indexes = assembly.indexes
        return [retrieval_port_router(indexes.own), similarity_port_router(indexes.nodes, indexes.documents)]
    if assembly.role is Role.GRAPH_RAG:
        from provgraph.gateway.trustgraph.asking import asking_port_router

        return [asking_port_router(assembly.questions)]
    return []


def _mcp(_: Assembly) -> list[APIRouter]:
    """The service as tools of an agent."""
    from provgraph.gateway.mcp.routes import mcp_router

    return [mcp_router()]


def _process(assembly: Assembly) -> list[APIRouter]:
    """What is told of the process itself."""
    from provgraph.assembly.models import model_probes
    from provgraph.gateway.health import Probes, folder_router, health_router
    from provgraph.gateway.reference import reference_router

    needed = {**assembly.storage.probes, **assembly.work.probes, **assembly.peers.probes}
    placed = {f"store:{name}": probe for name, probe in assembly.storage.opened.placed.items()}
    probes = Probes(needed, placed, model_probes(assembly.settings))
    return [
        folder_router(assembly.prover),
        assembly.metrics.router(),
        health_router(probes),
        reference_router(),
    ]


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

_BEGINNINGS: Final[Mapping[Callable[[Assembly], list[APIRouter]], tuple[str, ...]]] = {
    _documents: ("/api/v1/documents",),
    _queries: ("/.well-known/void", "/api/v1/queries", "/ontology", "/sparql"),
    _checking: ("/api/v1/check",),
    _traces: ("/api/v1/explain", "/api/v1/subscriptions", "/api/v1/traces"),
    _lineage: ("/api/v1/compare", "/api/v1/knowledge/", "/api/v1/lineage"),
    _copies: ("/api/v1/archive", "/api/v1/backup", "/api/v1/nanopubs"),
    _proofs: ("/api/v1/certificates", "/api/v1/proofs/"),
    _removal: ("/api/v1/compact", "/api/v1/documents"),
    _access: ("/api/v1/audit", "/api/v1/documents/readers", "/api/v1/tokens", "/api/v1/whoami"),
    _retrieval: ("/api/v1/embedding", "/api/v1/entities", "/api/v1/reindex", "/api/v1/retrieve"),
    _catalogue: ("/api/v1/collections",),
}
"""How the paths of those groups begin that stand before most others: a request for another path imports nothing of
them."""

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
