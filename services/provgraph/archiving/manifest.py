"""What an archive says of itself: its kind and version, what it holds, and the SHA-256 of every part.

An archive is a ZIP file. `parts.jsonl` names each other part with its size and SHA-256; `manifest.json`, written
last, has the SHA-256 of `parts.jsonl`. So one hash vouches for everything, and neither writer nor reader keeps the
list in memory.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from provgraph.errors import UnreadableArchive

FORMAT_VERSION: Final = 1
MANIFEST: Final = "manifest.json"
PARTS: Final = "parts.jsonl"


class ArchiveKind(StrEnum):
    """A collection goes into any folder; a backup becomes a folder of its own."""

    COLLECTION = "collection"
    BACKUP = "backup"


class Manifest(BaseModel):
    """`counts` says how much there is of each kind of thing, for people; nothing is decided by it."""

    model_config = ConfigDict(extra="forbid")

    format: Literal["provgraph-archive"] = "provgraph-archive"
    kind: ArchiveKind
    version: int = FORMAT_VERSION
    provgraph: str
    made: str
    collection: str = ""
    counts: dict[str, int] = {}
    parts: int = 0
    parts_sha256: str = ""


class PartEntry(BaseModel):
    """One line of `parts.jsonl`."""

    model_config = ConfigDict(extra="forbid")

    name: str
    size: int = Field(ge=0)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")


class _Version(BaseModel):
    format: Literal["provgraph-archive"]
    version: int


def read_manifest(content: bytes, kind: ArchiveKind) -> Manifest:
    """Raises `UnreadableArchive` for one that is damaged, of a newer version, or of another kind than wanted."""
    try:
        version = _Version.model_validate_json(content).version
        if version > FORMAT_VERSION:
            raise UnreadableArchive(
                f"The archive was written by a newer version of ProvGraph (format {version}). Upgrade ProvGraph here."
            )
        manifest = Manifest.model_validate_json(content)
    except ValidationError as error:
        raise UnreadableArchive("Its manifest is not one of ProvGraph. Make the archive anew.") from error
    if manifest.kind != kind:
        raise UnreadableArchive(_OTHER_KIND[manifest.kind])
    return manifest


_OTHER_KIND: Final = {
    ArchiveKind.BACKUP: "This is a backup of a whole folder. Make a folder of it with 'provgraph restore'.",
    ArchiveKind.COLLECTION: "This is the archive of a collection. Take it in with 'provgraph import'.",
}
