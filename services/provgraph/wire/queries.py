"""The shipped queries, over HTTP."""

from __future__ import annotations

from pydantic import BaseModel


class QueryParameter(BaseModel):
    """`kind` is iri, text, integer or decimal; one without a default must be given."""

    name: str
    kind: str
    meaning: str
    default: str | None = None


class QueryText(BaseModel):
    """A shipped query; its parameters stand in `text` as `$name`."""

    name: str
    description: str
    parameters: list[QueryParameter]
    text: str
