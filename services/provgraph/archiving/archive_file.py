"""The file of an archive: its manifest, parts → bytes as they come, and bytes → parts, each proved to be what
the manifest says."""

from __future__ import annotations

import hashlib
import io
import re
import struct
import tempfile
import zipfile
import zlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import IO, Final, Literal

from anyio import to_thread
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from provgraph.errors import TooLarge, UnreadableArchive

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
        raise UnreadableArchive("Its manifest is not one of ProvGraph. Create the archive again.") from error
    if manifest.kind != kind:
        raise UnreadableArchive(_OTHER_KIND[manifest.kind])
    return manifest


_OTHER_KIND: Final = {
    ArchiveKind.BACKUP: "This is a backup of a whole folder. Restore it with 'provgraph restore'.",
    ArchiveKind.COLLECTION: "This is the archive of a collection. Import it with 'provgraph import'.",
}


_SPOOLED_BYTES: Final = 1 << 20
_READ_BYTES: Final = 1 << 20


@dataclass(frozen=True)
class ArchivePart:
    """A file of an archive. `packed` is false for what is compressed already."""

    name: str
    content: AsyncIterator[bytes]
    packed: bool = True


async def packed(
    parts: AsyncIterator[ArchivePart], describe: Callable[[], Manifest]
) -> AsyncGenerator[bytes]:
    """An archive of the parts, in pieces; `describe` is asked when all parts have been read."""
    outlet = _Outlet()
    with (
        tempfile.SpooledTemporaryFile(_SPOOLED_BYTES) as listed,
        zipfile.ZipFile(outlet, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive,
    ):
        count = 0
        async for part in parts:
            with archive.open(_entry(part), "w", force_zip64=True) as into:
                async for piece in _measured(part, into, listed):
                    yield outlet.taken(piece)
            count += 1
        listed.seek(0)
        hashed = hashlib.sha256()
        with archive.open(PARTS, "w", force_zip64=True) as into:
            while lines := listed.read(_READ_BYTES):
                hashed.update(lines)
                into.write(lines)
                yield outlet.taken()
        manifest = describe().model_copy(update={"parts": count, "parts_sha256": hashed.hexdigest()})
        archive.writestr(MANIFEST, manifest.model_dump_json(indent=2) + "\n")
    yield outlet.taken()


async def _measured(part: ArchivePart, into: IO[bytes], listed: IO[bytes]) -> AsyncGenerator[None]:
    """Write a part, and its line when it is complete; a pause after each piece."""
    hashed, size = hashlib.sha256(), 0
    async for piece in part.content:
        hashed.update(piece)
        size += len(piece)
        await to_thread.run_sync(into.write, piece)
        yield
    entry = PartEntry(name=part.name, size=size, sha256=hashed.hexdigest())
    listed.write(entry.model_dump_json().encode() + b"\n")


def _entry(part: ArchivePart) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(part.name)
    entry.compress_type = zipfile.ZIP_DEFLATED if part.packed else zipfile.ZIP_STORED
    entry.external_attr = 0o600 << 16
    return entry


class _Outlet:
    """Where `zipfile` writes without seeking, and what it wrote is taken away from."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, piece: bytes, /) -> int:
        self._pieces.append(bytes(piece))
        return len(piece)

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass

    def taken(self, _: None = None) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


MOST_ENTRIES: Final = 2_000_000
_MANIFEST_BYTES: Final = 1 << 20
_LINE_BYTES: Final = 1 << 16
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(?:/[A-Za-z0-9][A-Za-z0-9._-]*)*")
_DAMAGE: Final = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, struct.error)
_END: Final = struct.Struct("<4s4H2LH")  # end of central directory, APPNOTE.TXT 4.3.16
_END64: Final = struct.Struct("<4sQ2H2L4Q")  # and its Zip64 form, 4.3.14


@dataclass(frozen=True)
class Package:
    """An archive whose directory was found in order. `verified` must come to its end before a part is used."""

    manifest: Manifest
    archive: zipfile.ZipFile

    def verified(self) -> Iterator[tuple[int, int]]:
        """Compare every part with its hash; tells after each how many are done, of how many.

        Raises `UnreadableArchive` for a part that differs, is missing, or is not listed.
        """
        hashed, unseen = hashlib.sha256(), set(self.part_names())
        with self.opened(PARTS) as lines:
            while line := lines.readline(_LINE_BYTES):
                hashed.update(line)
                entry = _part_entry(line)
                self._verify(entry)
                unseen.discard(entry.name)
                yield self.manifest.parts - len(unseen), self.manifest.parts
        if hashed.hexdigest() != self.manifest.parts_sha256:
            raise UnreadableArchive("Its list of parts is damaged. Copy it or create it again.")
        if unseen:
            raise UnreadableArchive(
                "It holds parts that its manifest does not list. Create the archive again."
            )

    def part_names(self) -> list[str]:
        return [name for name in self.archive.namelist() if name not in (MANIFEST, PARTS)]

    @contextmanager
    def opened(self, name: str) -> Iterator[IO[bytes]]:
        """A part to read. Raises `UnreadableArchive` when it is missing, or is found damaged while it is read."""
        with _reporting_damage():
            try:
                part = self.archive.open(name)
            except KeyError as error:
                raise UnreadableArchive(f"{name} is missing in it. Create the archive again.") from error
            with part, io.BufferedReader(part, _READ_BYTES) as buffered:  # type: ignore[type-var]
                yield buffered

    def blocks(self, name: str) -> Iterator[bytes]:
        with self.opened(name) as part:
            while piece := part.read(_READ_BYTES):
                yield piece

    def _verify(self, entry: PartEntry) -> None:
        hashed, size = hashlib.sha256(), 0
        for piece in self.blocks(entry.name):
            hashed.update(piece)
            size += len(piece)
        if (size, hashed.hexdigest()) != (entry.size, entry.sha256):
            raise UnreadableArchive(f"{entry.name} in it is damaged. Copy it or create it again.")


@contextmanager
def opened_package(path: Path, kind: ArchiveKind, limit_bytes: int) -> Iterator[Package]:
    """The archive in a file. Raises `UnreadableArchive`, or `TooLarge` when unpacked it is beyond the limit."""
    with path.open("rb") as file:
        with _reporting_damage():
            _check_entry_count(file)
            archive = zipfile.ZipFile(file)
        with archive:
            _check_entries(archive.infolist(), limit_bytes)
            yield Package(_manifest(archive, kind), archive)


def _manifest(archive: zipfile.ZipFile, kind: ArchiveKind) -> Manifest:
    with _reporting_damage():
        try:
            with archive.open(MANIFEST) as part:
                content = part.read(_MANIFEST_BYTES)
        except KeyError as error:
            raise UnreadableArchive(
                "It is a ZIP file, and not an archive of ProvGraph: it has no manifest.json."
            ) from error
    return read_manifest(content, kind)


def _check_entry_count(file: IO[bytes]) -> None:
    """Before `zipfile` makes an object of each entry: how many does the end of the file announce?"""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - _END.size))
    end = file.read(_END.size)
    if len(end) < _END.size or not end.startswith(b"PK\x05\x06"):
        raise UnreadableArchive(
            "It is not a ZIP file, or its end is missing. Copy or create the archive again."
        )
    entries, directory_bytes = _END.unpack(end)[4:6]
    if entries == 0xFFFF or directory_bytes == 0xFFFFFFFF:
        file.seek(size - _END.size - 20 - _END64.size)
        end64 = _END64.unpack(file.read(_END64.size))
        if end64[0] != b"PK\x06\x06":
            raise UnreadableArchive("Its directory is damaged. Copy or create the archive again.")
        entries, directory_bytes = end64[7:9]
    if entries > MOST_ENTRIES or directory_bytes > 256 * MOST_ENTRIES:
        raise TooLarge(f"It announces {entries:,} parts and the limit is {MOST_ENTRIES:,}.")
    file.seek(0)


def _check_entries(entries: list[zipfile.ZipInfo], limit_bytes: int) -> None:
    names = {entry.filename for entry in entries}
    if len(names) != len(entries):
        raise UnreadableArchive("Two of its parts have one name. Create the archive again.")
    for entry in entries:
        if not _NAME.fullmatch(entry.orig_filename):
            raise UnreadableArchive(
                f"{entry.orig_filename[:80]!r} in it is not the name of a part. Create the archive again."
            )
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or entry.flag_bits & 1:
            raise UnreadableArchive(f"{entry.filename[:80]} in it is encrypted, or packed in another way.")
    size = sum(entry.file_size for entry in entries)
    if size > limit_bytes:
        raise TooLarge(
            f"Unpacked it has {size / 1e6:,.0f} MB and the limit is {limit_bytes / 1e6:,.0f} MB. "
            "Raise PROVGRAPH_MAX_ARCHIVE_MB if you trust it."
        )


def _part_entry(line: bytes) -> PartEntry:
    try:
        return PartEntry.model_validate_json(line)
    except ValidationError as error:
        raise UnreadableArchive("Its list of parts is damaged. Create the archive again.") from error


@contextmanager
def _reporting_damage() -> Iterator[None]:
    try:
        yield
    except _DAMAGE as error:
        raise UnreadableArchive(
            f"The archive is damaged or cut off ({error}). Copy it again, or create it again."
        ) from error
