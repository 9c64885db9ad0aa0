"""A check over HTTP: what is asked, and what is told while it runs."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class CheckRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    collection: str = "default"
    everything: bool = Field(False, description="Check also what has passed an earlier check.")


class CheckProgress(BaseModel):
    """`done` of `total` steps."""

    doing: str
    done: int
    total: int


class CheckFinding(BaseModel):
    rule: str = Field(
        description="shape, span, disjoint, asserted, contained, quoted, labelled, lineage or text."
    )
    subject: str = Field(description="The IRI, or the triple, of which the sentence speaks.")
    sentence: str


class CheckSummary(BaseModel):
    """How much was looked at, and whether nothing was found."""

    collection: str
    passed: bool
    units: int = Field(description="Pages, document versions and sessions checked against shapes and spans.")
    unchanged: int = Field(description="Those that passed an earlier check and have not changed.")
    findings: int
    truncated: list[str] = Field(description="Rules of which more was found than told.")


class CheckReport(BaseModel):
    """A whole check in one JSON, for clients that do not stream."""

    summary: CheckSummary
    findings: list[CheckFinding]
