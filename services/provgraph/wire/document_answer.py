"""Asking for an answer from chunks of documents; it comes in the messages of `answer`."""

from __future__ import annotations

from pydantic import AliasChoices, Field

from provgraph.wire.answer import AskingRequest, limit_field


class AskDocumentsRequest(AskingRequest):
    """A question to the documents of a collection."""

    doc_limit: int = limit_field(10, "doc_limit", 100)
    fetch_limit: int = Field(
        0,
        ge=0,
        le=1_000,
        validation_alias=AliasChoices("fetch_limit", "fetch-limit"),
        serialization_alias="fetch_limit",
        description="How many chunks are retrieved to select from; 0 for four times `doc_limit`.",
    )
