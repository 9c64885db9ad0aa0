"""The ways of asking that a service has, so that a client can offer them."""

from __future__ import annotations

from pydantic import BaseModel, Field


class Flow(BaseModel):
    """A way of asking: `POST` to `address` with a `query`, and with whatever else is named in `fields`."""

    name: str
    title: str
    address: str
    description: str
    fields: list[str]
    engines: list[str] = Field([], description="What `engine` may be here; empty where there is no choice.")


class Flows(BaseModel):
    """`model` is the language model of the service, or null where it has none; then `engine` is model-free."""

    model: str | None
    flows: list[Flow]
