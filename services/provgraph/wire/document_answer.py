"""Asking for an answer from chunks of documents; it comes in the messages of `answer`."""

from __future__ import annotations

from typing import Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from provgraph.wire.answer import limit_field
from provgraph.wire.text import Text


class AskDocumentsRequest(BaseModel):
    """A question to the documents of a collection. Limits may be spelled with `_` or with `-`."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    query: Text = Field(description="The question, in plain words.")
    collection: str = "default"
    method: str = Field("", description="A ranking of the retrieval service; empty for its default.")
    engine: Literal["", "model-free", "model"] = Field(
        "",
        description="What answers; empty for the language model where the service has one, else model-free.",
    )
    doc_limit: int = limit_field(10, "doc_limit", 100)
    fetch_limit: int = Field(
        0,
        ge=0,
        le=1_000,
        validation_alias=AliasChoices("fetch_limit", "fetch-limit"),
        serialization_alias="fetch_limit",
        description="How many chunks are retrieved to select from; 0 for four times `doc_limit`.",
    )
