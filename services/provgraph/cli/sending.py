"""Files and web pages sent by a command, and their jobs followed, with a bar that shows how far they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from provgraph.cli.connection import Service
from provgraph.cli.progress import ChunkProgress
from provgraph.client.metadata import NOTHING_GIVEN, GivenMetadata
from provgraph.client.sending import Fields, Job, UploadForm, follow_job, send_files
from provgraph.errors import ProvGraphError, Unavailable

if TYPE_CHECKING:
    from provgraph.client.web_sources import WebReader


def ingest_files(
    service: Service,
    files: Iterable[Path],
    fields: Fields,
    ontology: tuple[str, bytes] | None = None,
    given: GivenMetadata = NOTHING_GIVEN,
) -> Iterator[Job]:
    """Send files, several small ones together, showing the progress; gives the finished job of each group, and one for
    each file that cannot be sent."""
    every = list(files)
    obstacle = ""
    with ChunkProgress(len(every)) as progress:
        for update in send_files(service, every, UploadForm(fields, ontology, given)):
            progress.files_done = update.files_done
            obstacle = _show(progress, update.name, update.job, obstacle)
            if update.ended:
                yield update.job


def followed(service: Service, job: Job, name: str, progress: ChunkProgress) -> Iterator[Job]:
    """The finished job. Ctrl-C ends the job in the service too: a model that nobody waits for costs money."""
    obstacle = ""
    for state, ended in follow_job(service, job):
        obstacle = _show(progress, name, state, obstacle)
        if ended:
            yield state


def _show(progress: ChunkProgress, name: str, state: dict[str, Any], obstacle: str) -> str:
    """Show how far a job is, and once what holds it up; returns that obstacle."""
    if "id" in state:
        progress.show_job(name, state)
    if (waits := state.get("waits_for")) and waits["detail"] != obstacle:
        progress.remark(f"{name} waits. {waits['detail']}")
        return str(waits["detail"])
    return obstacle


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
            if reader.is_cut_off:
                reader.is_cut_off = False  # of another address it is not known yet
                yield _refused(address, reader.rest_of(address))
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
