"""What changed between two answers, and why an edge is not in one, over HTTP."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from provgraph.wire.lineage import FactLabels


class ComparedSession(BaseModel):
    session: str
    query: str
    collection: str
    started: str
    outcome: str | None
    answer: str


class ComparedEdge(FactLabels):
    """A selected edge, with its score before and after; null where it was not selected."""

    before: float | None = None
    after: float | None = None
    why: str | None = Field(
        None, description="Of an edge that was lost or gained: what the other session says of it."
    )


class AnswerPiece(BaseModel):
    kind: Literal["same", "removed", "added"]
    text: str


class Difference(BaseModel):
    """Two sessions side by side: their edges kept, lost and gained, and their answers sentence by sentence."""

    before: ComparedSession
    after: ComparedSession
    changed: bool = Field(description="Whether the answer's text or its outcome changed.")
    kept: list[ComparedEdge]
    lost: list[ComparedEdge]
    gained: list[ComparedEdge]
    answer: list[AnswerPiece]


class WhyNot(FactLabels):
    """What became of an edge in a session.

    `status` is selected, passed over, left out (on request), not retrieved, or not in the graph. `rank` counts the
    `retrieved` edges by score, from 1. `then` tells whether the edge was in the graph when the session began; null
    where nothing is known of that any more.
    """

    status: Literal["selected", "passed over", "left out", "not retrieved", "not in the graph"]
    now: bool
    then: bool | None
    score: float | None = None
    rank: int | None = None
    retrieved: int
    reason: str
    terms_met: list[str] = Field(
        [], description="The question's words that its labels, sentences and titles hold."
    )
    terms: list[str] = Field([], description="The question's words.")
    needed: list[str] = Field([], description="What a wider retrieval, made now, found the edge with.")


class WhyNotAnswer(BaseModel):
    session: str
    asked: str
    edges: list[WhyNot]
    more: int = Field(0, description="Further edges around the thing that was asked about.")
