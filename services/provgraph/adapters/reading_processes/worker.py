"""The child process: reads one file after another, as the frames on its input say, and ends with its input.

It must start quickly: what reads PDFs is imported with the first PDF. Whatever goes wrong with a file, foreseen or not,
is told of that file.
"""

from __future__ import annotations

import logging
import os
import resource
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

from provgraph.adapters.child_frames import encoded, read_frame
from provgraph.adapters.reading_processes import frames
from provgraph.adapters.tesseract import SECONDS, TesseractRecogniser
from provgraph.documents.document import OpenDocument, Page
from provgraph.documents.reading import open_documents
from provgraph.errors import ProvGraphError, TooLarge, UnreadableDocument
from provgraph.ports.text_recogniser import RecognisedText, RecogniserProfile, TextRecogniser

_PAGES_TOGETHER: Final = 64_000
"""Characters of pages that are sent in one frame, or a little more."""

_LATEST_S: Final = 0.1


class FrameWriter:
    """Frames on their way to the service: many together, none later than `_LATEST_S` where more come."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._flushed = time.monotonic()

    def send(self, header: dict[str, Any], body: bytes = b"", at_once: bool = False) -> None:
        self._stream.write(encoded(header, body))
        if at_once or time.monotonic() - self._flushed > _LATEST_S:
            self._stream.flush()
            self._flushed = time.monotonic()


@dataclass(frozen=True)
class _PatientRecogniser:
    """Lets the service know before each picture that it takes a while."""

    recogniser: TextRecogniser
    answers: FrameWriter

    def profile(self) -> RecogniserProfile:
        return self.recogniser.profile()

    def recognise(self, picture: bytes) -> RecognisedText:
        self.answers.send({frames.KIND: frames.WAIT, "seconds": SECONDS + 10}, at_once=True)
        return self.recogniser.recognise(picture)


def main() -> None:
    """`python -m …worker`: read what comes on standard input."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.nice(5)  # questions go first
    answers = FrameWriter(os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=_PAGES_TOGETHER))
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    tasks = sys.stdin.buffer
    while (task := read_frame(tasks)) is not None:
        content = tasks.read(task["size"])
        _limit(task["memory"], task["cpu_s"])
        try:
            _read(task, content, answers)
        except MemoryError:
            message = (
                f"{task['name']} needs more memory to be read than it may have. Split it into smaller files."
            )
            answers.send({**frames.error_to_json(TooLarge(message)), frames.LAST: True}, at_once=True)
            os._exit(1)  # another child begins with all of its memory


def _limit(memory: int, cpu_s: float) -> None:
    """What is left for the next file. RLIMIT_DATA counts what is written to, and no arenas that are only reserved."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    spent = used.ru_utime + used.ru_stime
    resource.setrlimit(resource.RLIMIT_DATA, (memory, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CPU, (int(spent + cpu_s) + 1, resource.RLIM_INFINITY))


def _read(task: dict[str, Any], content: bytes, answers: FrameWriter) -> None:
    recogniser = (
        _PatientRecogniser(TesseractRecogniser(tuple(task["languages"])), answers)
        if task["languages"]
        else None
    )
    documents = open_documents(content, task["name"], task["media_type"], recogniser)
    try:
        for document in _each(documents, task["name"]):
            own = b"" if document.content is content else document.content
            header = {frames.KIND: frames.DOCUMENT, "header": frames.header_to_json(document.header)}
            answers.send({**header, "is_file": not own, "size": len(own)}, own)
            _send_pages(document, task["name"], answers)
    except ProvGraphError as error:
        answers.send(frames.error_to_json(error))
    answers.send({frames.KIND: frames.FILE_ENDS}, at_once=True)


def _each(documents: Iterator[OpenDocument], name: str) -> Iterator[OpenDocument]:
    while True:
        with _Foreseen(name):
            document = next(documents, None)
        if document is None:
            return
        yield document


def _send_pages(document: OpenDocument, name: str, answers: FrameWriter) -> None:
    try:
        with _Foreseen(name):
            for pages in _together(document.pages()):
                answers.send({frames.KIND: frames.PAGES, "pages": frames.pages_to_json(pages)})
    except ProvGraphError as error:
        answers.send(frames.error_to_json(error))
    else:
        answers.send({frames.KIND: frames.DOCUMENT_ENDS})


def _together(pages: Iterator[Page]) -> Iterator[list[Page]]:
    waiting: list[Page] = []
    size = 0
    for page in pages:
        waiting.append(page)
        size += len(page.text) + 100
        if size >= _PAGES_TOGETHER:
            yield waiting
            waiting, size = [], 0
    if waiting:
        yield waiting


class _Foreseen:
    """What nobody foresaw becomes an error of this file; its traceback goes to the log."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        return

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, Exception) and not isinstance(
            error, ProvGraphError | MemoryError | BrokenPipeError
        ):
            logging.getLogger(__name__).error("a file cannot be read", exc_info=error)
            raise UnreadableDocument(
                f"{self._name} is damaged in a way that its reader does not know ({type(error).__name__}). "
                "Make or download it again, or save it in another format."
            ) from error


if __name__ == "__main__":
    main()
