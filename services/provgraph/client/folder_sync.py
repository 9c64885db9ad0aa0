"""What has to be done so that a collection is in step with a folder: which files are new, changed, renamed, gone.

The collection itself knows which of its documents come from a folder: each has the folder, the file's path in it and
the SHA-256 of its bytes as metadata. So nothing is kept beside the files, and several machines can look after several
folders of one collection. Documents from elsewhere are left alone. Files that are being sent are noted on this machine
(`PendingFiles`): one that was cut off may be there in part, and is sent again by the next run.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import Any, Final

from provgraph.client.sending import RECORDS
from provgraph.errors import InvalidInput, Unavailable

FOLDER: Final = "sync_folder"
PATH: Final = "sync_path"
SHA256: Final = "sync_sha256"
ETAG: Final = "sync_etag"
MODIFIED: Final = "sync_modified"
OF_SYNC: Final = frozenset({FOLDER, SHA256, ETAG, MODIFIED})
"""What a changed file is told by, and no person needs; its path says where it is."""
_DOC: Final = "urn:trustgraph:doc:"
_DIGEST_HEX: Final = 32


@dataclass(frozen=True)
class FoundFile:
    """A file of the folder; `path` is relative to it, with `/` between folders. The `path` of a page of the web is its
    address, and its `address`, by which it is known, the one that it has after redirections; `etag` and `modified` are
    what its server said of its state."""

    file: Path
    path: str
    sha256: str
    address: str = ""
    etag: str = ""
    modified: str = ""

    @property
    def has_records(self) -> bool:
        """Whether it may be several documents, each with an id of its own."""
        return self.file.suffix.casefold() in RECORDS

    @property
    def usual_id(self) -> str:
        """The id that a document has by its bytes, where none is given."""
        return _DOC + self.sha256[:_DIGEST_HEX]

    def own_id(self, taken: Iterable[str]) -> str:
        """An id for this file: its address, or by its bytes, or where another file has that, by its path too."""
        wanted = self.address or self.usual_id
        if wanted not in taken:
            return wanted
        return _DOC + hashlib.sha256(f"{self.sha256}\0{self.path}".encode()).hexdigest()[:_DIGEST_HEX]

    def metadata(self, folder: str) -> dict[str, list[str]]:
        state = {ETAG: [self.etag], MODIFIED: [self.modified]}
        return {FOLDER: [folder], PATH: [self.path], SHA256: [self.sha256]} | {
            name: values for name, values in state.items() if values[0]
        }


@dataclass(frozen=True)
class KnownFile:
    """What a collection has of a file: the ids of its documents, the hash of the bytes that they were read from, and
    what a server said of its state then."""

    path: str
    sha256: str
    ids: tuple[str, ...]
    etag: str = ""
    modified: str = ""


@dataclass(frozen=True)
class SyncPlan:
    """What is to be done, in this order; `deleted` last, so that whatever is cut off has lost nothing."""

    renamed: Sequence[tuple[KnownFile, FoundFile]] = ()
    changed: Sequence[tuple[KnownFile, FoundFile]] = ()
    new: Sequence[tuple[str, FoundFile]] = ()
    deleted: Sequence[KnownFile] = ()
    unchanged: Sequence[str] = ()


def found_files(folder: Path, files: Iterable[Path]) -> list[FoundFile]:
    """The files with their hashes. Raises `InvalidInput` for one that cannot be read: it would seem to be gone."""
    return [FoundFile(file, file.relative_to(folder).as_posix(), file_sha256(file)) for file in files]


def known_files(documents: Iterable[Mapping[str, Any]], folder: str) -> dict[str, KnownFile]:
    """By path, the files of this folder that the collection has, from its list of documents."""
    known: dict[str, KnownFile] = {}
    for document in documents:
        given = document.get("metadata") or {}
        if given.get(FOLDER) == [folder] and given.get(PATH):
            path = given[PATH][0]
            sha256, *state = ((given.get(name) or [""])[0] for name in (SHA256, ETAG, MODIFIED))
            before = known.get(path)
            same = before is not None and before.sha256 == sha256
            ids = (*(before.ids if before else ()), document["id"])
            known[path] = KnownFile(path, sha256 if same or before is None else "", ids, *state)
    return known


def sync_plan(
    files: Sequence[FoundFile], known: Mapping[str, KnownFile], pending: Collection[str] = ()
) -> SyncPlan:
    """Compare a folder with what a collection has of it; what is `pending` is sent again. A file that is gone and a new
    one of the same bytes are one that was renamed."""
    paths = {file.path for file in files}
    gone = {path: file for path, file in known.items() if path not in paths}
    by_bytes: dict[str, list[KnownFile]] = {}
    for vanished in gone.values():
        by_bytes.setdefault(vanished.sha256, []).append(vanished)
    taken = {each for file in known.values() for each in file.ids}
    renamed: list[tuple[KnownFile, FoundFile]] = []
    new: list[tuple[str, FoundFile]] = []
    for file in (file for file in files if file.path not in known):
        if (before := by_bytes.get(file.sha256)) and not file.address:  # what has moved has another address
            renamed.append((before.pop(0), file))
            continue
        own = "" if file.has_records else file.own_id(taken)
        taken.add(own)
        new.append((own, file))
    moved = {before.path for before, _ in renamed}
    both = [(known[file.path], file) for file in files if file.path in known]
    differ = [old.sha256 != file.sha256 or file.path in pending for old, file in both]
    return SyncPlan(
        renamed=renamed,
        changed=list(compress(both, differ)),
        new=new,
        deleted=[file for path, file in gone.items() if path not in moved],
        unchanged=[file.path for (_, file), is_other in zip(both, differ, strict=True) if not is_other],
    )


class PendingFiles:
    """The paths that are being sent, kept in a file of this machine until they are there whole; `of` names what is kept
    in step with what. Raises `Unavailable` where nothing can be written."""

    def __init__(self, of: str) -> None:
        home = Path(os.environ.get("XDG_STATE_HOME") or Path("~/.local/state").expanduser())
        self._file = home / "provgraph" / f"sync-{hashlib.sha256(of.encode()).hexdigest()[:_DIGEST_HEX]}.json"

    def paths(self) -> set[str]:
        """Those that an earlier run did not see to their end."""
        try:
            return set(json.loads(self._file.read_text("utf-8")))
        except FileNotFoundError:
            return set()
        except (OSError, ValueError) as error:
            raise Unavailable(
                f"{self._file} cannot be read ({error}). Remove it, and run this again."
            ) from error

    @contextmanager
    def noted(self, paths: Iterable[str]) -> Iterator[None]:
        """Note these paths for as long as the context lasts, and beyond it where it is broken off."""
        before, own = self.paths(), set(paths)
        self._write(before | own)
        yield
        self._write(before - own)

    def _write(self, paths: set[str]) -> None:
        draft = self._file.with_suffix(".new")
        try:
            if not paths:
                self._file.unlink(missing_ok=True)
                return
            self._file.parent.mkdir(parents=True, exist_ok=True)
            draft.write_text(json.dumps(sorted(paths)), "utf-8")
            draft.replace(self._file)
        except OSError as error:
            raise Unavailable(
                f"{self._file} cannot be written ({error.strerror}). Name another folder in XDG_STATE_HOME."
            ) from error


def file_sha256(file: Path) -> str:
    try:
        with file.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest()
    except OSError as error:
        raise InvalidInput(
            f"{file} cannot be read ({error.strerror}), and so not compared. Check its permissions, or move it away."
        ) from error
