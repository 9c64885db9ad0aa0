"""Documents as a person names them, by id, file name or title; and a question narrowed to some documents of a
collection: by name, title, type, date, and what was given with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final
from urllib.parse import unquote

from provgraph.catalogue.documents import DocumentCatalogue, DocumentSummary
from provgraph.documents.readers.dates import iso_date
from provgraph.errors import Conflict, DocumentChoice, InvalidInput, NotFound
from provgraph.ports.quad_store import QuadStore
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import given_iri
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import RDF, TG
from provgraph.wire.document_filters import DocumentFilters

_MOST_LISTED: Final = 10


@dataclass(frozen=True)
class DocumentNames:
    """The names of one collection's documents."""

    store: QuadStore
    graphs: CollectionGraphs

    async def resolved(self, names: Sequence[str]) -> tuple[NamedNode, ...]:
        """The document of each name, each document once.

        Raises `NotFound` for a name that no document has, and `Conflict` for one that several have.
        """
        if not names:
            return ()
        catalogue = DocumentCatalogue(self.store, self.graphs)
        documents = await catalogue.documents()
        return tuple(dict.fromkeys(named(documents, name) for name in names))


def named(documents: Sequence[DocumentSummary], name: str) -> NamedNode:
    """The document of a name. Raises `NotFound` where none has it, and `Conflict` where several have."""
    iri = given_iri(name.strip())
    if any(document.iri == iri for document in documents):
        return iri
    wanted = plain(name)
    matches = [document.iri for document in documents if wanted in names_of_document(document)]
    if not matches:
        raise _unknown(documents, name)
    if len(matches) > 1:
        raise _ambiguous([document for document in documents if document.iri in matches], name)
    return matches[0]


async def named_document(catalogue: DocumentCatalogue, name: str) -> NamedNode:
    """The document of this id, else the one whose file or title has this name, in whatever case.

    What names no document is given back as an id, for the caller to say that there is none. Raises `Conflict` where
    several have the name, and lists them.
    """
    node = given_iri(name)
    marker = Quad(node, RDF.type, TG.Document, catalogue.graphs.source)
    if (await catalogue.store.contains([marker]))[0] or name.startswith("urn:"):
        return node
    matches = [
        document for document in await catalogue.documents() if plain(name) in names_of_document(document)
    ]
    if len(matches) > 1:
        raise _ambiguous(matches, name)
    return matches[0].iri if matches else node


def _unknown(documents: Sequence[DocumentSummary], name: str) -> NotFound:
    """With the documents whose names are most like this one."""
    by_name = {own: document for document in documents for own in names_of_document(document)}
    close = [by_name[own] for own in get_close_matches(plain(name), by_name, n=_MOST_LISTED, cutoff=0.6)]
    close += [
        document for document in documents if any(plain(name) in own for own in names_of_document(document))
    ]
    similar = list({summary.iri: summary for summary in close}.values())[:_MOST_LISTED]
    said = f"There is no document {name[:120]!r} in this collection, by id, file name or title."
    if not similar:
        return NotFound(f"{said} Look up the ids with 'provgraph documents'.")
    error = NotFound(f"{said} Is it one of these?\n{_lines(similar)}")
    error.choices = tuple(map(_choice, similar))
    return error


def _ambiguous(documents: Sequence[DocumentSummary], name: str) -> Conflict:
    more = f"\n  and {len(documents) - _MOST_LISTED} more" if len(documents) > _MOST_LISTED else ""
    error = Conflict(
        f"{len(documents)} documents are named {name[:120]!r}. Choose one by its id:\n{_lines(documents)}{more}"
    )
    error.choices = tuple(map(_choice, documents[:_MOST_LISTED]))
    return error


def _lines(documents: Sequence[DocumentSummary]) -> str:
    return "\n".join(
        f"  {document.iri.value}  {document.title} ({document.source})"
        for document in documents[:_MOST_LISTED]
    )


def _choice(document: DocumentSummary) -> DocumentChoice:
    return DocumentChoice(document.iri.value, document.title, document.source)


def names_of_document(document: DocumentSummary) -> set[str]:
    """Its title, and its file name with and without the folders before it and the ending behind."""
    files = [unquote(each.rstrip("/").rpartition("/")[2]) for each in (document.title, document.source)]
    stems = [file.rpartition(".")[0] for file in files]
    return {plain(name) for name in (document.title, document.source, *files, *stems)} - {""}


def plain(name: str) -> str:
    return " ".join(name.casefold().split())


_TYPES: Final = {
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ("docx", "word"),
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ("xlsx", "excel"),
    "text/markdown": ("md",),
    "text/plain": ("text", "txt"),
    "text/html": ("htm",),
    "application/json": ("jsonl",),
}
"""By media type, the names that its subtype does not tell."""


@dataclass(frozen=True)
class NarrowedDocuments:
    """`named` are those that were named; `others` are the documents that a question may not stand on."""

    named: tuple[NamedNode, ...] = ()
    others: tuple[NamedNode, ...] = ()


