"""Files sent and jobs followed by a command, with a bar that shows how far they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from provgraph.cli.connection import Service
from provgraph.cli.progress import ChunkProgress
from provgraph.client.metadata import NOTHING_GIVEN, GivenMetadata
from provgraph.client.sending import Fields, Job, UploadForm, follow_job, send_files


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
