"""A backup → a folder as it was. Nothing stands under the folder's name before all of it is proved and written."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from provgraph.archiving.archive_file import ArchiveKind, Manifest, Package, opened_package
from provgraph.errors import Conflict, NotFound, Unavailable, UnreadableArchive


@dataclass(frozen=True)
class RestoreProgress:
    doing: str
    done: int
    total: int


def restored(backup: Path, into: Path, limit_bytes: int) -> Iterator[RestoreProgress | Manifest]:
    """Make the folder `into`; the manifest of the backup comes last.

    Raises `Conflict` when there is something at `into`, `UnreadableArchive` for a backup that is damaged, and
    `Unavailable` when the disk cannot take it. Then there is no such folder.
    """
    if into.exists() and (not into.is_dir() or any(into.iterdir())):
        raise Conflict(f"{into} already exists. Restore into a new folder, named with --data.")
    draft = into.parent / f".{into.name}-{uuid4().hex}"
    try:
        with opened_package(backup, ArchiveKind.BACKUP, limit_bytes) as package:
            for done, total in package.verified():
                yield RestoreProgress("verifying", done, total)
            yield from _unpacked(package, draft)
            if not (draft / "provgraph.json").is_file() or not (draft / "store" / "CURRENT").is_file():
                raise UnreadableArchive("It has no store in it. Create the backup again.")
            draft.replace(into)
            yield package.manifest
    except FileNotFoundError as error:
        raise NotFound(f"There is no backup {backup}. Check the path.") from error
    except OSError as error:
        raise Unavailable(
            f"The backup cannot be restored to {into} ({error.strerror or error}). Check the disk and its permissions."
        ) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _unpacked(package: Package, folder: Path) -> Iterator[RestoreProgress]:
    names = package.part_names()
    for done, name in enumerate(names, 1):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            for piece in package.pieces(name):
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        yield RestoreProgress("writing", done, len(names))
