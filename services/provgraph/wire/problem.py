"""The one shape of every error: RFC 9457, Problem Details for HTTP APIs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from pydantic import BaseModel, Field

from provgraph.errors import InvalidQuery, ProvGraphError

MEDIA_TYPE: Final = "application/problem+json"


class ProblemChoice(BaseModel):
    """What may have been meant."""

    id: str
    title: str
    source: str


class Problem(BaseModel):
    """`detail` says in one sentence what is wrong, and in one what to do."""

    type: str = Field(description="A URN for this kind of problem.")
    title: str
    status: int
    detail: str
    line: int | None = Field(None, description="Where in a query, from 1.")
    column: int | None = None
    choices: list[ProblemChoice] | None = Field(
        None, description="Where a name is unknown or ambiguous: the documents that may have been meant."
    )

    @staticmethod
    def of(error: ProvGraphError) -> Problem:
        at = error if isinstance(error, InvalidQuery) else None
        return Problem(
            type=f"urn:provgraph:problem:{error.slug}",
            title=error.title,
            status=error.status,
            detail=str(error),
            line=at.line if at else None,
            column=at.column if at else None,
            choices=[ProblemChoice(**asdict(choice)) for choice in error.choices] or None,
        )
