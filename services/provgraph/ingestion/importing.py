"""RDF in: an export of ProvGraph is restored as it was; any other RDF becomes a document whose lines say its facts.

What is imported as facts has, like everything else, a document, a page, chunks and subgraphs: its page is the file
in plain words, a line for each statement, and each fact is quoted from its line. So it can be proved, found and
taken back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath
from typing import Final

from provgraph import __version__
from provgraph.catalogue.naming import fact_terms, stand_in
from provgraph.errors import UnreadableDocument, UnsupportedDocument
from provgraph.ingestion.planning import SourceFile
from provgraph.ports.quad_store import WriteUnit
from provgraph.provenance import source
from provgraph.provenance.source import (
    ChunkRecord,
    Component,
    DocumentRecord,
    PageRecord,
    QuotationRecord,
    SubgraphRecord,
)
from provgraph.rdf.graphs import CollectionGraphs, kind_of_graph
from provgraph.rdf.iris import (
    ExtractionIdentity,
    chunk_iri,
    collection_iri,
    digest,
    document_iri,
    is_collection,
    page_iri,
    quotation_iri,
    subgraph_iri,
    version_iri,
)
from provgraph.rdf.serialization import RdfFormat
from provgraph.rdf.terms import BlankNames, NamedNode, Quad, Term, Triple
from provgraph.rdf.untrusted import untrusted_quads
from provgraph.rdf.vocabulary import PROV, RDF, RDFS, TG

IMPORTER: Final = Component("rdf-import", "ProvGraph RDF import", __version__)

_FORMATS: Final = {
    "nq": RdfFormat.N_QUADS,
    "nt": RdfFormat.N_TRIPLES,
    "trig": RdfFormat.TRIG,
    "ttl": RdfFormat.TURTLE,
    "jsonld": RdfFormat.JSON_LD,
    "rdf": RdfFormat.RDF_XML,
    "owl": RdfFormat.RDF_XML,
}


@dataclass(frozen=True)
class RdfFile:
    """What a file holds: quads of ProvGraph's own graphs, and facts from anywhere else."""

    own: tuple[Quad, ...]
    facts: tuple[Triple, ...]


@dataclass(frozen=True)
class ImportedDocument:
    """Facts as a document: what to keep in the library, and what to write."""

    iri: NamedNode
    page: NamedNode
    text: str
    units: tuple[WriteUnit, ...]


def read_rdf(content: bytes, name: str) -> RdfFile:
    """Parse a file by its extension. Blank nodes become IRIs, of the file's hash and their order in it.

    Raises `UnsupportedDocument` for another extension, and `UnreadableDocument`, with the place, for RDF that
    does not parse.
    """
    extension = PurePath(name).suffix.removeprefix(".").casefold()
    if extension not in _FORMATS:
        raise UnsupportedDocument(f"{name} is not known as RDF. Name it .{', .'.join(_FORMATS)}.")
    try:
        base = document_iri(content).value
        quads = list(untrusted_quads(content, _FORMATS[extension], base))
    except (SyntaxError, ValueError) as error:
        raise UnreadableDocument(f"{name} cannot be read as RDF: {error}. Correct it there.") from error
    blanks = BlankNames(digest(content))
    named = [blanks.quad(quad) for quad in quads]
    own = tuple(quad for quad in named if kind_of_graph(quad.graph_name))
    facts = dict.fromkeys(quad.triple for quad in named if not kind_of_graph(quad.graph_name))
    return RdfFile(own, tuple(facts))


def restored(quads: Iterable[Quad], graphs: CollectionGraphs, collection: str) -> Iterator[Quad]:
    """An export's quads in the graphs of `collection`, whatever collection they came from.

    What describes another collection itself is left out.
    """
    target = {"knowledge": graphs.knowledge, "source": graphs.source, "retrieval": graphs.retrieval}
    own = collection_iri(collection)
    for quad in quads:
        kind = kind_of_graph(quad.graph_name)
        if kind is None or (is_collection(quad.subject) and quad.subject != own):
            continue
        object_: Term = own if quad.predicate == TG.collection else quad.object
        yield Quad(quad.subject, quad.predicate, object_, target[kind])


