"""Building a collection of papers and their graph; and the messages of the GraphRAG Research
Assistant's own routes."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from provgraph.wire.text import Text


class Paper(BaseModel):
    """`reference` is how an answer names it."""

    id: str
    title: str
    creators: list[str]
    date: str
    identifiers: list[str]
    source: str
    abstract: str
    reference: str


class PaperLikeness(BaseModel):
    """Two papers, by id, and the cosine of their mean chunk vectors."""

    papers: tuple[str, str]
    weight: float


class PaperGap(BaseModel):
    """A paper that a build could not take in, and why."""

    title: str
    reason: str
    source: str


class Papers(BaseModel):
    """The papers of a collection, each pair that is alike, and what builds have missed and not mended since."""

    collection: str
    papers: list[Paper]
    likenesses: list[PaperLikeness]
    gaps: list[PaperGap]
    method: str
    vectors: str


class BuildRequest(BaseModel):
    """What to search for; without a topic the paper graph is made anew for the papers that there are."""

    model_config = ConfigDict(extra="forbid")

    topic: Text = Field("", max_length=500)
    max_results: int = Field(15, ge=1, le=100, validation_alias=AliasChoices("max_results", "max"))
    collection: str = "default"


_QUESTIONS: Final = {
    "summarize": "Summarize these papers: what do they propose, and what do they find?",
    "compare": "Compare these papers: where do they differ?",
}


class BuildGraphRequest(BaseModel):
    topic: Text = Field(min_length=1, max_length=500)
    max_results: int = Field(15, ge=1, le=100)
    collection: str = "papers"


class SelectedPaper(BaseModel):
    """A paper as a client of the assistant has it: an object with its id, or its title."""

    id: Text = ""
    arxiv_id: Text = ""
    title: Text = ""

    @property
    def name(self) -> str:
        return self.id or self.arxiv_id or self.title


class AgentActionRequest(BaseModel):
    """`summarize` and `compare` need no query. `chat` is `ask`. Papers are named by id, DOI, arXiv id or title, or are
    objects that have one of these."""

    action: Literal["ask", "chat", "summarize", "compare"] = "ask"
    selected_papers: list[Text | SelectedPaper] = Field([], max_length=1_000)
    query: Text = ""
    session_id: Text = Field(min_length=1, max_length=100)
    use_hybrid: bool = True
    use_reranking: bool = True

    @property
    def paper_names(self) -> list[str]:
        names = (paper if isinstance(paper, str) else paper.name for paper in self.selected_papers)
        return [name for name in names if name.strip()]

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
