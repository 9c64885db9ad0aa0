"""How far long work is: a bar on a terminal, nothing where stderr is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Self

from tqdm import tqdm

from provgraph.cli.terminal import say
from provgraph.errors import Unavailable


class StepProgress:
    """One bar of steps, of which both the number done and the number known may grow."""

    unit = " steps"

    def __init__(self) -> None:
        quiet = not sys.stderr.isatty()
        self._bar = tqdm(unit=self.unit, disable=quiet, leave=False, dynamic_ncols=True, total=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.close()

    def show(self, doing: str, done: int, total: int) -> None:
        self._bar.set_description_str(doing[:30], refresh=False)
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
        raise Unavailable(
            "The service broke the work off before its end, perhaps because it was stopped. Try again."
        )
    return told


class BuildProgress(StepProgress):
    """One bar over a build: chunks written, of those found so far in all its files."""

    unit = " chunks"


class ChunkProgress(StepProgress):
    """One bar over all files: chunks written, of those found so far."""

    unit = " chunks"

    def __init__(self) -> None:
        super().__init__()
        self._file = ""
        self._done = self._total = 0
        self._done_before = self._total_before = 0

    def show(self, doing: str, done: int, total: int) -> None:
        """Of the chunks of the file `doing` found so far, `done` are written."""
        if doing != self._file:
            self._file = doing
            self._done_before, self._total_before = self._done, self._total
        self._done, self._total = self._done_before + done, self._total_before + total
        super().show(doing, self._done, self._total)