def document_of_facts(
    facts: Sequence[Triple], file: SourceFile, graphs: CollectionGraphs, at: datetime
) -> ImportedDocument:
    """The facts as a document of one page with a line for each."""
    content, name = file.content, file.name
    iri = document_iri(content, file.id)
    version = version_iri(iri, digest(content))
    page = PageRecord(page_iri(version, 1), iri, version, 1)
    record = DocumentRecord(
        iri, version, digest(content), file.title or PurePath(name).stem, "application/rdf", 1, source=name
    )
    chunker = Component("chunker", "ProvGraph chunker", f"{__version__} lines")
    graph = graphs.source
    lines = _lines(facts)
    units = [
        WriteUnit(
            Quad(version, PROV.specialization_of, iri, graph),
            tuple(source.document_quads(record, IMPORTER, at, graph)),
        ),
        WriteUnit(
            Quad(page.iri, RDF.type, TG.Page, graph),
            (*source.page_quads(page, graph), *source.chunking_quads(page, chunker, at, graph)),
        ),
    ]
    start = 0
    for index, group in enumerate(_grouped(list(zip(facts, lines, strict=True)))):
        units += _chunk_units(_Group(page, index, start, group), graphs, at)
        start += sum(len(line) + 1 for _, line in group)
    return ImportedDocument(iri, page.iri, "\n".join(lines), tuple(units))


@dataclass(frozen=True)
class _Group:
    """Lines that make one chunk, which starts at `start` of the page."""

    page: PageRecord
    index: int
    start: int
    lines: Sequence[tuple[Triple, str]]


def _chunk_units(group: _Group, graphs: CollectionGraphs, at: datetime) -> list[WriteUnit]:
    text = "\n".join(line for _, line in group.lines)
    occurrence = group.index  # the same lines may stand twice; their place tells them apart
    chunk = ChunkRecord(
        chunk_iri(group.page.document, text, occurrence), group.page.iri, group.index, group.start, len(text)
    )
    subgraph = subgraph_iri(ExtractionIdentity(chunk.iri, IMPORTER.name, IMPORTER.version))
    quotations = []
    offset = group.start
    for number, (fact, line) in enumerate(group.lines):
        quotations.append(
            QuotationRecord(quotation_iri(subgraph, number), group.page.iri, offset, line, 1.0, (fact,))
        )
        offset += len(line) + 1
    record = SubgraphRecord(subgraph, chunk.iri, tuple(fact for fact, _ in group.lines), tuple(quotations))
    graph = graphs.source
    return [
        WriteUnit(
            Quad(chunk.iri, PROV.was_derived_from, group.page.iri, graph),
            tuple(source.chunk_quads(chunk, graph)),
        ),
        WriteUnit(
            Quad(subgraph, RDF.type, TG.Subgraph, graph),
            tuple(source.subgraph_quads(record, IMPORTER, at, graphs)),
        ),
    ]


def _lines(facts: Sequence[Triple]) -> list[str]:
    """Each fact in words: labels where the file gives them, else the last part of an IRI."""
    named: dict[Term, str] = {
        fact.subject: _one_line(stand_in(fact.object)) for fact in facts if fact.predicate == RDFS.label
    }
    return [
        " ".join(named.get(term) or _one_line(stand_in(term)) for term in fact_terms(fact)) + "."
        for fact in facts
    ]


def _grouped(lines: Sequence[tuple[Triple, str]], size: int = 1000) -> Iterator[list[tuple[Triple, str]]]:
    group: list[tuple[Triple, str]] = []
    length = 0
    for fact, line in lines:
        if group and length + len(line) > size:
            yield group
            group, length = [], 0
        group.append((fact, line))
        length += len(line) + 1
    if group:
        yield group


def _one_line(text: str) -> str:
    return " ".join(text.split())
