"""What a purge of traces removed, or would remove."""

from __future__ import annotations

from pydantic import BaseModel, Field


class PurgedTraces(BaseModel):
    before: str
    sessions: int
    oldest: str | None = Field(None, description="When the oldest of them began.")
    newest: str | None = None
    dry_run: bool
    purge: str | None = Field(None, description="The IRI of the record that remains.")
