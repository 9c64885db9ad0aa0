"""Addresses of the web that are ingested: fetched to a folder that is gone afterwards, and sent as files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from provgraph.cli.connection import Service
from provgraph.cli.options import Command
from provgraph.cli.sending import ingest_files
from provgraph.client.sending import Job, UploadForm
from provgraph.errors import ProvGraphError, Unavailable

if TYPE_CHECKING:
    from provgraph.client.web_sources import WebReader


def private_option(command: Command) -> Command:
    return click.option(
        "--allow-private",
        is_flag=True,
        help="Use also web addresses of this machine and of private networks.",
    )(command)


def ingest_addresses(
    service: Service,
    addresses: Iterable[str],
    reader: WebReader,
    form: UploadForm,
) -> Iterator[Job]:
    """Fetch and send each document, known by its address unless an id is given; gives its finished job.

    One that cannot be fetched is a refused job, as a file that cannot be read.
    """
    for address in addresses:
        try:
            for place in reader.documents(address):
                yield from _ingested(service, reader, place, form)
        except ProvGraphError as error:
            yield _refused(address, error)


def web_reader(most_mb: int, allow_private: bool) -> WebReader:
    from provgraph.client.web_sources import WebReader  # time that other commands can save

    return WebReader(most_mb * 1_000_000, allow_private)


def _ingested(service: Service, reader: WebReader, place: str, form: UploadForm) -> Iterator[Job]:
    try:
        fetched = reader.fetch(place)
    except ProvGraphError as error:
        yield _refused(place, error)
        return
    with TemporaryDirectory(prefix="provgraph-") as folder:
        file = Path(folder) / fetched.name
        try:
            file.write_bytes(fetched.content)
        except OSError as error:
            raise Unavailable(f"{place} cannot be kept in {folder} ({error.strerror}).") from error
        own = {**form.fields, "id": form.fields["id"] or fetched.address}
        yield from ingest_files(service, [file], own, form.ontology, form.given)


def _refused(place: str, error: ProvGraphError) -> Job:
    return {
        "state": "failed",
        "documents": [],
        "refused": [{"name": place, "problem": {"detail": str(error)}}],
        "extractors": [],
    }
