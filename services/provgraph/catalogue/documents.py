"""Documents as the store knows them: a list, one as pages → chunks → facts, and the chunks that an extractor
failed at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.catalogue.naming import fact_terms, is_statement, labels
from provgraph.catalogue.sources import Source, SourceReader
from provgraph.errors import NotFound
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.provenance.source import STEP
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import activity_iri, local_name
from provgraph.rdf.terms import Literal, NamedNode, Quad, Term, Triple, integer_of, text_of, texts_of
from provgraph.rdf.vocabulary import DC, PROV, RDF, RDFS, TG

_COUNTS: Final = f"""
SELECT ?document (COUNT(DISTINCT ?chunk) AS ?chunks) (COUNT(DISTINCT ?fact) AS ?facts) WHERE {{{{ GRAPH {{graph}} {{{{
  ?document a {TG.Document} . ?page {PROV.was_derived_from} ?document . ?chunk {PROV.was_derived_from} ?page .
  OPTIONAL {{{{
    ?subgraph {PROV.was_derived_from} ?chunk ; {TG.contains} ?fact
    FILTER (PREDICATE(?fact) NOT IN ({RDF.type}, {RDFS.label}))
  }}}}
}}}} }}}} GROUP BY ?document
"""


@dataclass(frozen=True)
class DocumentSummary:
    iri: NamedNode
    title: str
    media_type: str
    page_count: int
    creators: tuple[str, ...]
    date: str
    source: str
    metadata: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class DocumentCounts:
    """How many chunks a document has, and how many different statements were read from them."""

    chunks: int
    facts: int


@dataclass(frozen=True)
class FactView:
    """A fact in labels, with one of the sentences that say it."""

    fact: Triple
    labels: tuple[str, str, str]
    source: Source


@dataclass(frozen=True)
class ChunkView:
    """`start` and `end` are in characters of the page's text."""

    iri: NamedNode
    index: int
    start: int
    end: int
    facts: tuple[FactView, ...]


@dataclass(frozen=True)
class RecognitionView:
    """Who recognised a page's text in a picture, and how sure they are of its words, from 0 to 1."""

    by: str
    version: str
    confidence: float


@dataclass(frozen=True)
class PageView:
    iri: NamedNode
    number: int
    chunks: tuple[ChunkView, ...]
    recognition: RecognitionView | None = None


