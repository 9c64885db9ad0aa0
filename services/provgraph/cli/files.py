"""Files and texts that commands are given, write and send: files whole or not at all, with a bar."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import httpx2
from tqdm import tqdm

from provgraph.cli.terminal import is_quiet
from provgraph.client.files import readable
from provgraph.errors import InvalidInput, Unavailable, UnreadableDocument

_UMASK: Final = os.umask(0)
os.umask(_UMASK)
"""As the user has it: a data folder that this process opens narrows it for what is written there."""


def write_file(output: Path, pieces: Iterable[bytes], doing: str, private: bool = False) -> int:
    """Write a file piece by piece; returns its bytes. It stands under its name only when it is complete.

    One that is `private` nobody else may read, whatever the umask.

    Raises `InvalidInput` when it cannot be written, and `Unavailable` when the pieces break off.
    """
    draft = output.with_name(f".{output.name}.part")
    try:
        with _bar(doing) as bar, draft.open("wb") as file:
            for piece in pieces:
                bar.update(file.write(piece))
        draft.chmod(0o600 if private else 0o666 & ~_UMASK)
        draft.replace(output)
    except OSError as error:
        raise InvalidInput(
            f"{output} cannot be written ({error.strerror}). Name another file with --output."
        ) from error
    except httpx2.TransportError as error:
        raise Unavailable(
            f"{output} was not written: what the service sent broke off ({error}). Run the command again."
        ) from error
    finally:
        draft.unlink(missing_ok=True)
    return output.stat().st_size


def file_blocks(file: Path, doing: str, size: int = 1 << 20) -> Iterator[bytes]:
    """The content of a file in pieces. Raises `InvalidInput` when it cannot be read."""
    with readable(file), file.open("rb") as content, _bar(doing, file.stat().st_size) as bar:
        while piece := content.read(size):
            yield piece
            bar.update(len(piece))


@contextmanager
def _bar(doing: str, total: int | None = None) -> Iterator[tqdm[Any]]:
    quiet = is_quiet() or not sys.stderr.isatty()
    with tqdm(
        desc=doing, total=total, unit="B", unit_scale=True, disable=quiet, leave=False, dynamic_ncols=True
    ) as bar:
        yield bar


def picture_format(file: Path) -> str:
    kind = file.suffix.casefold().removeprefix(".")
    if kind not in ("svg", "png"):
        raise InvalidInput(
            f"{file.name} ends in neither .svg nor .png. Name the picture so that its ending says what it is."
        )
    return kind


def decoded(content: bytes, name: str) -> str:
    """Text as it was given. Raises `UnreadableDocument` where it is not UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableDocument(
            f"{name} is not UTF-8 (at byte {error.start}). Convert it to UTF-8 first."
        ) from error
