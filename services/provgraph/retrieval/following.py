"""What documents taught, read from store and library → entries for the indexes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode, Quad, Triple

from provgraph.catalogue.labels import fact_terms, is_statement, labels
from provgraph.catalogue.sources import Source, SourceReader
from provgraph.documents.library import Library
from provgraph.errors import NotFound
from provgraph.language.terms import terms
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.graphs import CollectionGraphs, collection_graphs
from provgraph.rdf.terms import Term, triple_to_json
from provgraph.rdf.vocabulary import DC, PROV, TG
from provgraph.retrieval.collection_index import IndexChanges
from provgraph.retrieval.keyword_index import Entry
from provgraph.retrieval.topics import topic

CONTEXT_SENTENCES = 3


@dataclass(frozen=True)
class _Chunk:
    iri: NamedNode
    page: NamedNode
    document: NamedNode
    title: str
    start: int
    end: int


@dataclass(frozen=True)
class Follower:
    """Reads one collection."""

    store: QuadStore
    library: Library
    collection: str

    async def changes(
        self, documents: Sequence[NamedNode], missing: Callable[[Sequence[str]], list[str]]
    ) -> IndexChanges:
        """Entries for the chunks of the documents with a subgraph that is `missing`, their facts and entities."""
        chunks = await self._chunks(documents)
        derived = await self._derived([chunk.iri for chunk in chunks])
        new = set(missing([subgraph.value for found in derived.values() for subgraph in found]))
        chunks = [chunk for chunk in chunks if any(node.value in new for node in derived[chunk.iri])]
        subgraphs = [subgraph for found in derived.values() for subgraph in found if subgraph.value in new]
        facts = await self._facts(subgraphs)
        names = await labels(
            self.store, self._graphs.knowledge, (term for fact in facts for term in fact_terms(fact))
        )
        sources = await SourceReader(self.store, self._graphs.source).sources(facts)
        return IndexChanges(
            chunks=[_chunk_entry(chunk, text) for chunk, text in await self._texts(chunks)],
            entities=list(_entity_entries(facts, names)),
            facts=[_fact_entry(fact, names, sources[fact]) for fact in facts],
            subgraphs=[Entry(subgraph.value, {}) for subgraph in subgraphs],
        )

    @property
    def _graphs(self) -> CollectionGraphs:
        return collection_graphs(self.collection)

    async def _chunks(self, documents: Sequence[NamedNode]) -> list[_Chunk]:
        graph = self._graphs.source
        titled = await self.store.match(
            [QuadPattern(document, DC.title, None, graph) for document in documents]
        )
        titles = {document: _text(quads) for document, quads in zip(documents, titled, strict=True)}
        pages = await self._derived(documents)
        page_of = {page: document for document, found in pages.items() for page in found}
        chunks = await self._derived(list(page_of))
        placed = [(chunk, page) for page, found in chunks.items() for chunk in found]
        offsets = await self.store.match(
            [QuadPattern(chunk, TG.char_offset, None, graph) for chunk, _ in placed]
        )
        lengths = await self.store.match(
            [QuadPattern(chunk, TG.char_length, None, graph) for chunk, _ in placed]
        )
        return [
            _Chunk(chunk, page, page_of[page], titles[page_of[page]], start, start + int(_text(length)))
            for (chunk, page), offset, length in zip(placed, offsets, lengths, strict=True)
            for start in (int(_text(offset)),)
        ]

    async def _derived(self, nodes: Sequence[NamedNode]) -> dict[NamedNode, list[NamedNode]]:
        graph = self._graphs.source
        found = await self.store.match(
            [QuadPattern(None, PROV.was_derived_from, node, graph) for node in nodes]
        )
        return {
            node: [quad.subject for quad in quads if isinstance(quad.subject, NamedNode)]
            for node, quads in zip(nodes, found, strict=True)
        }

    async def _facts(self, subgraphs: Sequence[NamedNode]) -> list[Triple]:
        graph = self._graphs.source
        found = await self.store.match([QuadPattern(node, TG.contains, None, graph) for node in subgraphs])
        facts = (quad.object for quads in found for quad in quads)
        return list(dict.fromkeys(fact for fact in facts if isinstance(fact, Triple) and is_statement(fact)))

    async def _texts(self, chunks: Iterable[_Chunk]) -> list[tuple[_Chunk, str]]:
        pages: dict[NamedNode, str] = {}
        texts = []
        for chunk in chunks:
            if chunk.page not in pages:
                pages = {chunk.page: await self._page_text(chunk.page)}
            texts.append((chunk, pages[chunk.page][chunk.start : chunk.end]))
        return texts

    async def _page_text(self, page: NamedNode) -> str:
        try:
            return await self.library.text(self.collection, page)
        except NotFound:
            return ""


def _chunk_entry(chunk: _Chunk, text: str) -> Entry:
    about = topic(chunk.title)
    payload = {"document": chunk.document.value, "title": chunk.title, "text": text, "topic": about}
    return Entry(chunk.iri.value, payload, weak=[*terms(chunk.title), *terms(text)], about=[about])


def _fact_entry(fact: Triple, names: Mapping[Term, str], sources: Sequence[Source]) -> Entry:
    said = tuple(names[term] for term in fact_terms(fact))
    sentences = list(dict.fromkeys(source.text for source in sources))[:CONTEXT_SENTENCES]
    titles = dict.fromkeys(source.place.title for source in sources[:CONTEXT_SENTENCES])
    strong = list(dict.fromkeys(term for label in said for term in terms(label)))
    weak = [term for text in sentences for term in terms(text)]
    titled = [term for title in titles for term in terms(title)]
    payload = {
        "triple": triple_to_json(fact),
        "labels": said,
        "confidence": max((source.confidence for source in sources), default=0.0),
        "support": len({source.subgraph for source in sources}),
        "strong": " ".join(strong),
        "weak": " ".join(sorted(set(weak).difference(strong))),
        "title": " ".join(sorted(set(titled).difference(strong, weak))),
    }
    about = [term.value for term in (fact.subject, fact.object) if isinstance(term, NamedNode)]
    return Entry(str(fact), payload, strong, [*weak, *titled], about)


def _entity_entries(facts: Iterable[Triple], names: Mapping[Term, str]) -> Iterator[Entry]:
    things = dict.fromkeys(
        thing for fact in facts for thing in (fact.subject, fact.object) if isinstance(thing, NamedNode)
    )
    for thing in things:
        words = terms(names[thing])
        yield Entry(thing.value, {"label": names[thing], "terms": words}, strong=words)


def _text(quads: Sequence[Quad]) -> str:
    return next((quad.object.value for quad in quads if isinstance(quad.object, Literal)), "")
