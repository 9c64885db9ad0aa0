"""BibTeX → what it says of papers, and the papers of a request, where some files are bibliographies that
describe the others."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final

from bibtexparser.entrypoint import parse_string
from bibtexparser.middlewares import LatexDecodingMiddleware

from provgraph.documents.bibliography import Bibliography
from provgraph.documents.readers.text import one_line
from provgraph.errors import NotFound, ProvGraphError, TooLarge, UnreadableDocument
from provgraph.ingestion.planning import LostFile, SourceFile

MOST_CHARACTERS: Final = 5_000_000
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_YEAR: Final = re.compile(r"\b(1[5-9]\d\d|20\d\d)\b")
_DOI: Final = re.compile(r"10\.\d{4,9}/\S+")
_ARXIV: Final = re.compile(
    r"(?:arxiv:|arxiv\.org/(?:abs|pdf)/)?((?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v\d+)?)",
    re.IGNORECASE,
)
_FILE: Final = re.compile(r"[^:;]+\.pdf", re.IGNORECASE)


@dataclass(frozen=True)
class BibliographyEntry:
    """`files` are the names of files that the entry has, without folders; `id` is an IRI, or empty."""

    key: str
    title: str
    id: str
    files: tuple[str, ...]
    described: Bibliography


@dataclass(frozen=True)
class BibliographyFile:
    """`faults` say which parts of the file could not be read."""

    entries: tuple[BibliographyEntry, ...]
    faults: tuple[str, ...]


def read_bibtex(content: bytes, name: str) -> BibliographyFile:
    """Raises `TooLarge`, and `UnreadableDocument` for a file in which there is no entry."""
    text = content.decode("utf-8-sig", "replace")
    if len(text) > MOST_CHARACTERS:
        raise TooLarge(
            f"{name} has {len(text):,} characters, and the limit is {MOST_CHARACTERS:,}. Split it."
        )
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # what fails is told below
    library = parse_string(text, append_middleware=[LatexDecodingMiddleware()])
    faults = tuple(
        f"{name}, line {(block.start_line or 0) + 1}: {_fault(block)}" for block in library.failed_blocks
    )
    entries = tuple(
        _entry(entry.key, {key.casefold(): str(field.value) for key, field in entry.fields_dict.items()})
        for entry in library.entries
    )
    if not entries and not faults:
        raise UnreadableDocument(f"{name} holds no BibTeX entry. Export the entries as BibTeX.")
    return BibliographyFile(entries, faults)


def _entry(key: str, said: Mapping[str, str]) -> BibliographyEntry:
    doi, arxiv = _found(_DOI, said.get("doi", "")), _arxiv(said)
    identifiers = [f"doi:{doi}"] if doi else []
    identifiers += [f"arXiv:{arxiv}"] if arxiv else []
    iri = f"https://doi.org/{doi}" if doi else f"https://arxiv.org/abs/{_unversioned(arxiv)}" if arxiv else ""
    return BibliographyEntry(
        key=key,
        title=one_line(_plain(said.get("title", ""))),
        id=iri,
        files=tuple(_files(said.get("file", ""))),
        described=Bibliography(
            creators=tuple(_names(said.get("author", ""))),
            date=_date(said),
            identifiers=tuple(identifiers),
            abstract=one_line(_plain(said.get("abstract", ""))),
            source=one_line(said.get("url", "")),
        ),
    )


def _arxiv(said: Mapping[str, str]) -> str:
    """An arXiv id: of the entry itself, or in its address."""
    if said.get("archiveprefix", said.get("eprinttype", "")).casefold() in ("arxiv", "") and (
        match := _ARXIV.fullmatch(said.get("eprint", "").strip())
    ):
        return match[1]
    address = said.get("url", "")
    match = _ARXIV.search(address) if "arxiv.org/" in address.casefold() else None
    return match[1] if match else ""


def _unversioned(arxiv: str) -> str:
    return re.sub(r"v\d+\Z", "", arxiv)


def _found(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match[0].rstrip(".,;") if match else ""


def _files(said: str) -> Iterable[str]:
    """JabRef writes description:path:type, Zotero paths between semicolons; two backslashes are decoded as a line."""
    for found in _FILE.findall(said):
        yield re.split(r"[/\\\n]", found)[-1].strip()


def _names(said: str) -> Iterable[str]:
    """ "Shen, Zejiang and Zhang, Ruochen" → Zejiang Shen, Ruochen Zhang."""
    for name in re.split(r"\s+and\s+", _plain(said).strip()):
        last, comma, first = name.partition(",")
        if names := one_line(f"{first} {last}" if comma else name).strip():
            yield names


def _date(said: Mapping[str, str]) -> str:
    if match := re.match(r"\d{4}(?:-\d\d){0,2}\Z", said.get("date", "").strip()):
        return match[0]
    year = _YEAR.search(said.get("year", "") or said.get("date", ""))
    month = said.get("month", "").strip().casefold()[:3]
    if year and month in _MONTHS:
        return f"{year[1]}-{_MONTHS.index(month) + 1:02d}"
    return year[1] if year else ""


def _plain(said: str) -> str:
    """Without the braces that keep capitals."""
    return said.replace("{", "").replace("}", "")


def _fault(block: object) -> str:
    """What a block is that cannot be read, in one line."""
    error = getattr(block, "error", None)
    return one_line(str(error or type(block).__name__))[:200] + " Correct it there."


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
            file = next((papers[name] for name in _file_names(entry) if name in papers), None)
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
        file = read_bibtex(bibliography.content, bibliography.name)
    except ProvGraphError as error:
        return [LostFile(bibliography.name, error)]
    faults = [
        LostFile(f"{bibliography.name} ({number})", UnreadableDocument(fault))
        for number, fault in enumerate(file.faults, 1)
    ]
    return [*file.entries, *faults]


def _file_names(entry: BibliographyEntry) -> Iterator[str]:
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
