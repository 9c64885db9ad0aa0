"""What `provgraph check-answer` reads: a text and its sources, from files of any kind that an ingest reads."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from provgraph.cli.files import decoded
from provgraph.errors import NotFound, UnreadableDocument

if TYPE_CHECKING:  # slow to import, and --help needs none
    from provgraph.documents.document import OpenDocument
    from provgraph.documents.document_reader import DocumentReader
    from provgraph.settings import Settings

PLAIN: Final = frozenset(("", ".txt", ".md", ".markdown", ".text"))
"""Files of an answer that are read as they are: their marks are its citations."""
BETWEEN_PAGES: Final = "\n\n"


@dataclass(frozen=True)
class FileSource:
    """A document as one text; `pages` are the characters where its pages begin."""

    id: str
    title: str
    text: str
    pages: tuple[int, ...] = (0,)

    def page_number(self, start: int) -> int:
        """The page of a character, from 1."""
        return bisect_right(self.pages, start)

    def on_page(self, start: int) -> int:
        """The character of its page that a character of the text is."""
        return start - self.pages[self.page_number(start) - 1]


def read_answer(given: str, settings: Settings) -> str:
    """The text of a file, of stdin for "-", or what was given itself. Raises `NotFound` and `UnreadableDocument`."""
    if given == "-":
        return decoded(sys.stdin.buffer.read(), "The text")
    if not _is_file(given):
        return given
    path = Path(given)
    if path.suffix.casefold() in PLAIN:
        return decoded(_content(path), given)
    return "\n\n".join(source.text for source in read_sources([path], settings))


def read_sources(paths: Iterable[Path], settings: Settings) -> list[FileSource]:
    """The documents in files and folders, each named by its file. Raises `NotFound` and `UnreadableDocument`."""
    if not (files := list(_files(paths))):
        return []
    from provgraph.assembly.reading import document_reader  # time that other commands can save

    with closing(document_reader(settings)) as reader:
        return [source for path in files for source in _sources(path, reader)]


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(each for each in path.rglob("*") if each.is_file() and _is_shown(each, path))
        elif path.exists():
            yield path
        else:
            raise NotFound(f"There is no file or folder {path}. Check the path.")


def _is_shown(file: Path, folder: Path) -> bool:
    return not any(part.startswith(".") for part in file.relative_to(folder).parts)


def _sources(path: Path, reader: DocumentReader) -> Iterator[FileSource]:
    reading = reader.read(_content(path), path.name)
    try:
        for number, document in enumerate(reading.documents(), 1):
            yield _source(str(path) if number == 1 else f"{path}#{number}", document)
    finally:
        reading.stop()


def _source(name: str, document: OpenDocument) -> FileSource:
    pages: list[int] = []
    texts: list[str] = []
    length = 0
    for page in document.pages():
        pages.append(length)
        texts.append(page.text)
        length += len(page.text) + len(BETWEEN_PAGES)
    return FileSource(name, document.header.title, BETWEEN_PAGES.join(texts), tuple(pages) or (0,))


def _is_file(given: str) -> bool:
    """Whether a text is the name of a file; a long text is none."""
    with suppress(OSError, ValueError):
        return Path(given).is_file()
    return False


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnreadableDocument(
            f"{path} cannot be read: {error.strerror}. Check its permissions."
        ) from error
