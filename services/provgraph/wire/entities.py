"""Entities that are one, over HTTP: what says so, what speaks against it, and what people decide."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from provgraph.wire.text import CitedSource, Text


class EntityTie(BaseModel):
    """One step from an entity to another that it is one with: the rule, in words, and what says so.

    `within` lists the documents in which alone it counts, where the name is ambiguous.
    """

    entities: list[str]
    rule: str
    told: str
    fact: dict[str, Any] | None = None
    decision: str | None = None
    within: list[str] = []
    sources: list[CitedSource] = []


class EntityOther(BaseModel):
    """An entity that another one is one with, by these steps."""

    id: str
    label: str
    ties: list[EntityTie]


class EntityApart(BaseModel):
    """An entity that a name or a sentence would join with another, and why it is kept apart."""

    id: str
    label: str
    reason: str


class EntityDecision(BaseModel):
    """What somebody decided; `undone` says when it was taken back."""

    id: str
    verdict: Literal["same", "apart"]
    entities: list[str]
    by: str
    at: str
    undone: str | None = None


class EntityView(BaseModel):
    """An entity with its labels and types, and what is known of its identity.

    `ambiguous` where it may be two things, for the reason in `doubt`, or is kept `apart` from another of its name.
    """

    id: str
    labels: list[str]
    types: list[str] = []
    ambiguous: bool
    doubt: str | None = None
    one_with: list[EntityOther] = []
    apart: list[EntityApart] = []
    decisions: list[EntityDecision] = []


class DecisionRequest(BaseModel):
    """`same` and `apart` are of two names or IRIs; the one name twice says that it is one thing. `undo` takes back."""

    model_config = ConfigDict(extra="forbid")

    verdict: Literal["same", "apart", "undo"]
    entities: list[Text] = Field(min_length=2, max_length=2)
    collection: str = "default"
    by: str = Field("", max_length=200, description="Who decides.")
