"""Retrieval over HTTP: candidates, ranked, without an answer."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from provgraph.wire.text import Text


class RetrieveRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    query: Text
    collection: str = "default"
    limit: int = Field(default=10, ge=1, le=1_000, description="Most edges, chunks and documents each.")
    method: str = ""


class RankedEdge(BaseModel):
    """A candidate edge: its `triple` as terms and in labels, the question's words that it meets, and its way in."""

    triple: dict[str, Any]
    labels: dict[str, str]
    score: float
    terms: list[str]
    path: list[str]
    confidence: float
    support: int


class ChunkTerm(BaseModel):
    text: str
    score: float


class RankedChunk(BaseModel):
    """A chunk with its BM25 score, and the part of it that each word makes."""

    id: str
    document: str
    title: str
    score: float
    terms: list[ChunkTerm]
    text: str


class RankedDocument(BaseModel):
    id: str
    title: str
    score: float


class RankedSeed(BaseModel):
    """An entity at which the search began; `how` it was found."""

    id: str
    label: str
    score: float
    how: str


class Retrieved(BaseModel):
    """Everything best first."""

    edges: list[RankedEdge]
    chunks: list[RankedChunk]
    documents: list[RankedDocument]
    seeds: list[RankedSeed]
