"""The files that paths name: files themselves, and those inside folders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from provgraph.errors import NotFound


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
            for found in _visible(path):
                if follow_links or found.resolve().is_relative_to(inside):
                    yield found
                else:
                    left_out(found)
        elif path.exists():
            yield path
        else:
            raise NotFound(f"There is no file or folder {path}. Check the path.")


def _visible(folder: Path) -> Iterator[Path]:
    for found in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in found.relative_to(folder).parts)
        if not hidden and found.is_file():
            yield found
