"""The ways of asking, as a trace names them: its agent, its labels, the class and the name of its questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pyoxigraph import NamedNode

from provgraph.rdf.vocabulary import TG


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
FLOWS: Final = (GRAPH_RAG, DOCUMENT_RAG, EXTRACTIVE)
