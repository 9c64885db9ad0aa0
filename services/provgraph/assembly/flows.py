"""The flows, as settings have them: each a runner over the same services."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from provgraph.flows.attribution.flow import Attribution, CheckedText
from provgraph.flows.document_rag import DocumentQuestion, DocumentRag
from provgraph.flows.extractive.flow import Extractive, ExtractiveQuestion
from provgraph.flows.fact_verification.flow import ClaimQuestion, FactVerification
from provgraph.flows.graph_rag.flow import GraphQuestion, GraphRag
from provgraph.flows.kgqa.flow import Kgqa, KgqaQuestion
from provgraph.flows.kgqa.graph import PairGraphs
from provgraph.flows.passages import Passages, PassagesQuestion
from provgraph.flows.research.flow import PaperQuestion, Research
from provgraph.flows.runner.runner import AnyRunner, Runner
from provgraph.flows.runner.services import FlowServices, ModelAccess

if TYPE_CHECKING:  # an assembly makes its flows here
    from provgraph.assembly.process import Assembly


@dataclass(frozen=True)
class AssembledFlows:
    """One runner for each flow; to iterate gives those whose replies are answers."""

    graph_rag: Runner[GraphQuestion]
    document_rag: Runner[DocumentQuestion]
    extractive: Runner[ExtractiveQuestion]
    kgqa: Runner[KgqaQuestion]
    research: Runner[PaperQuestion]
    fact_verification: Runner[ClaimQuestion]
    passages: Runner[PassagesQuestion]
    attribution: Runner[CheckedText]
    pair_graphs: PairGraphs
    """What kgqa holds in memory."""

    def __iter__(self) -> Iterator[AnyRunner]:
        values = (getattr(self, field.name) for field in fields(self) if field.name != "attribution")
        return (value for value in values if isinstance(value, Runner))


def assembled_flows(assembly: Assembly) -> AssembledFlows:
    settings = assembly.settings
    services = FlowServices(
        assembly.store,
        assembly.library,
        assembly.retriever,
        settings.explain_collection,
        ModelAccess(assembly.model, settings.prompts, settings.llm_max_output_tokens),
        assembly.rerankers,
        process=assembly.folder.process,
        asker=assembly.asker,
    )
    pair_graphs = PairGraphs(assembly.store)
    return AssembledFlows(
        graph_rag=Runner(GraphRag(settings.corrective, settings.rerank), services),
        document_rag=Runner(DocumentRag(), services),
        extractive=Runner(Extractive(), services),
        kgqa=Runner(Kgqa(assembly.indexes.nodes, pair_graphs), services),
        research=Runner(Research(), services),
        fact_verification=Runner(FactVerification(), services),
        passages=Runner(Passages(), services),
        attribution=Runner(Attribution(), services),
        pair_graphs=pair_graphs,
    )
