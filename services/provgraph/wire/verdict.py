"""What documents say of a claim: the label, and the words for and against it."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from provgraph.wire.cited import CitedSource


class EvidenceFact(BaseModel):
    """A fact that was read from the words; `edge` names it in the trace, null where a model read it only for this."""

    edge: str | None = None
    subject: str
    relation: str
    object: str
    confidence: float


class Evidence(BaseModel):
    """Words of a document that speak for or against a claim, why, and how surely (0 to 1)."""

    reason: str
    confidence: float
    source: CitedSource
    facts: list[EvidenceFact]


class Verdict(BaseModel):
    """`confidence` is how sure the judge is of the label, `coverage` how much of the claim the evidence speaks of;
    both from 0 to 1."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    label: Literal["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]
    confidence: float
    coverage: float
    explanation: str
    supporting: list[Evidence] = Field(
        alias="for", description="Words that speak for the claim, the surest first."
    )
    opposing: list[Evidence] = Field(
        alias="against", description="Words that speak against the claim, the surest first."
    )
    notes: list[str] = Field([], description="What a reader should know besides, as that little was covered.")
