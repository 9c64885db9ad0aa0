"""How far an ingest is: a bar on a terminal, nothing where stderr is no terminal."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Self

from tqdm import tqdm


class ChunkProgress:
    """One bar over all files: chunks written, of those found so far."""

    def __init__(self) -> None:
        quiet = not sys.stderr.isatty()
        self._bar = tqdm(unit=" chunks", disable=quiet, leave=False, dynamic_ncols=True, total=0)
        self._done_before = self._total_before = 0
        self._file = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.close()

    def show(self, file: str, done: int, total: int) -> None:
        """Of the chunks of `file` found so far, `done` are written."""
        if file != self._file:
            self._file = file
            self._done_before, self._total_before = int(self._bar.n), int(self._bar.total or 0)
        self._bar.set_description_str(file[:30], refresh=False)
        self._bar.total = self._total_before + total
        self._bar.n = self._done_before + done
        self._bar.refresh()
