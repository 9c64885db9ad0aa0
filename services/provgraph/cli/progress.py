"""How far long work is: a bar on a terminal, nothing where stderr is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Final, Self

from tqdm import tqdm

from provgraph.cli.terminal import is_quiet, say
from provgraph.errors import Unavailable

_NAME_SHOWN: Final = 30
_SHOWN: Final = 70


class StepProgress:
    """One bar of steps, of which both the number done and the number known may grow."""

    unit = " steps"

    def __init__(self) -> None:
        quiet = is_quiet() or not sys.stderr.isatty()
        self._bar = tqdm(unit=self.unit, disable=quiet, leave=False, dynamic_ncols=True, total=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.close()

    def show(self, doing: str, done: int, total: int) -> None:
        self._bar.set_description_str(doing[:_SHOWN], refresh=False)
        self._bar.total = total
        self._bar.n = done
        self._bar.refresh()

    def remark(self, words: str) -> None:
        """A line that stays, above the bar."""
        self._bar.clear()
        say(words, err=True)
        self._bar.refresh()


def awaited(
    events: Iterable[tuple[str, dict[str, Any]]], end: str, doing: str = "doing"
) -> list[dict[str, Any]]:
    """What long work tells beside its progress, which a bar shows; `doing` names the field that says what is done.

    The last of it is the event named `end`. Raises `Unavailable` where the work is broken off before.
    """
    told = []
    name = ""
    with StepProgress() as progress:
        for name, message in events:
            if name == "progress":
                progress.show(message[doing], message["done"], message["total"])
            else:
                told.append(message)
    if name != end:
        raise Unavailable("The service stopped before the work was complete. Try again.")
    return told


class BuildProgress(StepProgress):
    """One bar over a build: chunks written, of those found so far in all its files."""

    unit = " chunks"


class ChunkProgress(StepProgress):
    """One bar over all `files`: chunks written, of those found so far, and the file and page at hand."""

    unit = " chunks"

    def __init__(self, files: int = 1) -> None:
        super().__init__()
        self.files = files
        self.files_done = 0
        self._done_before = self._total_before = 0
        self._job = ""
        self._seen: dict[str, None] = {}

    def show_job(self, name: str, job: dict[str, Any]) -> None:
        """A job as it stands; `name` is what it is called before its first file is told."""
        if job["id"] != self._job:
            self._job, self._seen = job["id"], {}
            self._done_before, self._total_before = int(self._bar.n), int(self._bar.total or 0)
        file = job.get("file") or name
        self._seen[file] = None
        self.show(
            place_of(
                file,
                (self.files_done + len(self._seen), self.files),
                (job.get("page", 0), job.get("pages", 0)),
            ),
            self._done_before + job["chunks_done"],
            self._total_before + job["chunks_total"],
        )


def place_of(file: str, number: tuple[int, int], page: tuple[int, int]) -> str:
    """Where an ingest is: `report.pdf, file 2 of 4, page 31 of 190`; what is one of one is not told."""
    parts = [file if len(file) <= _NAME_SHOWN else f"{file[: _NAME_SHOWN - 1]}…"]
    if number[1] > 1:
        parts.append(f"file {min(number):,} of {number[1]:,}")
    if page[1] > 1:
        parts.append(f"page {page[0]:,} of {page[1]:,}")
    return ", ".join(parts)
