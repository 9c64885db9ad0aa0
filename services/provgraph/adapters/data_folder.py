"""The folder of a one-process deployment: where its parts lie, and which version of the layout it has."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from provgraph.errors import Unavailable

LAYOUT_VERSION: Final = 1


@dataclass(frozen=True)
class DataFolder:
    """`store` is Oxigraph's, `library` holds content, `index` and `snapshots` can be made again from these."""

    path: Path

    @property
    def store(self) -> Path:
        return self.path / "store"

    @property
    def library(self) -> Path:
        return self.path / "library"

    @property
    def index(self) -> Path:
        return self.path / "index"

    @property
    def snapshots(self) -> Path:
        return self.path / "snapshots"

    def size(self) -> int:
        """Bytes of store, library and indexes; files that go meanwhile do not count."""
        parts = (self.store, self.library, self.index)
        return sum(_bytes(file) for part in parts for file in part.rglob("*"))


def open_data_folder(path: Path) -> DataFolder:
    """The folder, made if it is not there.

    Raises `Unavailable` when it cannot be made or read, or was written by a newer version.
    """
    layout = path / "provgraph.json"
    try:
        path.mkdir(parents=True, exist_ok=True)
        if not layout.exists():
            layout.write_text(json.dumps({"layout": LAYOUT_VERSION}))
        version = int(json.loads(layout.read_text())["layout"])
    except OSError as error:
        raise Unavailable(
            f"The folder {path} cannot be used ({error.strerror}). Check its permissions, or name another with --data."
        ) from error
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise Unavailable(
            f'{layout} is damaged. Put back the line {{"layout": {LAYOUT_VERSION}}}.'
        ) from error
    if version > LAYOUT_VERSION:
        raise Unavailable(
            f"The folder {path} was written by a newer version of ProvGraph (layout {version}). "
            "Upgrade ProvGraph, or name another folder with --data."
        )
    return DataFolder(path)


def _bytes(file: Path) -> int:
    try:
        return file.stat().st_size if file.is_file() else 0
    except OSError:
        return 0
