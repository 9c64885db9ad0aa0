"""Who reads files: in this process, or in one that may be killed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import Event
from typing import Protocol

from provgraph.documents.document import OpenDocument
from provgraph.documents.reading import open_documents
from provgraph.errors import Unavailable
from provgraph.ports.text_recogniser import RecognisedText, RecogniserProfile, TextRecogniser


class FileReading(Protocol):
    """One file that is being read, in whatever thread iterates over `documents`."""

    def documents(self) -> Iterator[OpenDocument]:
        """As `open_documents`; the pages of each have to be read before the next one."""
        ...

    def stop(self) -> None:
        """Read nothing more, whoever is waiting for it; called from another thread, and at the end in any case."""
        ...


class DocumentReader(Protocol):
    """Implemented by `ReadsHere` and by `adapters.reading_processes.pool.ReadingProcesses`."""

    @property
    def files_at_once(self) -> int:
        """How many files it reads faster together than one after another."""
        ...

    def read(self, content: bytes, name: str, media_type: str = "") -> FileReading: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class ReadsHere:
    """Reads in the calling thread: for files that are trusted, such as those of the demonstration, and for tests."""

    recogniser: TextRecogniser | None = None

    @property
    def files_at_once(self) -> int:
        """One interpreter reads one after another."""
        return 1

    def read(self, content: bytes, name: str, media_type: str = "") -> FileReading:
        recogniser = _StoppableRecogniser(self.recogniser) if self.recogniser else None
        return _HereReading(content, name, media_type, recogniser)

    def close(self) -> None:
        """Nothing is held."""


@dataclass(frozen=True)
class _HereReading:
    content: bytes
    name: str
    media_type: str
    recogniser: _StoppableRecogniser | None

    def documents(self) -> Iterator[OpenDocument]:
        return open_documents(self.content, self.name, self.media_type, self.recogniser)

    def stop(self) -> None:
        if self.recogniser:
            self.recogniser.stopped.set()


@dataclass(frozen=True)
class _StoppableRecogniser:
    """Reads no further picture once its ingest is over: nothing else ends the thread in which a long scan is read."""

    recogniser: TextRecogniser
    stopped: Event = field(default_factory=Event)

    def profile(self) -> RecogniserProfile:
        return self.recogniser.profile()

    def recognise(self, picture: bytes) -> RecognisedText:
        if self.stopped.is_set():
            raise Unavailable("The ingest was ended before this page was read. Ingest the file again.")
        return self.recogniser.recognise(picture)
