"""What documents say, read back from store and library: the values that the indexes are made of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Final

from anyio import to_thread

from provgraph.catalogue.naming import fact_terms, is_statement, labels, stand_in
from provgraph.documents.library import Library
from provgraph.documents.page_context import contexts_of
from provgraph.documents.stored_layouts import page_layout
from provgraph.errors import NotFound
from provgraph.ports.quad_store import QuadPattern, QuadStore, match_in_turns
from provgraph.rdf.graphs import CollectionGraphs, collection_graphs, knowledge_graph
from provgraph.rdf.terms import Literal, NamedNode, Quad, Term, Triple
from provgraph.rdf.vocabulary import DC, PREFIXES, PROV, RDF, RDFS, TG

NAMING: Final = (RDFS.label, NamedNode(PREFIXES["skos"] + "altLabel"))


async def lost_names(store: QuadStore, collection: str, named: Mapping[str, Set[str]]) -> dict[str, set[str]]:
    """Of the labels under which entities are indexed, those to forget: all of an entity that stands in no statement
    any more, and of one that does those that are asserted no more."""
    graph = knowledge_graph(collection)
    nodes = [NamedNode(node) for node in named]
    as_subject = await store.match([QuadPattern(node, graph=graph) for node in nodes])
    as_object = await store.match([QuadPattern(object=node, graph=graph) for node in nodes], limit=1)
    lost = {}
    for node, quads, pointing in zip(nodes, as_subject, as_object, strict=True):
        stands = bool(pointing) or any(_says_something(quad) for quad in quads)
        given = _labels(node, quads) if stands else set()
        if gone := named[node.value] - given:
            lost[node.value] = set(gone)
    return lost


def _says_something(quad: Quad) -> bool:
    return is_statement(quad.triple) and quad.predicate not in NAMING


def _labels(node: NamedNode, quads: Sequence[Quad]) -> set[str]:
    given = {
        quad.object.value for quad in quads if quad.predicate in NAMING and isinstance(quad.object, Literal)
    }
    return given | {stand_in(node)}


@dataclass(frozen=True)
class ChunkPosition:
    """Where a chunk lies: the text of `page` from `start` to `end`."""

    page: NamedNode
    start: int
    end: int


@dataclass
class ExtractorRun:
    """A fact as one subgraph says it: its sentence, where one is quoted, and the extractor's confidence."""

    fact: Triple
    labels: tuple[str, str, str] = ("", "", "")
    sentence: str = ""
    confidence: float = 0.0


@dataclass
class SubgraphContents:
    """The statements of a subgraph; `names` are the labels and aliases of its nodes, `types` the classes.

    `aliases` are the facts that give a node another name than its label.
    """

    iri: NamedNode
    readings: dict[Triple, ExtractorRun] = field(default_factory=dict)
    names: dict[Term, list[str]] = field(default_factory=dict)
    types: dict[Term, list[str]] = field(default_factory=dict)
    aliases: list[Triple] = field(default_factory=list)

    def add(self, fact: Triple) -> None:
        if is_statement(fact) and fact.predicate not in NAMING:
            self.readings.setdefault(fact, ExtractorRun(fact))
        elif fact.predicate in NAMING and isinstance(fact.object, Literal):
            self.names.setdefault(fact.subject, []).append(fact.object.value)
            if fact.predicate != RDFS.label:
                self.aliases.append(fact)
        elif fact.predicate == RDF.type and isinstance(fact.object, NamedNode):
            self.types.setdefault(fact.subject, []).append(fact.object.value)

    def quote(self, fact: Triple, sentence: str, confidence: float) -> None:
        """Of several sentences that say a fact the surest counts, and of equally sure ones the first by text."""
        reading = self.readings.get(fact)
        if reading and (-confidence, sentence) < (-reading.confidence, reading.sentence or "\U0010ffff"):
            reading.sentence, reading.confidence = sentence, confidence


