"""The folder of a one-process deployment: where its parts lie, and which version of the layout it has."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from pyoxigraph import NamedNode

from provgraph.adapters.migrations import MIGRATIONS, Migration, Tell, migrate, newest_version, write_version
from provgraph.errors import Unavailable

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class DataFolder:
    """`store` is Oxigraph's, `library` holds content; `index`, `vectors`, `sentences` and `snapshots` can be made again
    from these."""

    path: Path

    @property
    def layout(self) -> Path:
        return self.path / "provgraph.json"

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
    def vectors(self) -> Path:
        return self.path / "vectors"

    @property
    def sentences(self) -> Path:
        """Vectors of sentences."""
        return self.path / "sentences"

    @property
    def snapshots(self) -> Path:
        return self.path / "snapshots"

    @property
    def queue(self) -> Path:
        """Work that was accepted and is not done, and the files that it waits with."""
        return self.path / "queue"

    @property
    def workspace(self) -> Path:
        """What is under way, or was when a crash came: archives that arrive, copies that are sent."""
        return self.path / "workspace"

    @property
    def signing_key(self) -> Path:
        """The private key of this installation. It is in no backup."""
        return self.path / "signing-key"

    @property
    def journal(self) -> Path:
        """Copies that were handed out, and when files were written anew."""
        return self.path / "journal.jsonl"

    @property
    def audit_log(self) -> Path:
        """Who asked, read and wrote, from when anybody has a token of their own."""
        return self.path / "audit.jsonl"

    @property
    def views(self) -> Path:
        """What some may see of collections; made again when it is asked for."""
        return self.path / "views"

    @property
    def process(self) -> NamedNode:
        """The name of whichever process works in this folder: the same after a crash."""
        place = self.path / "process"
        if not place.exists():
            place.write_text(f"urn:trustgraph:process:{uuid4()}")
        return NamedNode(place.read_text().strip())

    def size(self) -> int:
        """Bytes of store, library, indexes and queue; files that go meanwhile do not count."""
        parts = (self.store, self.library, self.index, self.queue)
        return sum(_bytes(file) for part in parts for file in part.rglob("*"))


def open_data_folder(
    path: Path, migrations: Sequence[Migration] = MIGRATIONS, tell: Tell = logger.warning
) -> DataFolder:
    """The folder, made if it is not there, and brought to the newest layout; `tell` hears what is done for that.

    Raises `Unavailable` when it cannot be made or read, was written by a newer version, or cannot be brought to
    this one.
    """
    folder = DataFolder(path)
    newest = newest_version(migrations)
    os.umask(os.umask(0o077) | 0o077)  # what this process writes from here on is its user's alone
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        if path.stat().st_uid == os.getuid():
            path.chmod(0o700)
        if not folder.layout.exists():
            write_version(path, newest)
        version = int(json.loads(folder.layout.read_text())["layout"])
    except OSError as error:
        raise Unavailable(
            f"The folder {path} cannot be used ({error.strerror}). Check its permissions, or name another with --data."
        ) from error
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise Unavailable(f'{folder.layout} is damaged. Put back the line {{"layout": {newest}}}.') from error
    if not 1 <= version <= newest:
        raise Unavailable(
            f"The folder {path} was written by a newer version of ProvGraph (layout {version}). "
            "Upgrade ProvGraph, or name another folder with --data."
        )
    migrate(path, version, migrations, tell)
    return folder


def _bytes(file: Path) -> int:
    try:
        return file.stat().st_size if file.is_file() else 0
    except OSError:
        return 0
