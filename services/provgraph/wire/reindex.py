"""Building the indexes anew over HTTP: what is asked, and what is told while it runs."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class ReindexRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    collection: str = "default"


class ReindexProgress(BaseModel):
    """`done` of `total` documents are in the new index, which counts when the stream has ended, or are embedded.

    `doing` is indexing, then embedding where the collection has vectors.
    """

    doing: str = "indexing"
    done: int
    total: int


class Embedded(BaseModel):
    """The sentences of the collection are embedded; so many documents were waited for."""

    collection: str
    documents: int


class Reindexed(BaseModel):
    """The indexes of the collection are new, made of so many documents."""

    collection: str
    documents: int
