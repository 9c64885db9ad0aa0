"""Building a collection of papers, and the graph of which are alike."""

from __future__ import annotations

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
