"""Papers that a client gives as files, some of them bibliographies that describe the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from provgraph.errors import NotFound, ProvGraphError, UnreadableDocument
from provgraph.ingestion.papers.bibtex import BibliographyEntry, read_bibtex
from provgraph.ingestion.planning import LostFile, SourceFile


def given_papers(files: Sequence[SourceFile]) -> Iterator[SourceFile | LostFile]:
    """Each paper with what a bibliography says of it; what a bibliography lists and nobody gave, by its abstract.

    What is in no bibliography comes as it is. What cannot be had is told in its place.
    """
    bibliographies = [file for file in files if file.name.casefold().endswith(".bib")]
    papers = {PurePosixPath(file.name).name: file for file in files if file not in bibliographies}
    described: set[str] = set()
    for bibliography in bibliographies:
        for entry in _entries(bibliography):
            if isinstance(entry, LostFile):
                yield entry
                continue
            file = next((papers[name] for name in _names(entry) if name in papers), None)
            if file:
                described.add(PurePosixPath(file.name).name)
                yield replace(
                    file,
                    title=entry.title or file.title,
                    id=entry.id or file.id,
                    described=replace(entry.described, source=entry.described.source or file.name),
                )
            else:
                yield _abstract(entry)
    yield from (file for name, file in papers.items() if name not in described)


def abstract_file(name: str, title: str, entry: SourceFile) -> SourceFile:
    """The abstract of a paper as a document, where its own file is not to be had."""
    text = f"{title}\n\n{entry.described.abstract}\n"
    return replace(entry, name=name, content=text.encode(), media_type="text/plain", title=title)


def _entries(bibliography: SourceFile) -> Iterable[BibliographyEntry | LostFile]:
    try:
        found = read_bibtex(bibliography.content, bibliography.name)
    except ProvGraphError as error:
        return [LostFile(bibliography.name, error)]
    faults = [
        LostFile(f"{bibliography.name} ({number})", UnreadableDocument(fault))
        for number, fault in enumerate(found.faults, 1)
    ]
    return [*found.entries, *faults]


def _names(entry: BibliographyEntry) -> Iterator[str]:
    """What the file of an entry may be called: as the entry says, else by its key."""
    yield from entry.files
    yield f"{PurePosixPath(entry.key).name}.pdf"


def _abstract(entry: BibliographyEntry) -> SourceFile | LostFile:
    title = entry.title or entry.key
    if not entry.described.abstract:
        wanted = f"no file {entry.files[0]} was given" if entry.files else "it names no file"
        lost = NotFound(
            f"“{title}” is in the bibliography, but {wanted} and it has no abstract. Put its PDF beside the "
            f"bibliography as {PurePosixPath(entry.key).name}.pdf."
        )
        return LostFile(entry.key, lost, title, entry.described.source)
    bare = SourceFile(entry.key, b"", "", title, entry.id or entry.key, entry.described)
    return abstract_file(f"{entry.key}.txt", title, bare)
