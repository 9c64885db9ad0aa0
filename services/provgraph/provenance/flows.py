"""The flows as a trace names them: agent, label, and the class and name of their questions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from provgraph.rdf.terms import NamedNode
from provgraph.rdf.vocabulary import TG


@dataclass(frozen=True)
class FlowName:
    """`question_name` is the word for its questions in their IRIs: clients of TrustGraph tell by it whether a trace
    has edges or chunks."""

    agent: str
    label: str
    question: NamedNode
    question_name: str


GRAPH_RAG: Final = FlowName("graph-rag", "GraphRAG", TG.GraphRagQuestion, "question")
DOCUMENT_RAG: Final = FlowName("document-rag", "DocumentRAG", TG.DocRagQuestion, "docrag")
EXTRACTIVE: Final = FlowName("extractive", "Extractive", TG.ExtractiveQuestion, "docrag")
KGQA: Final = FlowName("kgqa", "KGQA", TG.KgqaQuestion, "question")
VERIFICATION: Final = FlowName("fact-verification", "Fact verification", TG.ClaimQuestion, "claim")
RESEARCH: Final = FlowName("research", "Research", TG.ResearchQuestion, "docrag")
PASSAGES: Final = FlowName("passages", "Passages", TG.PassagesQuestion, "docrag")
ATTRIBUTION: Final = FlowName("attribution", "Attribution", TG.AttributionQuestion, "docrag")
FLOWS: Final = (GRAPH_RAG, DOCUMENT_RAG, EXTRACTIVE, KGQA, VERIFICATION, RESEARCH, PASSAGES, ATTRIBUTION)


def flow_of_agents(agents: Iterable[NamedNode]) -> str:
    """The flow of a session, by the agent that it was associated with; empty where there is none."""
    return next((unquote(agent.value.rpartition(":")[2]) for agent in agents), "")
