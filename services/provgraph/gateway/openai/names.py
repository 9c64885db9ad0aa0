"""The names of models: `provgraph/COLLECTION` for the default flow, `provgraph/COLLECTION:FLOW` for another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from provgraph.errors import NotFound

OWNER: Final = "provgraph"
_PREFIX: Final = f"{OWNER}/"


@dataclass(frozen=True)
class ModelName:
    """`flow` is the last part of the flow's address, as "graph-rag"."""

    collection: str
    flow: str


def model_name(model: str, flows: Sequence[str]) -> ModelName:
    """What a model's name stands for; the first of `flows` is the default. Raises `NotFound` for any other name."""
    collection, _, flow = model.removeprefix(_PREFIX).partition(":")
    if not model.startswith(_PREFIX) or not collection or (flow and flow not in flows):
        raise NotFound(
            f"There is no model {model[:100]!r}. Name {_PREFIX}COLLECTION, or {_PREFIX}COLLECTION:FLOW with one of "
            f"{', '.join(flows)}. GET /v1/models lists them."
        )
    return ModelName(collection, flow or flows[0])


def models(collections: Iterable[str], flows: Sequence[str]) -> list[str]:
    """The names of all models, each collection's default flow first."""
    return [
        f"{_PREFIX}{collection}{f':{flow}' if number else ''}"
        for collection in collections
        for number, flow in enumerate(flows)
    ]


def listing(names: Iterable[str]) -> dict[str, Any]:
    """The reply that lists models."""
    return {"object": "list", "data": [described(name) for name in names]}


def described(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": OWNER}
