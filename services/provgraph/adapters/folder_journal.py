"""What was done with a data folder that its store does not say: copies that were handed out, and files written anew.

Lines of JSON in `journal.jsonl`, each with `what` and `at`; nothing of documents. It is no proof, and is signed where
an erasure certificate takes it up.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from anyio import to_thread

from provgraph.errors import Unavailable


@dataclass(frozen=True)
class FolderJournal:
    file: Path
    now: Callable[[], datetime]

    async def note_copy(self, kind: str, collection: str) -> None:
        """That a copy is handed out, of everything where no collection is named. Raises as `note` does."""
        await self.note(kind, **({"collection": collection} if collection else {}))

    async def note(self, what: str, **more: str) -> None:
        """Raises `Unavailable` where it cannot be written."""
        moment = self.now().isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = json.dumps({"what": what, "at": moment, **more}) + "\n"
        await to_thread.run_sync(self._append, line)

    async def entries(self) -> list[Mapping[str, str]]:
        """The oldest first; lines that a crash left unfinished are left out."""
        return await to_thread.run_sync(self._read)

    def _append(self, line: str) -> None:
        try:
            with self.file.open("a") as file:
                file.write(line)
        except OSError as error:
            raise Unavailable(
                f"{self.file} cannot be written ({error.strerror}). Check the folder's permissions and the disk."
            ) from error

    def _read(self) -> list[Mapping[str, str]]:
        try:
            lines = self.file.read_text().splitlines()
        except OSError:
            return []
        found: list[Mapping[str, str]] = []
        for line in lines:
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            if isinstance(entry, dict):
                found.append({str(name): str(value) for name, value in entry.items()})
        return found
