"""What an answer is made of, counted and with exact places, so that a client can show it in colours."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field


class HighlightedMention(BaseModel):
    """A quantity (METRIC) or a name (ENTITY): characters `start` to `end` of the answer, or of a page."""

    type: Literal["METRIC", "ENTITY"]
    start: int
    end: int
    text: str


class TermScore(BaseModel):
    """What a word of the question makes of a document's score: `count` times `weight` by term frequency.

    Other rankings have no such weight, and `count` is how often the word stands in the passage and its title.
    """

    text: str
    count: int
    weight: float | None = None
    score: float


class EvidenceSentence(BaseModel):
    """The text of `page` from `start` to `end` is `text`; mentions are told in characters of that page.

    `coverage` is the share of the question's weight that the sentence meets, `density` the share of its words that are
    words of the question or mentioned, `chance` how likely an answer was read in it, all in 0…1; the score is
    coverage × (0.75 + 0.25 × density) + 0.5 × chance. `cited` is its number among the citations, or null.
    """

    page: str
    page_number: int
    chunk: str
    start: int
    end: int
    text: str
    score: float
    coverage: float
    density: float
    chance: float = 0.0
    terms: list[str]
    mentions: list[HighlightedMention]
    cited: int | None = None


class HighlightedDocument(BaseModel):
    """A retrieved document. `terms` add up to its `score`, which is that of its best passage."""

    document: str
    title: str
    source: str = Field("", description="The name of the document's file.")
    score: float
    terms: list[TermScore]
    evidence: list[EvidenceSentence]


class GraphNode(BaseModel):
    """What is mentioned, and in how many of the retrieved sentences."""

    type: Literal["METRIC", "ENTITY"]
    name: str
    count: int


class GraphEdge(BaseModel):
    """Two nodes by name, and in how many of the retrieved sentences both are mentioned."""

    source: str
    target: str
    count: int


class LocalGraph(BaseModel):
    nodes: list[GraphNode] = []
    edges: list[GraphEdge] = []


class QuotedFact(BaseModel):
    """A fact that was read in the evidence, with the words of `page` that say it."""

    subject: str
    relation: str
    object: str
    confidence: float
    document: str
    title: str
    source: str = Field("", description="The name of the document's file.")
    page: str
    page_number: int
    start: int
    end: int
    text: str


class Highlights(BaseModel):
    """Everything behind an answer by extraction; `mentions` are told in characters of the answer."""

    method: str
    mentions: list[HighlightedMention]
    cut_off: float | None = Field(
        None, description="The score that a further sentence of the answer needs; null without an answer."
    )
    documents: list[HighlightedDocument]
    graph: LocalGraph
    facts: list[QuotedFact] = Field([], description="Facts of the store that were read in the evidence.")
