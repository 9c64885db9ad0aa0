"""The assistant over papers, put together: asking, the paper graph, and building collections."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from fastapi import APIRouter

from provgraph.extraction.extractors import ChosenExtractors, ExtractionOptions, OntologyFile
from provgraph.extraction.names import ONTOLOGY_GUIDED, PAPERS
from provgraph.flows.research.flow import PaperQuestion
from provgraph.flows.research.graph_routes import paper_router
from provgraph.flows.research.paper_graph import PaperGraphs
from provgraph.flows.runner.requests import RequestReader
from provgraph.flows.runner.runner import Runner
from provgraph.flows.runner.sessions import SessionHub
from provgraph.gateway.research_twins import TwinServices, research_twin_router
from provgraph.ingestion.events import IngestEvent
from provgraph.ingestion.papers.building import BuildJobs, PaperBuilding
from provgraph.ingestion.papers.routes import build_router
from provgraph.ingestion.papers.searching import SearchedPapers
from provgraph.ingestion.pipeline import Ingestion
from provgraph.ports.paper_search import PaperSearch
from provgraph.ports.similarity import DocumentSimilarity
from provgraph.rdf.ontology_files import ontology_text

_ONTOLOGY = "research.ttl"


@dataclass(frozen=True)
class ResearchServices:
    """Over the services of one process; `jobs` builds, one after another and never beside an ingest."""

    research: Runner[PaperQuestion]
    graphs: PaperGraphs
    building: PaperBuilding
    jobs: BuildJobs
    searched: SearchedPapers

    def routers(self, hub: SessionHub, reader: RequestReader) -> list[APIRouter]:
        """All but the question itself, whose routes are made with those of the other flows."""
        return [
            paper_router(self.graphs),
            build_router(self.jobs, self._chosen, self.searched.on),
            research_twin_router(
                TwinServices(self.research, reader, self.graphs, self.jobs, self._chosen, self.searched.on),
                hub,
            ),
        ]

    def _chosen(self) -> ChosenExtractors:
        """Rules for papers, and with a model the shipped ontology beside them."""
        extractors = self.building.extractors
        if extractors.model is None:
            return extractors.chosen(ExtractionOptions((PAPERS,)))
        ontology = OntologyFile(_ONTOLOGY, ontology_text(_ONTOLOGY).encode())
        return extractors.chosen(ExtractionOptions((PAPERS, ONTOLOGY_GUIDED), ontology))


def research_services(
    ingestion: Ingestion,
    likeness: DocumentSimilarity,
    research: Runner[PaperQuestion],
    turn: asyncio.Lock,
    watch: Callable[[IngestEvent], None],
    search: PaperSearch,
) -> ResearchServices:
    """Papers are read by rules of their own; `turn` is held by whatever writes documents."""
    store, collections = ingestion.store, ingestion.collections
    graphs = PaperGraphs(store, collections, likeness, ingestion.now)

    async def link(collection: str) -> tuple[int, int]:
        found = await graphs.current(collection)
        return len(found.papers), len(found.likenesses)

    building = PaperBuilding(ingestion, link)
    return ResearchServices(
        research, graphs, building, BuildJobs(building, turn, watch), SearchedPapers(search, store)
    )
