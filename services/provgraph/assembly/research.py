"""The assistant over papers, put together: asking, the paper graph, and building collections."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

from fastapi import APIRouter

from provgraph.extraction.extractors import ChosenExtractors, ExtractionOptions, OntologyFile
from provgraph.extraction.names import MODEL_FREE, ONTOLOGY_GUIDED
from provgraph.extraction.papers.reading import PaperExtractor
from provgraph.flows.research.graph_routes import paper_router
from provgraph.flows.research.paper_graph import PaperGraphs
from provgraph.flows.research.pipeline import Research
from provgraph.flows.research.routes import research_router
from provgraph.flows.runner.sessions import SessionHub
from provgraph.gateway.research_twins import TwinServices, research_twin_router
from provgraph.ingestion.events import IngestEvent
from provgraph.ingestion.papers.build_jobs import BuildJobs
from provgraph.ingestion.papers.building import PaperBuilding
from provgraph.ingestion.papers.routes import build_router
from provgraph.ingestion.papers.searching import SearchedPapers
from provgraph.ingestion.pipeline import Ingestion
from provgraph.ports.paper_search import PaperSearch
from provgraph.ports.similarity import DocumentLikeness
from provgraph.rdf.ontology_files import ontology_text

_ONTOLOGY = "research.ttl"


@dataclass(frozen=True)
class ResearchServices:
    """Over the services of one process; `jobs` builds, one after another and never beside an ingest."""

    research: Research
    graphs: PaperGraphs
    building: PaperBuilding
    jobs: BuildJobs
    searched: SearchedPapers

    def routers(self, hub: SessionHub) -> list[APIRouter]:
        return [
            research_router(self.research, hub),
            paper_router(self.graphs),
            build_router(self.jobs, self._chosen, self.searched.on),
            research_twin_router(
                TwinServices(self.research, self.graphs, self.jobs, self._chosen, self.searched.on), hub
            ),
        ]

    def _chosen(self) -> ChosenExtractors:
        """Rules for papers, and with a model the shipped ontology beside them."""
        extractors = self.building.extractors
        if extractors.model is None:
            return extractors.chosen(ExtractionOptions((MODEL_FREE,)))
        ontology = OntologyFile(_ONTOLOGY, ontology_text(_ONTOLOGY).encode())
        return extractors.chosen(ExtractionOptions((MODEL_FREE, ONTOLOGY_GUIDED), ontology))


def research_services(
    ingestion: Ingestion,
    likeness: DocumentLikeness,
    research: Research,
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

    workers = ingestion.workers.reading_by(PaperExtractor())
    building = PaperBuilding(replace(ingestion, workers=workers), link)
    return ResearchServices(
        research, graphs, building, BuildJobs(building, turn, watch), SearchedPapers(search, store)
    )