@dataclass(frozen=True)
class DocumentCatalogue:
    """Reads the documents of one collection, by bound patterns only."""

    store: QuadStore
    graphs: CollectionGraphs

    async def documents(self) -> list[DocumentSummary]:
        """All documents, by title."""
        (found,) = await self.store.match([QuadPattern(None, RDF.type, TG.Document, self.graphs.source)])
        nodes = [quad.subject for quad in found if isinstance(quad.subject, NamedNode)]
        described = await self._descriptions(nodes)
        metadata = await self._metadata(described)
        summaries = [_summary(node, quads, metadata) for node, quads in zip(nodes, described, strict=True)]
        return sorted(summaries, key=lambda summary: (summary.title.casefold(), summary.iri.value))

    async def counts(self) -> dict[NamedNode, DocumentCounts]:
        """Of each document; it looks at every chunk of the collection."""
        found = await self.store.select(_COUNTS.format(graph=self.graphs.source))
        return {
            node: DocumentCounts(int(_value(row["chunks"])), int(_value(row["facts"])))
            for row in found
            if isinstance(node := row["document"], NamedNode)
        }

    async def document(self, iri: NamedNode) -> DocumentSummary:
        """Raises `NotFound` for a document that the collection does not have."""
        (quads,) = await self._descriptions([iri])
        if not any(quad.object == TG.Document for quad in quads):
            raise NotFound(
                f"There is no document {iri.value} in this collection. Look up the ids with 'provgraph documents'."
            )
        return _summary(iri, quads, await self._metadata([quads]))

    async def _metadata(self, described: Iterable[Sequence[Quad]]) -> dict[NamedNode, tuple[str, str]]:
        """Name and value of each entry of the documents."""
        entries = [
            quad.object
            for quads in described
            for quad in quads
            if quad.predicate == TG.metadata and isinstance(quad.object, NamedNode)
        ]
        return {
            entry: (text_of(quads, TG.metadata_name), text_of(quads, TG.metadata_value))
            for entry, quads in zip(entries, await self._descriptions(entries), strict=True)
        }

    async def pages(self, document: NamedNode) -> list[PageView]:
        """The pages of a document with their chunks and facts, all in reading order."""
        pages = await self._derived(document)
        described = await self._descriptions(pages)
        recognised = await self._recognitions(described)
        views = [
            PageView(page, integer_of(quads, TG.page_number), await self._chunks(page), recognised.get(page))
            for page, quads in zip(pages, described, strict=True)
        ]
        return sorted(views, key=lambda view: view.number)

    async def _recognitions(self, described: Iterable[Sequence[Quad]]) -> dict[NamedNode, RecognitionView]:
        """How the text of those of the pages was recognised that are pictures."""
        confidence = {
            quad.subject: float(quad.object.value)
            for quads in described
            for quad in quads
            if quad.predicate == TG.recognition_confidence and isinstance(quad.object, Literal)
        }
        pages = [page for page in confidence if isinstance(page, NamedNode)]
        activities = await self._descriptions([activity_iri(page, "recognition") for page in pages])
        agents = {
            quad.object
            for quads in activities
            for quad in quads
            if quad.predicate == PROV.was_associated_with and isinstance(quad.object, NamedNode)
        }
        labels = [quad for quads in await self._descriptions(list(agents)) for quad in quads]
        return {
            page: RecognitionView(
                by=text_of([label for label in labels if _associated(quads, label.subject)], RDFS.label),
                version=text_of(quads, TG.component_version),
                confidence=confidence[page],
            )
            for page, quads in zip(pages, activities, strict=True)
        }

    async def _chunks(self, page: NamedNode) -> tuple[ChunkView, ...]:
        chunks = await self._derived(page)
        described = await self._descriptions(chunks)
        views = [
            _chunk_view(chunk, quads, await self._facts(chunk))
            for chunk, quads in zip(chunks, described, strict=True)
        ]
        return tuple(sorted(views, key=lambda view: view.index))

    async def _facts(self, chunk: NamedNode) -> tuple[FactView, ...]:
        subgraphs = set(await self._derived(chunk))
        patterns = [QuadPattern(node, TG.contains, None, self.graphs.source) for node in subgraphs]
        contained = [quad.object for quads in await self.store.match(patterns) for quad in quads]
        facts = [fact for fact in contained if isinstance(fact, Triple) and is_statement(fact)]
        sources = await SourceReader(self.store, self.graphs.source).sources(facts, within=subgraphs)
        names = await labels(self.store, self.graphs.knowledge, _terms(facts))
        views = [
            FactView(fact, (names[fact.subject], names[fact.predicate], names[fact.object]), source)
            for fact in facts
            for source in sources[fact]
            if source.subgraph in subgraphs
        ]
        return tuple(
            sorted(views, key=lambda view: (view.source.page_number, view.source.start, view.labels))
        )

    async def _derived(self, node: NamedNode) -> list[NamedNode]:
        pattern = QuadPattern(None, PROV.was_derived_from, node, self.graphs.source)
        (quads,) = await self.store.match([pattern])
        return [quad.subject for quad in quads if isinstance(quad.subject, NamedNode)]

    async def _descriptions(self, nodes: Sequence[NamedNode]) -> list[list[Quad]]:
        return await self.store.match([QuadPattern(node, graph=self.graphs.source) for node in nodes])


def _summary(
    iri: NamedNode, quads: Iterable[Quad], metadata: Mapping[NamedNode, tuple[str, str]]
) -> DocumentSummary:
    said = list(quads)
    return DocumentSummary(
        iri=iri,
        title=text_of(said, DC.title),
        media_type=text_of(said, TG.mime_type),
        page_count=integer_of(said, TG.page_count),
        creators=tuple(sorted(texts_of(said, DC.creator))),
        date=text_of(said, DC.date),
        source=text_of(said, DC.source),
        metadata=tuple(
            sorted(
                metadata[quad.object]
                for quad in said
                if quad.predicate == TG.metadata and isinstance(quad.object, NamedNode)
            )
        ),
    )


