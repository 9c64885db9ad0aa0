"""The folder of a one-process deployment: where its parts lie, which version of the layout it has, and its journal.

From the layout of an older version to today's leads an ordered list of steps, run when a folder is opened. A step may
be cut off at any moment and is then run again from its beginning, so it must come to the same end from wherever it was
left: write beside what is there, then replace. The version is written after each step. What can be made again from
store and library (indexes, snapshots) needs no step: it is thrown away and built anew.

The journal tells what the store does not: copies that were handed out, and files written anew. Lines of JSON in
`journal.jsonl`, each with `what` and `at`; nothing of documents. It is no proof, and is signed where an erasure
certificate takes it up.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final
from uuid import uuid4

from anyio import to_thread
from pyoxigraph import NamedNode

from provgraph.errors import FolderInUse, Unavailable

logger = logging.getLogger(__name__)


Tell = Callable[[str], None]


@dataclass(frozen=True)
class Migration:
    """One step: `doing` says what, for people; `run` gets the data folder. Raises OSError where the disk fails."""

    doing: str
    run: Callable[[Path], None]


MIGRATIONS: Final[tuple[Migration, ...]] = ()
"""The step from version 1 to 2, then from 2 to 3, and so on. A step that was released is never changed again."""


def newest_version(migrations: Sequence[Migration] = MIGRATIONS) -> int:
    return 1 + len(migrations)


def migrate(folder: Path, version: int, migrations: Sequence[Migration], tell: Tell) -> None:
    """Bring a folder of `version` to the newest one, step by step.

    Raises `Unavailable` when another process has the folder open, and when a step fails: what the steps before it
    made stands, and opening the folder again goes on there.
    """
    if version == newest_version(migrations):
        return
    with _alone(folder):
        for number, step in enumerate(migrations[version - 1 :], version + 1):
            tell(f"Bringing {folder} to layout {number}: {step.doing}.")
            try:
                step.run(folder)
                write_version(folder, number)
            except OSError as error:
                raise Unavailable(
                    f"{folder} could not be brought to layout {number} ({error.strerror or error}). "
                    "Free some space or fix its permissions, then run the same command again: it goes on from there."
                ) from error


def write_version(folder: Path, version: int) -> None:
    """Whole and on the disk when it returns, or as it was."""
    draft = folder / ".provgraph.json.draft"
    with draft.open("w") as file:
        file.write(json.dumps({"layout": version}))
        file.flush()
        os.fsync(file.fileno())
    draft.replace(folder / "provgraph.json")


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """While no other process has the store open: the lock is the one that Oxigraph's files have."""
    (folder / "store").mkdir(exist_ok=True)
    with (folder / "store" / "LOCK").open("a") as lock:
        try:
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise Unavailable(
                f"{folder} has the layout of an older version of ProvGraph and is in use by another process. "
                "End that process first; the folder is then brought up to date."
            ) from error
        yield


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
    def subscriptions(self) -> Path:
        """Who is told when an answer loses its evidence, and what they were told, without words of documents."""
        return self.path / "subscriptions.json"

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


class FolderOwner:
    """Holds the folder until it is let go, or the process ends. Raises `FolderInUse` when another one has it."""

    def __init__(self, folder: Path) -> None:
        self._lock = (folder / "owner.lock").open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._lock.close()
            raise FolderInUse(
                f"The folder {folder} cannot be opened: another provgraph process is using it. "
                "Wait for it to finish, or name another folder with --data; if it is a service, give its address with "
                "--url."
            ) from error

    def let_go(self) -> None:
        self._lock.close()


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
