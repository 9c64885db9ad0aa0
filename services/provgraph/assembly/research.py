"""The assistant over papers, put together: asking, the paper graph, and building collections."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastapi import APIRouter

from provgraph.adapters.arxiv import ArxivSearch
from provgraph.extraction.extractors import ChosenExtractors, ExtractionOptions, OntologyFile
from provgraph.extraction.names import ONTOLOGY_GUIDED, PAPERS
from provgraph.flows.research.flow import PaperQuestion
from provgraph.flows.research.graph_routes import paper_router
from provgraph.flows.research.paper_graph import PaperGraphs
from provgraph.flows.runner.requests import RequestReader
from provgraph.flows.runner.runner import Runner
from provgraph.flows.runner.sessions import SessionHub
from provgraph.gateway.research_twins import TwinServices, research_twin_router
from provgraph.ingestion.papers.building import BuildJobs, PaperBuilding, SearchedPapers
from provgraph.ingestion.papers.routes import build_router
from provgraph.ports.paper_search import PaperSearch
from provgraph.rdf.ontology_files import ontology_text
from provgraph.settings import Settings

if TYPE_CHECKING:  # an assembly makes its assistant here
    from provgraph.assembly.process import Assembly

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


def research_services(assembly: Assembly) -> ResearchServices:
    """Papers are read by rules of their own."""
    ingestion, store = assembly.ingestion, assembly.store
    graphs = PaperGraphs(store, assembly.collections, assembly.indexes.documents, ingestion.now)

    async def link(collection: str) -> tuple[int, int]:
        graph = await graphs.current(collection)
        return len(graph.papers), len(graph.likenesses)

    building = PaperBuilding(ingestion, link)
    jobs = BuildJobs(building, assembly.turn, assembly.metrics.activity.ingested)
    return ResearchServices(
        assembly.flows.research, graphs, building, jobs, SearchedPapers(assembly.search, store)
    )


def paper_search(settings: Settings) -> PaperSearch:
    """Where papers are searched for. Raises `InvalidInput` for an address that is none."""
    return ArxivSearch(settings.arxiv_url, settings.max_upload_mb * 1_000_000)
