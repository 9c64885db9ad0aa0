"""How a command reaches the service: as every client does, in the command line's own words where there is no folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from provgraph.client.connection import Target, connected
from provgraph.client.problems import ServiceProblem
from provgraph.client.service import Service
from provgraph.errors import NotFound

__all__ = ["Service", "ServiceProblem", "Target", "connect"]


@contextmanager
def connect(target: Target) -> Iterator[Service]:
    """A service for the length of a command. Raises `NotFound` where there is no folder, and `Unavailable` where no
    service can be reached or opened."""
    if not (target.url or target.create or target.data.is_dir()):
        raise NotFound(
            f"There is no folder {target.data}. Ingest something first: provgraph ingest FILE. "
            "Or name a folder with --data, or a service with --url."
        )
    if not target.url:
        from provgraph.cli.allocation import LARGE_OF_COMMANDS, keep_little

        keep_little(LARGE_OF_COMMANDS)
    with (
        connected(target, lambda message: click.echo(message, err=True)) as connection,
        connection.client() as client,
    ):
        yield Service(client)
