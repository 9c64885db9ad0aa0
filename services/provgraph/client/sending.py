"""Files → jobs of a service: sent several together, so that they are read side by side, and followed to their end."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import anyio
import httpx2

from provgraph.client.files import content_of, harmless
from provgraph.client.metadata import NOTHING_GIVEN, GivenMetadata
from provgraph.client.service import AsyncService, Call, Service, ServiceProblem
from provgraph.errors import InvalidInput

ROUTE: Final = "/api/v1/documents"
GROUP_BYTES: Final = 16_000_000
GROUP_FILES: Final = 20
RECORDS: Final = frozenset({".json", ".jsonl"})
"""Two of them may have records of one id, of which the later is the newer: each is a job of its own."""
_ENDED: Final = "job"
"""The event that ends the events of a job."""

Fields = Mapping[str, str | list[str]]
Job = dict[str, Any]


@dataclass(frozen=True)
class JobUpdate:
    """How far a job is: its state as the service tells it, before which so many files were done with.

    `name` is what it is called before its first file is told; one that has not `ended` goes on.
    """

    name: str
    job: Job
    ended: bool
    files_done: int


@dataclass(frozen=True)
class _File:
    path: Path
    content: bytes
    metadata: str


@dataclass(frozen=True)
class UploadForm:
    """What goes with all files, and what was `given` with each."""

    fields: Fields
    ontology: tuple[str, bytes] | None = None
    given: GivenMetadata = NOTHING_GIVEN

    def read(self, group: Sequence[Path]) -> tuple[list[_File], list[Job]]:
        """The files as they are sent, and a refused job for each that cannot be read."""
        files: list[_File] = []
        refused: list[Job] = []
        for path in group:
            try:
                files.append(_File(path, _content(path), self.given.of(path)))
            except InvalidInput as problem:
                refused.append(_refused(path, str(problem)))
        return files, refused

    def call(self, files: Sequence[_File]) -> Call[Job]:
        """The request that begins the job of these files."""
        metadata = [file.metadata for file in files]
        fields = {**self.fields, "metadata": metadata if any(metadata) else ""}
        parts = [("file", (harmless(file.path.name), file.content)) for file in files]
        parts += [("ontology", self.ontology)] if self.ontology else []
        return Call("POST", ROUTE, _job, {"data": fields, "files": parts})


def send_files(service: Service, files: Sequence[Path], form: UploadForm) -> Iterator[JobUpdate]:
    """Send files, several small ones together, and follow their jobs; the last update of each job is its end.

    Who stops listening ends the job in the service too: a model that nobody waits for costs money.
    """
    uploads = _Uploads(form, files)
    while part := uploads.next():
        try:
            job = service.reply(form.call(part))
        except ServiceProblem as problem:
            uploads.refuse(part, problem)
        else:
            for state, ended in follow_job(service, job):
                yield uploads.update(part, state, ended)
        yield from uploads.refusals()
    yield from uploads.refusals()


async def send_files_async(
    service: AsyncService, files: Sequence[Path], form: UploadForm
) -> AsyncGenerator[JobUpdate]:
    """The same, while a program does something else."""
    uploads = _Uploads(form, files)
    while part := uploads.next():
        try:
            job = await service.reply(form.call(part))
        except ServiceProblem as problem:
            uploads.refuse(part, problem)
        else:
            async with aclosing(follow_job_async(service, job)) as states:
                async for state, ended in states:
                    yield uploads.update(part, state, ended)
        for refusal in uploads.refusals():
            yield refusal
    for refusal in uploads.refusals():
        yield refusal


def follow_job(service: Service, job: Job) -> Iterator[tuple[Job, bool]]:
    """The states of a job, and whether each is its end. Whoever leaves before ends the job in the service too."""
    ended = False
    try:
        for event, state in service.events("GET", _job_path(job)):
            ended = event == _ENDED
            yield state, ended
    except (KeyboardInterrupt, GeneratorExit):
        if not ended:
            with suppress(ServiceProblem, httpx2.TransportError):
                service.reply(_cancellation(job))
        raise


async def follow_job_async(service: AsyncService, job: Job) -> AsyncGenerator[tuple[Job, bool]]:
    """The same, while a program does something else."""
    ended = False
    try:
        async with aclosing(service.events("GET", _job_path(job))) as events:
            async for event, state in events:
                ended = event == _ENDED
                yield state, ended
    except (anyio.get_cancelled_exc_class(), GeneratorExit):
        if not ended:
            with anyio.CancelScope(shield=True), suppress(ServiceProblem, httpx2.TransportError):
                await service.reply(_cancellation(job))
        raise


class _Uploads:
    """What is still to be sent, in groups; those that a service does not take together are sent one by one."""

    def __init__(self, form: UploadForm, files: Sequence[Path]) -> None:
        self._form = form
        self._groups = deque(sent_together(files))
        self._alone: deque[list[_File]] = deque()
        self._refused: list[Job] = []
        self._files_done = self._files_at_hand = 0

    def next(self) -> list[_File]:
        """The files of the next request; none at the end."""
        while not self._alone and self._groups:
            group = self._groups.popleft()
            self._files_done += self._files_at_hand
            self._files_at_hand = len(group)
            ready, refused = self._form.read(group)
            self._refused += refused
            if ready:
                return ready
        return self._alone.popleft() if self._alone else []

    def refuse(self, part: list[_File], problem: ServiceProblem) -> None:
        if len(part) > 1:
            self._alone.extend([file] for file in part)
        else:
            self._refused.append(_refused(part[0].path, str(problem)))

    def update(self, part: list[_File], job: Job, ended: bool) -> JobUpdate:
        return JobUpdate(harmless(part[0].path.name), job, ended, self._files_done)

    def refusals(self) -> Iterator[JobUpdate]:
        while self._refused:
            yield JobUpdate("", self._refused.pop(0), True, self._files_done)


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


def _job(response: httpx2.Response) -> Job:
    job: Job = response.json()
    return job


def _job_path(job: Job) -> str:
    return f"/api/v1/jobs/{job['id']}"


def _cancellation(job: Job) -> Call[None]:
    return Call("DELETE", _job_path(job), lambda _: None)


def _content(file: Path) -> bytes:
    """Raises `InvalidInput` for what cannot be read."""
    if not file.is_file():
        raise InvalidInput(f"{file} is a pipe or a device. Write what it gives to a file first.")
    return content_of(file)


def _refused(file: Path, detail: str) -> Job:
    return {
        "state": "failed",
        "documents": [],
        "refused": [{"name": str(file), "problem": {"detail": detail}}],
    }
