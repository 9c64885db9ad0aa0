"""Port of the library's storage: bytes by key, in a folder or an object store, and copies of them for backups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol


class ContentStore(Protocol):
    """Bytes under keys such as `default/3f/3fa9…`."""

    async def put(self, contents: Mapping[str, bytes]) -> None:
        """Put each content under its key. One content is seen whole or not at all; of several, some may be."""
        ...

    async def get(self, key: str) -> bytes:
        """Raises `NotFound` when there is nothing under the key."""
        ...

    async def sizes(self, keys: Sequence[str]) -> list[int | None]:
        """The bytes under each key, None where there is nothing."""
        ...

    async def delete(self, prefix: str) -> None:
        """Remove everything whose key is `prefix` or lies below it; nothing there is no error."""
        ...

    async def snapshot(self, folder: Path) -> None:
        """Let all contents stand below the folder too, beside what is there: each a file named by its key."""
        ...

    def open_snapshot(self, folder: Path) -> ContentStore:
        """What `snapshot` put there, as contents."""
        ...
