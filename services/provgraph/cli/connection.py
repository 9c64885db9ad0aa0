"""How a command reaches the service: as every client does, in the command line's own words where there is no folder."""

from __future__ import annotations

import ctypes
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from provgraph.client.connection import Target, connected
from provgraph.client.service import Service, ServiceProblem
from provgraph.errors import NotFound

__all__ = ["Service", "ServiceProblem", "Target", "connect", "keep_little"]


@contextmanager
def connect(target: Target) -> Iterator[Service]:
    """A service for the length of a command. Raises `NotFound` where there is no folder of ProvGraph, and `Unavailable`
    where no service can be reached or opened."""
    if not (target.url or target.create or target.data.is_dir()):
        raise NotFound(
            f"There is no folder {target.data}. Ingest something first: provgraph ingest FILE. "
            "Or name a folder with --data, or a service with --url."
        )
    if not (target.url or target.create):
        _require_own(target.data)
    if not target.url:
        keep_little(LARGE_OF_COMMANDS)
    with (
        connected(target, lambda message: click.echo(message, err=True)) as connection,
        connection.client() as client,
    ):
        yield Service(client)


def _require_own(folder: Path) -> None:
    """Raises `NotFound` for a folder of something else, in which a question would begin a store."""
    inside = {file.name for file in folder.iterdir()}
    if inside and not inside & {"provgraph.json", "store", "serving.json"}:
        raise NotFound(
            f"{folder} is a folder of other files, not of ProvGraph. Read them into one with: "
            f"provgraph ingest {shlex.quote(str(folder))}. Or name another folder with --data."
        )


_M_MMAP_THRESHOLD: Final = -3  # malloc.h of the GNU C library
_M_ARENA_MAX: Final = -8
_ARENAS: Final = 2
_LARGE: Final = 256 * 1024
LARGE_OF_COMMANDS: Final = 4 * 1024 * 1024
"""Of an ingest, which makes and frees many arrays of a few megabytes: mapped one by one, these took a quarter more of
the processor."""


def keep_little(large: int = _LARGE) -> None:
    """Let all threads that begin from now on allocate from the same two places, and blocks of so many bytes go back
    when freed.

    By itself the GNU C library gives a core eight places, and each keeps what its threads have freed. It maps large
    blocks one by one, until the first of some size is freed: from then on it takes such blocks from these places too,
    and what the store held in memory until it wrote it out, a megabyte at a time, leaves holes there (mallopt(3),
    M_ARENA_MAX and M_MMAP_THRESHOLD). Other libraries are left alone.
    """
    limit = getattr(ctypes.CDLL(None), "mallopt", None)
    if limit:
        limit(_M_ARENA_MAX, _ARENAS)
        limit(_M_MMAP_THRESHOLD, large)
