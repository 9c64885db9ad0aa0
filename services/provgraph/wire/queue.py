"""The queue of work over HTTP: how much waits, and what was given up."""

from __future__ import annotations

from pydantic import BaseModel, Field


class QueuedWork(BaseModel):
    """Tasks of one kind: whole documents, or chunks for language models."""

    kind: str
    waiting: int
    under_way: int
    dead: int


class DeadWork(BaseModel):
    """A task that was given up and waits for a person."""

    id: str
    job: str
    kind: str
    files: list[str] = Field(description="What the files are called that it is about.")
    reason: str
    attempts: int
    at: str


class RevivedWork(BaseModel):
    """A task that was dead, and the job that it belongs to."""

    id: str
    job: str