async def narrowed_documents(
    store: QuadStore, graphs: CollectionGraphs, filters: DocumentFilters
) -> NarrowedDocuments:
    """Raises `NotFound` for a name, or for conditions, that no document has, `Conflict` for a name that several
    have, and `InvalidInput` for what is no condition."""
    if not filters.narrowing:
        return NarrowedDocuments()
    documents = await DocumentCatalogue(store, graphs).documents()
    names = tuple(dict.fromkeys(named(documents, name) for name in filters.documents))
    kept = {document.iri for document in _meeting(documents, filters)}
    if names:
        kept &= set(names)
        if not kept:
            raise NotFound(
                "None of the named documents meets the other conditions. Leave out the names or the conditions."
            )
    return NarrowedDocuments(names, tuple(summary.iri for summary in documents if summary.iri not in kept))


@dataclass(frozen=True)
class _Condition:
    """`told` names it to a person, and `choices` are what documents have in its place."""

    told: str
    meets: Callable[[DocumentSummary], bool]
    choices: Callable[[Sequence[DocumentSummary]], Iterable[str]]


def _meeting(documents: Sequence[DocumentSummary], filters: DocumentFilters) -> list[DocumentSummary]:
    conditions = list(_conditions(filters))
    for condition in conditions:
        if not any(condition.meets(document) for document in documents):
            raise NotFound(f"No document has {condition.told}. {_choices(condition, documents)}")
    meeting = [summary for summary in documents if all(condition.meets(summary) for condition in conditions)]
    if conditions and not meeting:
        told = " and ".join(condition.told for condition in conditions)
        raise NotFound(f"No document has {told} together, though some have one of them. Leave one out.")
    return meeting


def _choices(condition: _Condition, documents: Sequence[DocumentSummary]) -> str:
    values = sorted(set(condition.choices(documents)))
    listed = "; ".join(values[:_MOST_LISTED])
    more = f"; and {len(values) - _MOST_LISTED} more" if len(values) > _MOST_LISTED else ""
    return f"Choose of what there is: {listed}{more}." if values else "Look at 'provgraph documents'."


def _conditions(filters: DocumentFilters) -> Iterator[_Condition]:
    if filters.titles:
        titles = [plain(title) for title in filters.titles]
        yield _Condition(
            f"{' or '.join(map(repr, filters.titles))} in its title",
            lambda document: any(title in plain(document.title) for title in titles),
            lambda documents: (document.title for document in documents),
        )
    if filters.types:
        types = {plain(name).lstrip(".") for name in filters.types}
        yield _Condition(
            f"the type {' or '.join(filters.types)}",
            lambda document: bool(types & type_names(document)),
            lambda documents: (document.media_type for document in documents),
        )
    if filters.since:
        since = _date(filters.since)
        yield _Condition(
            f"a date of {filters.since} or later",
            lambda document: bool(document.date) and _cut(document.date, since) >= _cut(since, document.date),
            _dates,
        )
    if filters.until:
        until = _date(filters.until)
        yield _Condition(
            f"a date of {filters.until} or earlier",
            lambda document: bool(document.date) and _cut(document.date, until) <= _cut(until, document.date),
            _dates,
        )
    yield from _metadata_conditions(filters.where)


def _metadata_conditions(given: Iterable[str]) -> Iterator[_Condition]:
    values: dict[str, list[str]] = {}
    for pair in given:
        name, equals, value = pair.partition("=")
        if not (name.strip() and equals and value.strip()):
            raise InvalidInput(f"{pair[:80]!r} is not NAME=VALUE, as in company=PepsiCo.")
        values.setdefault(plain(name), []).append(plain(value))
    for name, accepted in values.items():
        yield _metadata_condition(name, accepted)


def _metadata_condition(name: str, accepted: Sequence[str]) -> _Condition:
    def choices(documents: Sequence[DocumentSummary]) -> Iterable[str]:
        pairs = [pair for document in documents for pair in _pairs(document)]
        return [f"{own}={value}" for own, value in pairs if plain(own) == name] or [own for own, _ in pairs]

    return _Condition(
        " or ".join(f"{name}={value}" for value in accepted),
        lambda document: any(
            plain(own) == name and plain(value) in accepted for own, value in _pairs(document)
        ),
        choices,
    )


def _pairs(document: DocumentSummary) -> Iterator[tuple[str, str]]:
    """What was given with a document; its authors count."""
    yield from document.metadata
    yield from (("author", creator) for creator in document.creators)


def type_names(document: DocumentSummary) -> set[str]:
    """What the type of a document is called: its media type, the words for it, and the ending of its file."""
    media_type = document.media_type.partition(";")[0].strip().casefold()
    ending = document.source.rpartition(".")[2].casefold() if "." in document.source else ""
    kind, _, subtype = media_type.partition("/")
    main = {kind} if kind == "image" else set()
    return {media_type, subtype, ending, *main, *_TYPES.get(media_type, ())} - {""}


def _dates(documents: Sequence[DocumentSummary]) -> Iterator[str]:
    return (document.date for document in documents if document.date)


def _date(given: str) -> str:
    if date := iso_date(given):
        return date
    raise InvalidInput(f"{given[:40]!r} is not a date. Write 2022, 2022-06 or 2022-06-30.")


def _cut(date: str, other: str) -> str:
    """A date as precise as the less precise of the two."""
    return date[: len(other)]
