"""The ways of asking, as settings have them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from provgraph.assembly.routes import Flows
from provgraph.documents.library import Library
from provgraph.flows.document_rag.pipeline import DocumentRag
from provgraph.flows.extractive.pipeline import Extractive
from provgraph.flows.fact_verification.pipeline import FactVerification
from provgraph.flows.graph_rag.engines import Engines
from provgraph.flows.graph_rag.pipeline import GraphRag
from provgraph.flows.graph_rag.question import AnswerDefaults
from provgraph.flows.kgqa.pipeline import Kgqa
from provgraph.flows.research.pipeline import Research
from provgraph.flows.runner.engines import ModelUse
from provgraph.ports.quad_store import QuadStore
from provgraph.ports.reranker import Reranker
from provgraph.ports.retriever import Retriever
from provgraph.ports.similarity import NodeLikeness
from provgraph.rdf.terms import NamedNode
from provgraph.settings import Settings

Kept = tuple[QuadStore, Library, Retriever, str]
"""Store, library, retriever, and the collection in which traces are kept."""


@dataclass(frozen=True)
class Aids:
    """What helps in finding and choosing: a model, who scores a second time, and who tells what nodes are alike."""

    model: ModelUse
    rerankers: Mapping[str, Reranker]
    likeness: NodeLikeness


def chosen_flows(settings: Settings, kept: Kept, aids: Aids, process: NamedNode) -> Flows:
    """`process` is the one whose sessions these are."""
    use, rerankers = aids.model, aids.rerankers
    store, library, _, explain_collection = kept
    return Flows(
        graph_rag=GraphRag(
            *kept,
            engines=Engines(use),
            rerankers=rerankers,
            defaults=AnswerDefaults(settings.corrective, settings.rerank),
            process=process,
        ),
        document_rag=DocumentRag(*kept, use, process=process),
        extractive=Extractive(*kept, process=process),
        kgqa=Kgqa(store, library, aids.likeness, explain_collection, use, rerankers, process=process),
        research=Research(*kept, use, rerankers, process=process),
        fact_verification=FactVerification(*kept, use, process=process),
    )
