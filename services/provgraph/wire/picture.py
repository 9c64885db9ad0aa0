"""A trace as a graph that is laid out, over HTTP."""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import BaseModel, Field

STANDS_ALONE: Final = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "X-Content-Type-Options": "nosniff",
}
"""A picture holds words of documents: opened by itself, it is no page of this service."""


class PlacedBox(BaseModel):
    """A box around `x`, `y`; x to the right, y downwards. `lines` is the label as it fits into the box."""

    x: float
    y: float
    width: float
    height: float
    lines: list[str]


class PlacedThing(PlacedBox):
    """A node. `term` is what it stands for in the graph, none for a sentence of the answer."""

    id: str
    label: str
    kind: Literal["entity", "metric", "value", "document"]
    detail: str = Field("", description="The labels of its types.")
    term: dict[str, Any] | None = None


class PlacedRelation(PlacedBox):
    """An edge between the nodes `subject` and `object`, by id; the box is that of its label.

    `id` is that of the selected edge in the trace, for one that was selected; `triple` is what it says.
    """

    id: str
    subject: str
    object: str
    label: str
    weight: float
    emphasis: Literal["context", "chosen", "cited"]
    directed: bool = Field(True, description="Whether it goes one way only.")
    sentences: list[int] = Field([], description="The sentences of the answer that rest on it, from 1.")
    triple: dict[str, Any] | None = None


class PlacedGraph(BaseModel):
    """`width` and `height` are of the whole picture; every box lies within it."""

    title: str
    collection: str
    width: float
    height: float
    nodes: list[PlacedThing]
    edges: list[PlacedRelation]
