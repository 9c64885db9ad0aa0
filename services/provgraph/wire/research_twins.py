"""The messages of the GraphRAG Research Assistant's own routes."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import BaseModel, Field

from provgraph.wire.research import PaperGap
from provgraph.wire.text import Text

_QUESTIONS: Final = {
    "summarize": "What do these papers propose, and what do they find?",
    "compare": "How do these papers compare, and where do they differ?",
}


class BuildGraphRequest(BaseModel):
    topic: Text = Field(min_length=1, max_length=500)
    max_results: int = Field(15, ge=1, le=100)
    collection: str = "papers"


class AgentActionRequest(BaseModel):
    """`summarize` and `compare` need no query; they are questions of their own, best answered by a model."""

    action: Literal["ask", "summarize", "compare"] = "ask"
    selected_papers: list[Text] = Field([], max_length=1_000)
    query: Text = ""
    session_id: Text = Field(min_length=1, max_length=100)
    use_hybrid: bool = True
    use_reranking: bool = True

    @property
    def action_query(self) -> str:
        """The question of an action that needs no query; empty for asking."""
        return _QUESTIONS.get(self.action, "")


class PaperNode(BaseModel):
    id: str
    title: str
    authors: list[str]
    published: str
    abstract: str
    url: str


class PaperEdge(BaseModel):
    source: str
    target: str
    weight: float


class EntityNode(BaseModel):
    id: str
    label: str
    type: str


class EntityEdge(BaseModel):
    source: str
    target: str
    relation: str
    papers: list[str]


class KnowledgeGraph(BaseModel):
    nodes: list[EntityNode]
    edges: list[EntityEdge]


class BuiltGraph(BaseModel):
    """`session_id` is what questions to these papers are asked under; `gaps` are papers that could not be had."""

    nodes: list[PaperNode]
    edges: list[PaperEdge]
    knowledge_graph: KnowledgeGraph
    session_id: str
    collection: str
    gaps: list[PaperGap]
