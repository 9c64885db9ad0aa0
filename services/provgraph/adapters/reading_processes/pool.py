"""Files → open documents by way of children: a few, kept warm, each with one file at a time."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from provgraph.adapters.child_memory import ChildMemory, CountedChild
from provgraph.adapters.reading_processes import frames
from provgraph.adapters.reading_processes.child import Child, ChildDied, FrameTooLarge
from provgraph.documents.document import Header, OpenDocument, Page
from provgraph.errors import ProvGraphError, TooLarge, Unavailable, UnreadableDocument

_FILES_PER_CHILD: Final = 500
"""Then another one takes its place: what libraries leak goes with it."""

_LARGE_BYTES: Final = 1_000_000
"""A child that read so large a file ends with it: it would keep some 40 MB that nobody uses, and another starts in a
fifth of the time."""

_DEATHS: Final = 2
"""A child may die of somebody else's doing, such as a machine without memory: the file is tried once more, and then
refused."""

_LOOK_S: Final = 0.1

_SMALL_BYTES: Final = 200_000
_LEAST_MEMORY: Final = 128_000_000

_FRAME: Final = 20_000_000
"""Bytes that a frame may have beyond its text: layouts, escapes."""


@dataclass(frozen=True)
class ReadingLimits:
    """`processes` at once. `step_s` is what a page or record may take; a file in all `file_s`, and a second more for
    each 100 kB. `memory` bytes for all processes together, of which each has the most of `own_memory`, and four times
    the files'; `output` bytes, and sixteen times the file's."""

    processes: int = 2
    step_s: float = 30.0
    file_s: float = 300.0
    memory: int = 384_000_000
    output: int = 4_000_000

    @property
    def own_memory(self) -> int:
        """What one process cannot have more of, whatever the others have. All together are looked after from outside,
        some times a second: what each has of itself bounds what several take before somebody looks."""
        return self.memory if self.processes == 1 else max(_LEAST_MEMORY, self.memory * 3 // 4)


class ReadingProcesses:
    """`DocumentReader` that reads in children; pictures of text in `languages`, or not at all where there are none."""

    def __init__(self, limits: ReadingLimits = ReadingLimits(), languages: tuple[str, ...] = ()) -> None:
        self.limits = limits
        self.languages = languages
        self.memory = ChildMemory(limits.memory)
        self._warm: list[Child] = []
        self._places = threading.BoundedSemaphore(limits.processes)
        self._small_place = threading.BoundedSemaphore(1)
        self._changing = threading.Lock()
        weakref.finalize(self, _end, self._warm)  # whoever forgets to close it leaves no children behind

    @property
    def files_at_once(self) -> int:
        return self.limits.processes

    def read(self, content: bytes, name: str, media_type: str = "") -> FileInChild:
        return FileInChild(self, content, name, media_type)

    def close(self) -> None:
        with self._changing:
            _end(self._warm)

    @contextmanager
    def child(self, reading: FileInChild) -> Iterator[Child]:
        """A child for one file; one that did not come to its end is replaced."""
        place = self._place(reading)
        child = None
        try:
            with self._changing:
                child = self._warm.pop() if self._warm else None
            child = child or Child()
            yield child
            small = len(reading.content) < _LARGE_BYTES
            if reading.done and small and child.files < _FILES_PER_CHILD:
                with self._changing:
                    self._warm.append(child)
                child = None
        finally:
            if child:
                child.release()
            place.release()

    def _place(self, reading: FileInChild) -> threading.Semaphore:
        """A small file has a place besides, so that it need not wait where others are read for minutes."""
        while True:
            if self._places.acquire(timeout=_LOOK_S):
                return self._places
            if len(reading.content) <= _SMALL_BYTES and self._small_place.acquire(blocking=False):
                return self._small_place
            reading.go_on()


def _end(children: list[Child]) -> None:
    while children:
        children.pop().release()


@dataclass
class FileInChild:
    """One file on its way through a child. `documents` is iterated over in a thread; another one may `stop` it."""

    pool: ReadingProcesses
    content: bytes
    name: str
    media_type: str
    done: bool = False
    is_over: bool = False
    """Whether nothing more is to be had of the file, which was too much for the child or for the service."""

    _child: Child | None = None
    _counted: CountedChild | None = None
    _stopped: bool = False
    _waited_s: float = 0.0
    _granted_s: float = 0.0
    _came: int = 0

    def stop(self) -> None:
        self._stopped = True
        if self._child and not self.done:
            self._child.end()

    def go_on(self) -> None:
        """Raises `Unavailable` when the reading was stopped."""
        if self._stopped:
            raise Unavailable("The ingest was ended before the file was read. Ingest it again.")

    def documents(self) -> Iterator[OpenDocument]:
        """Raises as `open_documents` does, and `TooLarge` or `UnreadableDocument` where the child reached a limit."""
        for _ in range(_DEATHS):
            with self.pool.child(self) as child, self._counting(child):
                try:
                    self._begin(child)
                    first = self._frame()
                except ChildDied as death:
                    self.go_on()
                    if death.was_of_its_limits:
                        raise self._killed(death) from death
                    continue
                yield from self._documents(first)
                return
        raise (
            self._much_memory()
            if self._was_largest
            else UnreadableDocument(
                f"{self.name} crashed its reader twice. It is damaged or malicious. Save it again from its source."
            )
        )

    @contextmanager
    def _counting(self, child: Child) -> Iterator[None]:
        with self.pool.memory.counted(child.id, 4 * len(self.content)) as self._counted:
            yield

    @property
    def _was_largest(self) -> bool:
        return bool(self._counted and self._counted.is_ended)

    def next_frame(self) -> tuple[dict[str, Any], bytes]:
        """Raises `UnreadableDocument` when the child died, and as `_frame` does."""
        try:
            return self._frame()
        except ChildDied as death:
            self.go_on()
            raise self._killed(death) from death

    def _begin(self, child: Child) -> None:
        limits, size = self.pool.limits, len(self.content)
        self._child = child
        self.go_on()
        child.give(
            {
                "name": self.name,
                "media_type": self.media_type,
                "size": size,
                "languages": self.pool.languages,
                "memory": limits.own_memory + 4 * size,
                "cpu_s": self._most_s,
            },
            self.content,
        )

    @property
    def _most_s(self) -> float:
        return self.pool.limits.file_s + len(self.content) / 100_000

    def _documents(self, frame: tuple[dict[str, Any], bytes]) -> Iterator[OpenDocument]:
        told, body = frame
        while told[frames.KIND] != frames.FILE_ENDS:
            if told[frames.KIND] == frames.FAILED:
                self.done = not self.is_over and self.next_frame()[0][frames.KIND] == frames.FILE_ENDS
                raise frames.error_from_json(told)
            document = ChildDocument(
                frames.header_from_json(told["header"]), self.content if told["is_file"] else body, self
            )
            yield document
            document.skip()
            if self.is_over:
                return
            told, body = self.next_frame()
        self.done = True

    def _frame(self) -> tuple[dict[str, Any], bytes]:
        """Raises `ChildDied`, `UnreadableDocument` for what takes too long, `TooLarge` for what grows too far."""
        assert self._child
        limits, waits_s = self.pool.limits, 0.0
        while True:
            began = time.monotonic()
            left = min(max(limits.step_s, waits_s), self._most_s + self._granted_s - self._waited_s)
            try:
                told, body = self._child.frame(max(left, 0.0), self._most + _FRAME)
            except TimeoutError as error:
                self.go_on()
                self.is_over = True
                raise self._late() from error
            except FrameTooLarge as error:
                raise self._too_long() from error
            self._waited_s += time.monotonic() - began
            if told[frames.KIND] != frames.WAIT:
                break
            waits_s = float(told["seconds"])
            self._granted_s += waits_s
        self.is_over = told.get(frames.LAST, False)
        self._came += len(body) + sum(len(page[1]) for page in told.get("pages", ()))
        if self._came > self._most:
            raise self._too_long()
        return told, body

    @property
    def _most(self) -> int:
        """Bytes and characters that may come of the file."""
        return self.pool.limits.output + 16 * len(self.content)

    def _too_long(self) -> TooLarge:
        self.is_over = True
        return TooLarge(f"{self.name} decompresses to more than {self._most / 1e6:.1f} MB of text. Split it.")

    def _late(self) -> ProvGraphError:
        return UnreadableDocument(
            f"{self.name} takes too long to be read, and was given up. Print it to a new file, or give its text."
        )

    def _killed(self, death: ChildDied) -> ProvGraphError:
        if death.was_of_its_limits or self._was_largest:
            return self._much_memory()
        return UnreadableDocument(
            f"{self.name} ended the process that read it (status {death.status}). It is damaged: make it again."
        )

    def _much_memory(self) -> ProvGraphError:
        return UnreadableDocument(
            f"{self.name} needs more memory or time to be read than it may have. Split it into smaller files."
        )


@dataclass
class ChildDocument:
    """A document whose pages come from a child."""

    header: Header
    content: bytes
    reading: FileInChild
    ended: bool = False

    def pages(self) -> Iterator[Page]:
        while not self.ended:
            told, _ = self.reading.next_frame()
            if told[frames.KIND] == frames.PAGES:
                yield from map(frames.page_from_json, told["pages"])
                continue
            self.ended = True
            if told[frames.KIND] == frames.FAILED:
                raise frames.error_from_json(told)

    def skip(self) -> None:
        """Leave the pages unread that nobody asked for."""
        while not self.ended and not self.reading.is_over:
            told, _ = self.reading.next_frame()
            self.ended = told[frames.KIND] in (frames.DOCUMENT_ENDS, frames.FAILED)
