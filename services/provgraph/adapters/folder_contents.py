"""`ContentStore` in a folder of the local disk."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from anyio import to_thread

from provgraph.errors import NotFound, Unavailable


class FolderContentStore:
    """Each key a file below `folder`. A file appears under its name only when it is complete."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def put(self, key: str, content: bytes) -> None:
        await to_thread.run_sync(self._put, key, content)

    async def get(self, key: str) -> bytes:
        try:
            return await to_thread.run_sync((self._folder / key).read_bytes)
        except FileNotFoundError as error:
            raise NotFound(f"There is no content under {key}.") from error

    async def delete(self, prefix: str) -> None:
        await to_thread.run_sync(self._delete, self._folder / prefix)

    def _put(self, key: str, content: bytes) -> None:
        path = self._folder / key
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".draft-")
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            Path(draft).replace(path)
        except OSError as error:
            raise Unavailable(
                f"The library folder {self._folder} cannot be written ({error.strerror}). "
                "Free some space or mend its permissions, then try again."
            ) from error

    @staticmethod
    def _delete(path: Path) -> None:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
