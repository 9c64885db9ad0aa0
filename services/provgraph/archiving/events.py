"""What happens while an archive is taken in."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ImportProgress:
    """`done` of `total` steps of what is being done."""

    doing: str
    done: int
    total: int


@dataclass(frozen=True)
class ArchiveImported:
    """The end: how much was new, and what the archive held."""

    collection: str
    statements: int
    contents: int
    documents: int
    sessions: int


ImportEvent = ImportProgress | ArchiveImported
