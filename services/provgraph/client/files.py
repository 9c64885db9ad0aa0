"""Files that a client reads and writes, and their names and texts as characters to read: never as commands to a
terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from provgraph.errors import InvalidInput, NotFound

COMMANDS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202d\u202e\ud800-\udfff]")
"""Control characters other than tab and line feed, what reverses text, and bytes that are no character."""


def harmless(text: str) -> str:
    """`text` with a replacement character for each that a terminal could obey."""
    return COMMANDS.sub("\ufffd", text)


def is_address(path: str) -> bool:
    """Whether a path is an address of the web."""
    return path.casefold().startswith(("http://", "https://"))


def files_of(
    paths: Iterable[Path], follow_links: bool = False, left_out: Callable[[Path], None] = lambda _: None
) -> Iterator[Path]:
    """The files themselves, and those of folders without hidden ones. Raises `NotFound` for what is not there.

    A link that leads out of its folder is followed only where that is wanted; else `left_out` is told of it.
    """
    for path in paths:
        if path.is_dir():
            inside = path.resolve()
            for visible_file in visible_files(path):
                if follow_links or visible_file.resolve().is_relative_to(inside):
                    yield visible_file
                else:
                    left_out(visible_file)
        elif path.exists():
            yield path
        else:
            raise NotFound(f"There is no file or folder {path}. Check the path.")


def visible_files(folder: Path) -> Iterator[Path]:
    """The files in a folder and the folders in it, in the order of their names, without hidden ones."""
    for found in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in found.relative_to(folder).parts)
        if not hidden and found.is_file():
            yield found


@contextmanager
def readable(file: Path) -> Iterator[None]:
    """Raises `InvalidInput` where the file cannot be read within it."""
    try:
        yield
    except OSError as error:
        advice = "Check its name." if isinstance(error, FileNotFoundError) else "Check its permissions."
        raise InvalidInput(f"{file} cannot be read ({error.strerror}). {advice}") from error


def content_of(file: Path) -> bytes:
    """Raises `InvalidInput` for a file that cannot be read."""
    with readable(file):
        return file.read_bytes()


@contextmanager
def written(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which stands under its name only when it is complete. Raises `InvalidInput` where it cannot
    be written."""
    draft = path.with_name(f".{path.name}.part")
    try:
        with draft.open("wb") as file:
            yield file
        draft.replace(path)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written ({error.strerror}). Name another file.") from error
    finally:
        draft.unlink(missing_ok=True)
