"""The files of the page, read once from the package, each with its media type and its tag."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

START: Final = "index.html"
MEDIA_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True)
class PageFile:
    """`tag` is of the content alone, in the form of an ETag (RFC 9110, section 8.8.3)."""

    content: bytes
    media_type: str
    tag: str


def page_files() -> Mapping[str, PageFile]:
    """All files of the page by their path, with `/` between folders; only those that are meant to be served."""
    return dict(_files_in(files("provgraph.web") / "static", ""))


def _files_in(folder: Traversable, prefix: str) -> Iterator[tuple[str, PageFile]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files_in(entry, f"{prefix}{entry.name}/")
        elif media_type := MEDIA_TYPES.get(entry.name[entry.name.rfind(".") :]):
            content = entry.read_bytes()
            yield (
                prefix + entry.name,
                PageFile(content, media_type, f'"{hashlib.sha256(content).hexdigest()[:32]}"'),
            )
