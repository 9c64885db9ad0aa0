"""`ContentStore` in a folder of the local disk."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from uuid import uuid4

from anyio import to_thread

from provgraph.errors import NotFound, Unavailable


class FolderContentStore:
    """Each key a file below `folder`. A file appears under its name only when it is complete.
    One that
       holds the same already is not written again.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def put(self, contents: Mapping[str, bytes]) -> None:
        await to_thread.run_sync(self._put, contents)

    async def get(self, key: str) -> bytes:
        try:
            return await to_thread.run_sync((self._folder / key).read_bytes)
        except FileNotFoundError as error:
            raise NotFound(f"There is no content under {key}.") from error

    async def delete(self, prefix: str) -> None:
        await to_thread.run_sync(self._delete, self._folder / prefix)

    def _put(self, contents: Mapping[str, bytes]) -> None:
        try:
            for key, content in contents.items():
                _write(self._folder / key, content)
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


def _write(path: Path, content: bytes) -> None:
    if path.is_file() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.parent / f".draft-{uuid4().hex}"
    try:
        draft.write_bytes(content)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
