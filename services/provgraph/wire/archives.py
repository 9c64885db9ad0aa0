"""Archives over HTTP: what is told while one is taken in."""

from __future__ import annotations

from pydantic import BaseModel, Field


class ArchiveProgress(BaseModel):
    """`done` of `total` steps of verifying, comparing, writing or indexing."""

    doing: str
    done: int
    total: int


class ImportedArchive(BaseModel):
    """What an archive held, and how much of it was new: nothing, when it is imported again."""

    collection: str
    documents: int
    sessions: int
    statements: int = Field(description="Statements that the store did not have.")
    contents: int = Field(description="Documents, pages, answers … that the library did not hold.")
