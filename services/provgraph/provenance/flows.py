"""The ways of asking, as a trace names them: its agent, its labels, the class and the name of its questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pyoxigraph import NamedNode

from provgraph.rdf.vocabulary import TG


@dataclass(frozen=True)
class Flow:
    """`asked` is the word for its questions in their IRIs: clients of TrustGraph tell traces apart by it."""

    agent: str
    label: str
    question: NamedNode
    asked: str


GRAPH_RAG: Final = Flow("graph-rag", "GraphRAG", TG.GraphRagQuestion, "question")
DOCUMENT_RAG: Final = Flow("document-rag", "DocumentRAG", TG.DocRagQuestion, "docrag")
VERIFICATION: Final = Flow("fact-verification", "Fact verification", TG.ClaimQuestion, "claim")
FLOWS: Final = (GRAPH_RAG, DOCUMENT_RAG, VERIFICATION)
