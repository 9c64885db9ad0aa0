"""The ways of asking, as a trace names them: its agent, its labels, the class and the name of its questions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import PROV, TG


@dataclass(frozen=True)
class Flow:
    """`asked` is the word for its questions in their IRIs: clients of TrustGraph tell by it whether a trace has
    edges or chunks."""

    agent: str
    label: str
    question: NamedNode
    asked: str


GRAPH_RAG: Final = Flow("graph-rag", "GraphRAG", TG.GraphRagQuestion, "question")
DOCUMENT_RAG: Final = Flow("document-rag", "DocumentRAG", TG.DocRagQuestion, "docrag")
EXTRACTIVE: Final = Flow("extractive", "Extractive", TG.ExtractiveQuestion, "docrag")
KGQA: Final = Flow("kgqa", "KGQA", TG.KgqaQuestion, "question")
VERIFICATION: Final = Flow("fact-verification", "Fact verification", TG.ClaimQuestion, "claim")
RESEARCH: Final = Flow("research", "Research", TG.ResearchQuestion, "docrag")
FLOWS: Final = (GRAPH_RAG, DOCUMENT_RAG, EXTRACTIVE, KGQA, VERIFICATION, RESEARCH)


def flow_of(session: NamedNode, quads: Iterable[Quad]) -> str:
    """The way of asking of a session, by the agent that its quads name; empty where they name none."""
    for quad in quads:
        if quad.predicate == PROV.was_associated_with and quad.subject == session:
            assert isinstance(quad.object, NamedNode)
            return unquote(quad.object.value.rpartition(":")[2])
    return ""
