"""Asking for an answer by extraction; it comes in the messages of `answer`, with `highlights` in the last."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from provgraph.wire.answer import limit_field, parameters_field
from provgraph.wire.text import Text


class AskExtractiveRequest(BaseModel):
    """A question to the documents of a collection. Limits may be spelled with `_` or with `-`."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    query: Text = Field(description="The question, in plain words.")
    collection: str = "default"
    method: str = Field(
        "", description="A ranking of the retrieval service; empty for term-frequency with the factual boost."
    )
    doc_limit: int = limit_field(10, "doc_limit", 100)
    chunk_limit: int = limit_field(40, "chunk_limit", 400)
    evidence_limit: int = limit_field(3, "evidence_limit", 20)
    sentence_limit: int = limit_field(4, "sentence_limit", 20)


class PostedAskExtractiveRequest(AskExtractiveRequest):
    """With the parameters of its method."""

    parameters: dict[str, float] = parameters_field()
