"""A file → what is to be written of its documents: IRIs, pages, chunks and passages, before any fact is read."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, AsyncIterable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from provgraph.documents import page_layout, tables
from provgraph.documents.bibliography import UNKNOWN, Bibliography
from provgraph.documents.chunking import ChunkingSettings
from provgraph.documents.chunks import Chunk, chunk_document
from provgraph.documents.document import Header, OpenDocument, Page
from provgraph.documents.form_fields import field_rows, label_rows
from provgraph.documents.metadata import NO_METADATA, DocumentMetadata, kept_entries, merged
from provgraph.documents.outline import Outline
from provgraph.documents.pieces import cut
from provgraph.documents.readers.text import one_line
from provgraph.documents.readers.writable import writable
from provgraph.documents.table_reading import tables_of_page
from provgraph.documents.table_rows import TableRow, rows_between, rows_of
from provgraph.errors import ProvGraphError, UnreadableDocument
from provgraph.extraction.facts import Entity, Fact, Passage, Value
from provgraph.provenance.source import Pair, QuotationRecord, SubgraphRecord
from provgraph.rdf import literals
from provgraph.rdf.iris import (
    chunk_iri,
    digest,
    document_iri,
    document_of,
    entity_iri,
    page_iri,
    quotation_iri,
    version_iri,
)
from provgraph.rdf.terms import Literal, NamedNode, Triple
from provgraph.rdf.vocabulary import PREFIXES, RDF, RDFS


@dataclass(frozen=True)
class PageSpan:
    """Words of one page, which stand at `start` in its text."""

    page: NamedNode
    start: int
    text: str


@dataclass(frozen=True)
class PassageFacts:
    """A fact, and the words it was read from: two spans where a page end cuts its sentence."""

    fact: Fact
    spans: tuple[PageSpan, ...]


def subgraph(iri: NamedNode, chunk: NamedNode, readings: Iterable[PassageFacts]) -> SubgraphRecord:
    """The subgraph of a chunk: statements, labels and types, each statement quoted from the sentence that says it.

    Labels and types have no quotation of their own: the first sentence that speaks of a thing names it. Facts that
    were drawn from a pair are quoted by that pair.
    """
    quoted: dict[tuple[tuple[PageSpan, ...], float, Pair | None], list[Triple]] = {}
    facts: dict[Triple, None] = {}
    document = document_of(chunk)
    for reading in readings:
        statement = _statement(reading.fact, document)
        key = reading.spans, reading.fact.confidence, reading.fact.pair
        quoted.setdefault(key, []).append(statement)
        facts.update(dict.fromkeys((statement, *_names(reading.fact, statement))))
    quotations = [
        (span, confidence, tuple(dict.fromkeys(statements)), pair)
        for (spans, confidence, pair), statements in quoted.items()
        for span in spans
    ]
    return SubgraphRecord(
        iri=iri, chunk=chunk, facts=tuple(facts), quotations=tuple(_quotations(iri, quotations))
    )


def _quotations(
    iri: NamedNode, quotations: Sequence[tuple[PageSpan, float, tuple[Triple, ...], Pair | None]]
) -> Iterator[QuotationRecord]:
    for index, (span, confidence, facts, pair) in enumerate(quotations):
        node = quotation_iri(iri, index)
        yield QuotationRecord(node, span.page, span.start, span.text, confidence, facts, pair)


def _statement(fact: Fact, document: str) -> Triple:
    relation = fact.relation_iri or entity_iri(fact.relation)
    return Triple(_node(fact.subject, document), relation, _object(fact.object, document))


def _node(entity: Entity, document: str) -> NamedNode:
    """What is local to a document has the document in its name."""
    return entity_iri(entity.label, digest(document.encode())[:16] if entity.local else "")


def _object(thing: Entity | Value, document: str) -> NamedNode | Literal:
    if isinstance(thing, Entity):
        return _node(thing, document)
    if thing.datatype:
        return literals.typed(thing.lexical, thing.datatype)
    match thing.kind:
        case "date":
            return literals.date(thing.lexical)
        case "number":
            return literals.number(thing.lexical)
        case "quantity":
            return literals.quantity(thing.lexical)
        case "text":
            return literals.text(thing.lexical)
        case _:
            assert_never(thing.kind)


def _names(fact: Fact, statement: Triple) -> Iterator[Triple]:
    yield Triple(statement.predicate, RDFS.label, literals.text(fact.relation))
    for thing, node in ((fact.subject, statement.subject), (fact.object, statement.object)):
        if isinstance(thing, Entity) and isinstance(node, NamedNode):
            yield Triple(node, RDFS.label, literals.text(thing.label))
            if thing.type:
                yield Triple(node, RDF.type, _class(thing.type))


def _class(type_: str) -> NamedNode:
    return NamedNode(type_ if ":" in type_ else PREFIXES["tg"] + type_)


logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class SourceFile:
    """A file as a client gave it; `title` and `id` are what the client calls it, or empty, `described` what a
    bibliography says of it, and `metadata` what the client gave with it."""

    name: str
    content: bytes
    media_type: str = ""
    title: str = ""
    id: str = ""
    described: Bibliography = UNKNOWN
    metadata: DocumentMetadata = NO_METADATA


@dataclass(frozen=True)
class LostFile:
    """A file that should be read and is not to be had, and why; `title` and `source` are what is known of it."""

    name: str
    error: ProvGraphError
    title: str = ""
    source: str = ""


SourceFiles = Iterable[SourceFile | LostFile] | AsyncIterable[SourceFile | LostFile]


async def each_file(files: SourceFiles) -> AsyncGenerator[SourceFile | LostFile]:
    if isinstance(files, AsyncIterable):
        async for file in files:
            yield file
    else:
        for file in files:
            yield file


@dataclass(frozen=True)
class PlannedPage:
    iri: NamedNode
    page: Page


@dataclass(frozen=True)
class PlannedChunk:
    """A chunk and its passage; `page` and `next_page` are where its words stand, `outline` the clauses that are open
    where its own sentences begin, `rows` the table rows that begin there, in characters of the page."""

    iri: NamedNode
    page: PlannedPage
    next_page: PlannedPage | None
    chunk: Chunk
    title: str
    outline: Outline = Outline()
    rows: tuple[TableRow, ...] | None = None

    @property
    def passage(self) -> Passage:
        chunk = self.chunk
        return Passage(
            text=chunk.passage,
            title=self.title,
            own_start=chunk.own_start - chunk.start,
            own_end=chunk.own_end - chunk.start,
            seam=chunk.seam,
            outline=self.outline,
            rows=None if self.rows is None else tuple(row.moved(chunk.start) for row in self.rows),
        )

    def reading(self, fact: Fact) -> PassageFacts:
        """The fact with the exact words of the page, or of the two pages, that say it."""
        return PassageFacts(
            fact, tuple(self._words(*span) for span in self.chunk.page_spans(fact.start, fact.end))
        )

    def _words(self, number: int, start: int, end: int) -> PageSpan:
        planned = self.page if number == self.page.page.number else self.next_page
        assert planned is not None
        return PageSpan(planned.iri, start, planned.page.text[start:end])


@dataclass(frozen=True)
class PlannedDocument:
    """`metadata.title` is a title that was given with it; `stored_title` what the store calls these very bytes, or
    empty where it does not have them."""

    iri: NamedNode
    version: NamedNode
    content_hash: str
    header: Header
    source: str
    content: bytes
    pages: tuple[PlannedPage, ...]
    chunks: tuple[PlannedChunk, ...]
    described: Bibliography = UNKNOWN
    metadata: DocumentMetadata = NO_METADATA
    stored_title: str = ""

    @property
    def retitled(self) -> bool:
        """Whether it is given another title than the store has for it."""
        return self.stored_title not in ("", self.header.title)


def planned_of(
    documents: Iterator[OpenDocument], file: SourceFile, settings: ChunkingSettings
) -> Iterator[PlannedDocument | ProvGraphError]:
    """The documents as they come from a reader, and in the place of one that cannot be read its error.

    What nobody foresaw is an error of its document too, and costs no other: its traceback goes to the log. The next is
    asked for before one is given, so that the reader is done with a file before its facts are read.
    """
    coming = _opened(documents, file)
    while coming is not None:
        planned = coming if isinstance(coming, ProvGraphError) else _planned(coming, file, settings)
        coming = _opened(documents, file)
        yield planned


def _opened(documents: Iterator[OpenDocument], file: SourceFile) -> OpenDocument | ProvGraphError | None:
    try:
        return next(documents, None)
    except ProvGraphError as error:
        return error
    except Exception as error:
        logger.exception("%s cannot be read", file.name)
        return _unforeseen(error, file)


def _planned(
    opened: OpenDocument, file: SourceFile, settings: ChunkingSettings
) -> PlannedDocument | ProvGraphError:
    try:
        return plan(opened, file, settings)
    except ProvGraphError as error:
        return error
    except Exception as error:
        logger.exception("%s cannot be read", file.name)
        return _unforeseen(error, file)


def _unforeseen(error: Exception, file: SourceFile) -> UnreadableDocument:
    return UnreadableDocument(
        f"{file.name} is damaged in a way that its reader does not know ({type(error).__name__}). "
        "Make or download it again, or save it in another format."
    )


def plan(opened: OpenDocument, file: SourceFile, settings: ChunkingSettings) -> PlannedDocument:
    """Read all pages of a document and cut its chunks. Raises `UnreadableDocument` when there is no text.

    The whole document is read before anything of it is written, so that a damaged one leaves nothing behind.
    """
    header, described = opened.header, file.described
    given_id = header.record_id or file.id
    iri = document_iri(opened.content, given_id)
    content_hash = digest(opened.content)
    read = list(chunk_document(opened.pages(), settings))
    version = version_iri(iri, _version_of(opened.content, [page for page, _ in read]))
    paged = [(PlannedPage(page_iri(version, page.number), page), chunks) for page, chunks in read]
    given = file.metadata
    title = one_line(file.title) or one_line(given.title) or header.title
    outlines = _outlines(read)
    rows = {page.number: _rows(page, title) for page, _ in read}
    chunks = tuple(
        PlannedChunk(
            chunk_iri(iri, chunk.text, chunk.occurrence),
            page,
            following,
            chunk,
            title,
            outline,
            rows_between(rows[page.page.number], chunk.own_start, chunk.own_end),
        )
        for (page, chunks), following in zip(paged, [*(page for page, _ in paged[1:]), None], strict=True)
        for chunk, outline in zip(chunks, outlines[page.page.number], strict=True)
    )
    if not chunks:
        raise UnreadableDocument(f"{file.name} holds no text. Give a document with text in it.")
    return PlannedDocument(
        iri=iri,
        version=version,
        content_hash=content_hash,
        header=replace(
            header,
            title=title,
            creators=given.creators or described.creators or header.creators,
            date=given.date or described.date or header.date,
        ),
        source=described.source or writable(file.name),
        content=opened.content,
        pages=tuple(page for page, _ in paged),
        chunks=chunks,
        described=described,
        metadata=replace(
            given,
            title=one_line(file.title) or one_line(given.title),
            entries=merged(kept_entries(header.metadata), given.entries),
        ),
    )


def _rows(page: Page, title: str) -> tuple[TableRow, ...]:
    """The rows of a page's tables, and the fields of its forms."""
    tables = tables_of_page(page.number, page.text, page.layout)
    of_tables = (row for table in tables for row in (*rows_of(table), *label_rows(table, title)))
    return tuple(sorted((*of_tables, *field_rows(page.text, title)), key=lambda row: row.start))


def _outlines(read: Sequence[tuple[Page, Sequence[Chunk]]]) -> dict[int, list[Outline]]:
    """By page, the outline at which each of its chunks begins."""
    outline, outlines = Outline(), dict[int, list[Outline]]()
    for page, chunks in read:
        outlines[page.number] = []
        for chunk in chunks:
            outlines[page.number].append(outline)
            outline = cut(page.text[chunk.own_start : chunk.own_end], outline).outline
    return outlines


def _version_of(content: bytes, pages: Sequence[Page]) -> str:
    """The name of a version: its bytes, and all else that decides the text of its pages.

    An IRI names one text for ever: a page that was read when tables had no labels is a page of another version, and
    so is one that another recogniser reads, or the same otherwise.
    """
    form = tables.FORM if any(tables.has_rows(page.text) for page in pages) else b""
    form += page_layout.READING if any(page.layout.regions for page in pages) else b""
    form += b"\0turned" if any(page.layout.turned for page in pages) else b""
    return digest(content + form + b"".join(_recognised(page) for page in pages if page.recognition))


def _recognised(page: Page) -> bytes:
    assert page.recognition is not None
    by = page.recognition.by
    return f"\0{page.number} {by.name} {by.version}\0{digest(page.text.encode())}".encode()
