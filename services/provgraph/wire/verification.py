"""Asking whether a claim is true, by the documents of a collection; the verdict comes in the messages of `answer`."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from provgraph.errors import InvalidInput
from provgraph.wire.answer import limit_field
from provgraph.wire.text import Text, bounded

MAX_CLAIM: Final = 1_000


def claim_text(claim: str) -> str:
    """The claim without the space around it; raises `InvalidInput` or `TooLarge`."""
    text = claim.strip()
    if not text:
        raise InvalidInput("The claim is empty. State something that may be true.")
    bounded(text, MAX_CLAIM, "claim", "Verify its sentences one by one.")
    return text


class VerifyRequest(BaseModel):
    """A claim to judge. `query` may be written for `claim`; limits may be spelled with `_` or with `-`."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    claim: Text = Field(
        validation_alias=AliasChoices("claim", "query"),
        description=f"What may be true, as a plain statement of at most {MAX_CLAIM:,} characters.",
    )
    collection: str = "default"
    method: str = Field("", description="A ranking of the retrieval service; empty for its default.")
    engine: Literal["", "model-free", "model"] = Field(
        "",
        description="What judges; empty for the language model where the service has one, else model-free.",
    )
    doc_limit: int = limit_field(4, "doc_limit", 20)
    time_limit: float = Field(
        20.0,
        gt=0,
        le=600,
        validation_alias=AliasChoices("time_limit", "time-limit"),
        serialization_alias="time_limit",
        description="Seconds in which a model may read facts from the chunks found, all of them together.",
    )
