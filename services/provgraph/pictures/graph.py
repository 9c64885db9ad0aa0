"""What is drawn: things and the edges between them, in labels."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Emphasis(StrEnum):
    """How much an edge matters to the picture: around it, chosen, or what a sentence of the answer rests on."""

    CONTEXT = "context"
    CHOSEN = "chosen"
    CITED = "cited"


class NodeKind(StrEnum):
    """What a node stands for; each kind has a shape and a colour of its own."""

    ENTITY = "entity"
    METRIC = "metric"
    VALUE = "value"
    DOCUMENT = "document"


@dataclass(frozen=True)
class DrawnNode:
    """`detail` is told of it beside its label, a type for example."""

    id: str
    label: str
    kind: NodeKind = NodeKind.ENTITY
    detail: str = ""


@dataclass(frozen=True)
class DrawnEdge:
    """From the node `subject` to the node `object`, by id; `weight` from 0 to 1 makes its line thicker.

    One that is not `directed` goes both ways, and has no arrow.
    """

    id: str
    subject: str
    object: str
    label: str
    weight: float = 0.5
    emphasis: Emphasis = Emphasis.CHOSEN
    directed: bool = True


@dataclass(frozen=True)
class Graph:
    """`title` and `description` are for whoever cannot see it; without a description, its edges are told.

    Every end of an edge is the id of a node. Two nodes or two edges of one id are one, the first.
    """

    nodes: tuple[DrawnNode, ...]
    edges: tuple[DrawnEdge, ...]
    title: str
    description: str = ""
