"""Files → jobs of a service: sent several together, so that they are read side by side, and followed to their end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx2

from provgraph.cli.connection import Service, ServiceProblem
from provgraph.cli.metadata import NOTHING_GIVEN, GivenMetadata
from provgraph.cli.progress import ChunkProgress
from provgraph.cli.terminal import harmless
from provgraph.errors import InvalidInput

ROUTE: Final = "/api/v1/documents"
GROUP_BYTES: Final = 16_000_000
GROUP_FILES: Final = 20
RECORDS: Final = frozenset({".json", ".jsonl"})
"""Two of them may have records of one id, of which the later is the newer: each is a job of its own."""

Fields = Mapping[str, str | list[str]]
Job = dict[str, Any]


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
    with ChunkProgress(len(every)) as progress:
        sender = _Sender(service, fields, ontology, given, progress)
        for group in sent_together(every):
            yield from sender.jobs(group)
            progress.files_done += len(group)


def sent_together(files: Sequence[Path]) -> Iterator[list[Path]]:
    """The files in their order, in groups of which a service takes each at once."""
    group: list[Path] = []
    size = 0
    for file in files:
        own = file.stat().st_size if file.is_file() else 0
        alone = file.suffix.casefold() in RECORDS or not file.is_file()
        if group and (alone or size + own > GROUP_BYTES or len(group) == GROUP_FILES):
            yield group
            group, size = [], 0
        group.append(file)
        size += own
        if alone:
            yield group
            group, size = [], 0
    if group:
        yield group


@dataclass(frozen=True)
class _Sender:
    service: Service
    fields: Fields
    ontology: tuple[str, bytes] | None
    given: GivenMetadata
    progress: ChunkProgress

    def jobs(self, group: Sequence[Path]) -> Iterator[Job]:
        """The finished jobs of the files; those that a service does not take together are sent one by one."""
        contents: list[tuple[Path, bytes, str]] = []
        for file in group:
            try:
                contents.append((file, _content(file), self.given.of(file)))
            except InvalidInput as problem:
                yield _refused(file, str(problem))
        if not contents:
            return
        try:
            job = self._sent(contents)
        except ServiceProblem as problem:
            if len(contents) == 1:
                yield _refused(contents[0][0], str(problem))
                return
            for each in contents:
                yield from self.jobs([each[0]])
            return
        name = harmless(contents[0][0].name)
        yield from followed(self.service, job, name, self.progress)

    def _sent(self, contents: Sequence[tuple[Path, bytes, str]]) -> Job:
        files = [(harmless(file.name), content) for file, content, _ in contents]
        metadata = [given for _, _, given in contents]
        fields = {**self.fields, "metadata": metadata if any(metadata) else ""}
        job: Job = self.service.upload_all(ROUTE, files, fields, self.ontology)
        return job


def followed(service: Service, job: Job, name: str, progress: ChunkProgress) -> Iterator[Job]:
    """The finished job. Ctrl-C ends the job in the service too: a model that nobody waits for costs money."""
    path = f"/api/v1/jobs/{job['id']}"
    obstacle = ""
    try:
        for event, state in service.events("GET", path):
            progress.show_job(name, state)
            if (waits := state.get("waits_for")) and waits["detail"] != obstacle:
                obstacle = waits["detail"]
                progress.remark(f"{name} waits. {obstacle}")
            if event == "job":
                yield state
    except KeyboardInterrupt:
        with suppress(ServiceProblem, httpx2.TransportError):
            service.json("DELETE", path)
        raise


def _content(file: Path) -> bytes:
    """Raises `InvalidInput` for what cannot be read."""
    if not file.is_file():
        raise InvalidInput(f"{file} is a pipe or a device. Write what it gives to a file first.")
    try:
        return file.read_bytes()
    except OSError as error:
        raise InvalidInput(f"{file} cannot be read: {error.strerror}. Check its permissions.") from error


def _refused(file: Path, detail: str) -> Job:
    return {
        "state": "failed",
        "documents": [],
        "refused": [{"name": str(file), "problem": {"detail": detail}}],
    }
