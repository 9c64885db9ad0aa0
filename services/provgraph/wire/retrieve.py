"""Retrieval over HTTP: candidates, ranked, without an answer."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from provgraph.wire.document_filters import DocumentFilters
from provgraph.wire.flow_requests import limit_field, parameters_field
from provgraph.wire.lineage import FactSource
from provgraph.wire.text import Text


class RetrieveRequest(DocumentFilters):
    """Limits have TrustGraph's names, with `_` or `-`."""

    query: Text = Field(description="The question, in plain words.")
    collection: str = "default"
    limit: int = Field(10, ge=1, le=1_000, description="Most edges, chunks, documents and seeds, each.")
    method: str = Field("", description="A ranking by name; empty for the default.")
    parameters: dict[str, float] = parameters_field()
    rerank: bool | str | None = Field(
        None,
        description="Who scores what was found a second time, 0 to 10: model, cross-encoder, or none (the default); "
        "true is whoever there is.",
    )
    sources: bool = Field(
        False, description="Whether each edge comes with the sentences that say it, in exact characters."
    )
    entity_limit: int = limit_field(50, "entity_limit", 1_000)
    triple_limit: int = limit_field(30, "triple_limit", 1_000)
    max_subgraph_size: int = limit_field(150, "max_subgraph_size", 5_000)
    max_path_length: int = limit_field(2, "max_path_length", 5)


class EdgeText(BaseModel):
    """An edge in labels."""

    subject: str
    relation: str
    object: str


class RankedEdge(BaseModel):
    """A candidate edge: its `triple` as terms and in labels, the question's words that it meets, and its way in."""

    triple: dict[str, Any]
    labels: EdgeText
    score: float
    terms: list[str]
    coverage: float = Field(description="The share of the question's weight that these words make.")
    how: str = Field("", description="What led to it: words, passage, or the way that its seed was found.")
    path: list[str] = Field(
        description="The labels from the seed to it; empty where words or a passage led to it."
    )
    confidence: float
    support: int = Field(description="How many subgraphs contain it.")
    rerank_score: float | None = Field(None, description="What a second scoring gave it, from 0 to 10.")
    sources: list[FactSource] | None = Field(
        None, description="The sentences that say it, where the request asks for `sources`."
    )


class ChunkTerm(BaseModel):
    """A word of the question, and the part of the chunk's score that is its own."""

    text: str
    score: float


class RankedChunk(BaseModel):
    """A chunk and where it stands: the text of `page` from `start` to `end`, in characters, is `text`.

    `page_number` counts from 1. It, `start` and `end` are null where the chunk was taken out meanwhile.
    """

    id: str
    document: str
    title: str
    source: str = Field("", description="The name of the document's file.")
    page: str = ""
    page_number: int | None = None
    start: int | None = None
    end: int | None = None
    score: float
    terms: list[ChunkTerm]
    how: str = Field(
        "", description="What led to it: its rank by words and by names, the passage that names it."
    )
    text: str
    rerank_score: float | None = Field(None, description="What a second scoring gave it, from 0 to 10.")


class RankedDocument(BaseModel):
    id: str
    title: str
    source: str = Field("", description="The name of the document's file.")
    score: float


class RankedSeed(BaseModel):
    """An entity at which the search began, and `how` it was found."""

    id: str
    label: str
    score: float
    how: str


class Retrieved(BaseModel):
    """Everything best first."""

    method: str = Field("", description="The ranking that found it.")
    parameters: dict[str, float] = Field(
        default_factory=dict, description="The numbers that it worked with, defaults too."
    )
    edges: list[RankedEdge]
    chunks: list[RankedChunk]
    documents: list[RankedDocument]
    seeds: list[RankedSeed]
    warnings: list[str] = Field(default_factory=list, description="What could not be looked at, and why.")