@dataclass
class DocumentPart:
    """A chunk with its text, the words that say where it stands, and its subgraphs; or, for imported facts, their
    document without a place or text."""

    iri: NamedNode
    place: ChunkPosition | None
    text: str = ""
    context: str = ""
    subgraphs: list[SubgraphContents] = field(default_factory=list)


@dataclass
class DocumentContents:
    iri: NamedNode
    title: str
    source: str = ""
    parts: list[DocumentPart] = field(default_factory=list)


class ContentsReader:
    """Reads documents of one collection, by bound patterns only."""

    def __init__(self, store: QuadStore, library: Library, collection: str) -> None:
        self._store = store
        self._library = library
        self._collection = collection
        self._graphs: CollectionGraphs = collection_graphs(collection)

    async def read(self, documents: Sequence[NamedNode], facts: bool = True) -> list[DocumentContents]:
        """The contents of each document, once; no parts for one that the store does not have.

        Without `facts` only texts, and which subgraphs there are.
        """
        documents = list(dict.fromkeys(documents))
        titles = await self._values(documents, DC.title)
        sources = await self._values(documents, DC.source)
        derived = await self._derived_from(documents)
        parts = {node: DocumentPart(node, place) for node, place in (await self._places(derived)).items()}
        subgraphs = await self._subgraphs(derived)
        if facts:
            await self._read_facts(subgraphs)
        await self._read_texts(parts.values())
        found = []
        for document in documents:
            contents = DocumentContents(document, titles.get(document, ""), sources.get(document, ""))
            for node in _below(document, derived):
                if part := parts.get(node):
                    contents.parts.append(part)
            for origin in (document, *_below(document, derived)):
                said = [subgraphs[node] for node in derived.get(origin, ()) if node in subgraphs]
                if said:
                    part = parts.get(origin) or DocumentPart(document, None)
                    part.subgraphs += said
                    if part.place is None:
                        contents.parts.append(part)
            found.append(contents)
        return found

    async def _derived_from(self, documents: Sequence[NamedNode]) -> dict[NamedNode, list[NamedNode]]:
        """Three levels of derivation: pages, chunks, subgraphs, by what they are derived from."""
        derived: dict[NamedNode, list[NamedNode]] = {}
        level = list(documents)
        for _ in range(3):
            found = await self._match(QuadPattern(None, PROV.was_derived_from, node) for node in level)
            for node, quads in zip(level, found, strict=True):
                nodes = [quad.subject for quad in quads if isinstance(quad.subject, NamedNode)]
                derived[node] = sorted(nodes, key=lambda node: node.value)
            level = [node for above in level for node in derived[above]]
        return derived

    async def _places(
        self, derived: Mapping[NamedNode, Sequence[NamedNode]]
    ) -> dict[NamedNode, ChunkPosition]:
        page_of = {node: page for page, nodes in derived.items() for node in nodes if node in derived}
        starts = await self._values(list(page_of), TG.char_offset)
        lengths = await self._values(list(starts), TG.char_length)
        return {
            chunk: ChunkPosition(page_of[chunk], int(start), int(start) + int(lengths[chunk]))
            for chunk, start in starts.items()
        }

    async def _subgraphs(
        self, derived: Mapping[NamedNode, Sequence[NamedNode]]
    ) -> dict[NamedNode, SubgraphContents]:
        leaves = [node for nodes in derived.values() for node in nodes if not derived.get(node)]
        marks = [Quad(node, RDF.type, TG.Subgraph, self._graphs.source) for node in leaves]
        are_subgraphs = await self._store.contains(marks)
        nodes = [node for node, is_one in zip(leaves, are_subgraphs, strict=True) if is_one]
        return {node: SubgraphContents(node) for node in nodes}

    async def _read_facts(self, subgraphs: Mapping[NamedNode, SubgraphContents]) -> None:
        for quads in await self._match(QuadPattern(node, TG.contains) for node in subgraphs):
            for quad in quads:
                if isinstance(quad.object, Triple) and isinstance(quad.subject, NamedNode):
                    subgraphs[quad.subject].add(quad.object)
        await self._read_quotations(subgraphs)
        await self._read_labels(subgraphs.values())

    async def _read_quotations(self, subgraphs: Mapping[NamedNode, SubgraphContents]) -> None:
        nodes = list(subgraphs)
        found = await self._match(QuadPattern(None, TG.in_subgraph, node) for node in nodes)
        subgraph_of = {
            quad.subject: subgraphs[node]
            for node, quads in zip(nodes, found, strict=True)
            for quad in quads
            if isinstance(quad.subject, NamedNode)
        }
        quotations = list(subgraph_of)
        sentences = await self._values(quotations, TG.source_text)
        confidences = await self._values(quotations, TG.confidence)
        facts = await self._match(QuadPattern(node, RDF.reifies) for node in quotations)
        for quotation, quads in zip(quotations, facts, strict=True):
            sentence, confidence = sentences.get(quotation, ""), float(confidences.get(quotation, "0"))
            for quad in quads:
                if isinstance(quad.object, Triple):
                    subgraph_of[quotation].quote(quad.object, sentence, confidence)

    async def _read_labels(self, subgraphs: Iterable[SubgraphContents]) -> None:
        """A node is shown as its subgraph names it, else as the knowledge graph does. Of a large import both take long,
        and are worked out beside the event loop."""
        contents = list(subgraphs)
        unnamed = await to_thread.run_sync(_unnamed, contents)
        elsewhere = await labels(self._store, self._graphs.knowledge, unnamed)
        await to_thread.run_sync(_label, contents, elsewhere)

    async def _read_texts(self, parts: Iterable[DocumentPart]) -> None:
        by_page: dict[NamedNode, list[tuple[DocumentPart, ChunkPosition]]] = defaultdict(list)
        for part in parts:
            if part.place:
                by_page[part.place.page].append((part, part.place))
        for page, placed in by_page.items():
            text = await page_text(self._library, self._collection, page)
            layout = await page_layout(self._library, self._collection, page)
            spans = [(place.start, place.end) for _, place in placed]
            contexts = (
                await to_thread.run_sync(contexts_of, text, layout, spans) if layout else ["" for _ in spans]
            )
            for (part, place), context in zip(placed, contexts, strict=True):
                part.text, part.context = text[place.start : place.end], context

    async def _values(self, nodes: Sequence[NamedNode], predicate: NamedNode) -> dict[NamedNode, str]:
        found = await self._match(QuadPattern(node, predicate) for node in nodes)
        return {
            node: min(quad.object.value for quad in quads if isinstance(quad.object, Literal))
            for node, quads in zip(nodes, found, strict=True)
            if quads
        }

    async def _match(self, patterns: Iterable[QuadPattern]) -> list[list[Quad]]:
        of_source = (replace(pattern, graph=self._graphs.source) for pattern in patterns)
        return await match_in_turns(self._store, of_source)


def _below(document: NamedNode, derived: Mapping[NamedNode, Sequence[NamedNode]]) -> Iterator[NamedNode]:
    for page in derived.get(document, ()):
        yield page
        yield from derived.get(page, ())


async def page_text(library: Library, collection: str, page: NamedNode) -> str:
    """The text of a page, or nothing where the library has lost it: `provgraph check` tells of that."""
    try:
        return await library.text(collection, page)
    except NotFound:
        return ""


def _unnamed(subgraphs: Sequence[SubgraphContents]) -> set[Term]:
    """The terms of facts that no subgraph names."""
    said = {term for each in subgraphs for r in each.readings.values() for term in fact_terms(r.fact)}
    return said - {term for each in subgraphs for term in each.names}


def _label(subgraphs: Sequence[SubgraphContents], elsewhere: Mapping[Term, str]) -> None:
    for contents in subgraphs:
        for reading in contents.readings.values():
            subject, relation, thing = (
                min(contents.names[term]) if term in contents.names else elsewhere.get(term) or stand_in(term)
                for term in fact_terms(reading.fact)
            )
            reading.labels = subject, relation, thing