def _associated(activity: Iterable[Quad], agent: object) -> bool:
    return any(quad.predicate == PROV.was_associated_with and quad.object == agent for quad in activity)


def _chunk_view(iri: NamedNode, quads: Sequence[Quad], facts: tuple[FactView, ...]) -> ChunkView:
    start = integer_of(quads, TG.char_offset)
    end = start + integer_of(quads, TG.char_length)
    return ChunkView(iri, integer_of(quads, TG.chunk_index), start, end, facts)


def _terms(facts: Iterable[Triple]) -> list[Term]:
    return [term for fact in facts for term in fact_terms(fact)]


def _value(term: Term) -> str:
    return term.value if isinstance(term, Literal) else "0"


async def media_types(
    store: QuadStore, graph: NamedNode, documents: Iterable[NamedNode]
) -> dict[NamedNode, str]:
    """The media type of each document; empty for one that is not there."""
    return await _texts_of(TG.mime_type, store, graph, documents)


async def titles_of(
    store: QuadStore, graph: NamedNode, documents: Iterable[NamedNode]
) -> dict[NamedNode, str]:
    """The title of each document that is there."""
    told = await _texts_of(DC.title, store, graph, documents)
    return {document: title for document, title in told.items() if title}


async def files_of(
    store: QuadStore, graph: NamedNode, documents: Iterable[NamedNode]
) -> dict[NamedNode, str]:
    """The file name of each document; empty where it has none."""
    return await _texts_of(DC.source, store, graph, documents)


async def _texts_of(
    predicate: NamedNode, store: QuadStore, graph: NamedNode, documents: Iterable[NamedNode]
) -> dict[NamedNode, str]:
    nodes = list(documents)
    found = await store.match([QuadPattern(node, predicate, None, graph) for node in nodes])
    return {node: text_of(quads, predicate) for node, quads in zip(nodes, found, strict=True)}


@dataclass(frozen=True)
class FailedReading:
    chunk: NamedNode
    document: NamedNode
    extractor: str
    reason: str


async def failed_readings(store: QuadStore, graph: NamedNode) -> list[FailedReading]:
    """All of a source graph, by bound patterns only; what was read all the same, before a crash, is left out."""
    (failed,) = await store.match([QuadPattern(predicate=TG.failure, graph=graph)])
    attempts = [quad.subject for quad in failed if isinstance(quad.subject, NamedNode)]
    read = await store.contains([Quad(_subgraph(node), RDF.type, TG.Subgraph, graph) for node in attempts])
    missing = [node for node, is_read in zip(attempts, read, strict=True) if not is_read]
    described = await store.match([QuadPattern(node, graph=graph) for node in missing])
    said = [{quad.predicate: quad.object for quad in quads} for quads in described]
    chunks = [_node(each[PROV.used]) for each in said]
    documents = await _above(store, graph, await _above(store, graph, chunks))
    return [
        FailedReading(chunk, document, _name(each[PROV.was_associated_with]), _text(each[TG.failure]))
        for chunk, document, each in zip(chunks, documents, said, strict=True)
    ]


async def _above(store: QuadStore, graph: NamedNode, nodes: Sequence[NamedNode]) -> list[NamedNode]:
    patterns = [QuadPattern(node, PROV.was_derived_from, None, graph) for node in nodes]
    return [_node(quads[0].object) for quads in await store.match(patterns, limit=1)]


def _subgraph(attempt: NamedNode) -> NamedNode:
    return NamedNode(attempt.value.removesuffix(f"/{STEP}"))


def _name(agent: Term) -> str:
    return local_name(_node(agent).value).rpartition(":")[2]


def _text(term: Term) -> str:
    assert isinstance(term, Literal)
    return term.value


def _node(term: Term) -> NamedNode:
    assert isinstance(term, NamedNode)
    return term
