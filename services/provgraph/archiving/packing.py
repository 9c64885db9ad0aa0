"""Parts → the bytes of an archive, as they come: nothing is held but the piece at hand."""

from __future__ import annotations

import hashlib
import tempfile
import zipfile
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import dataclass
from typing import IO, Final

from anyio import to_thread

from provgraph.archiving.manifest import MANIFEST, PARTS, Manifest, PartEntry

_SPOOLED_BYTES: Final = 1 << 20
_READ_BYTES: Final = 1 << 20


@dataclass(frozen=True)
class Part:
    """A file of an archive. `packed` is false for what is compressed already."""

    name: str
    content: AsyncIterator[bytes]
    packed: bool = True


async def packed(parts: AsyncIterator[Part], describe: Callable[[], Manifest]) -> AsyncGenerator[bytes]:
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


async def _measured(part: Part, into: IO[bytes], listed: IO[bytes]) -> AsyncGenerator[None]:
    """Write a part, and its line when it is complete; a pause after each piece."""
    hashed, size = hashlib.sha256(), 0
    async for piece in part.content:
        hashed.update(piece)
        size += len(piece)
        await to_thread.run_sync(into.write, piece)
        yield
    entry = PartEntry(name=part.name, size=size, sha256=hashed.hexdigest())
    listed.write(entry.model_dump_json().encode() + b"\n")


def _entry(part: Part) -> zipfile.ZipInfo:
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
