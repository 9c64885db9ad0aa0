"""Every source of a fact and every fact of a chunk, found by bound patterns only: no query here scans the
store."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, TypeVar
from urllib.parse import unquote

from provgraph.catalogue.naming import fact_terms, is_statement, labels
from provgraph.documents.text_fragments import cited_address
from provgraph.ports.quad_store import QuadPattern, QuadStore, match_in_turns
from provgraph.provenance.document_trace import ChunkQuotation
from provgraph.provenance.receipt import Receipt, read_receipt
from provgraph.provenance.trace_annotations import CitedSpan
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import subgraph_of
from provgraph.rdf.terms import Literal, NamedNode, Quad, Term, Triple
from provgraph.rdf.vocabulary import DC, PROV, RDF, RDFS, TG

Object = TypeVar("Object", NamedNode, Triple)

MOST_SOURCES: Final = 100
"""Sentences that an answer cites for one fact: a row that a table repeats 6,000 times made an answer of 4 MB."""

MANY: Final = 500
"""Sentences from which on they are put in order beside the event loop."""


@dataclass(frozen=True)
class ChunkLocation:
    """Where a chunk lies: `chunk_index` counts the page's chunks from 0, `page_number` pages from 1; `source` is the
    name of the document's file."""

    chunk: NamedNode
    chunk_index: int
    page: NamedNode
    page_number: int
    document: NamedNode
    title: str
    source: str = ""


@dataclass(frozen=True)
class Words:
    """Words of a document. `page_text[start:end] == text`, in the text of `page`.

    `page` is the page of the words; it differs from the chunk's only where a page end cuts a sentence.
    """

    place: ChunkLocation
    page: NamedNode
    page_number: int
    start: int
    end: int
    text: str

    @property
    def quotation_of_chunk(self) -> ChunkQuotation:
        """What a trace keeps of them: where they are, and not the words themselves."""
        return ChunkQuotation(
            document=self.place.document,
            page=self.page,
            page_number=self.page_number,
            chunk=self.place.chunk,
            chunk_index=self.place.chunk_index,
            start=self.start,
            end=self.end,
        )

    @property
    def address(self) -> str:
        """Where the words can be read on the web; nothing for a document without an address."""
        return cited_address(self.place.document.value, self.place.source, self.page_number, self.text)

    @property
    def cited_span(self) -> CitedSpan:
        return CitedSpan(self.page, self.start, self.end, self.text, self.address)


@dataclass(frozen=True)
class Source(Words):
    """One sentence that says a fact."""

    quotation: NamedNode
    subgraph: NamedNode
    confidence: float


@dataclass(frozen=True)
class ChunkOnPage:
    """A chunk and where its text starts in that of its page."""

    place: ChunkLocation
    offset: int


@dataclass(frozen=True)
class Extraction:
    """Who found the facts of a subgraph: `extractor` is the agent's name, `model` and `ontology` empty without one.

    `at` is when it began, in ISO 8601. With a `receipt` all of this is a claim of the file that it names.
    """

    activity: NamedNode
    extractor: str
    label: str
    version: str
    model: str
    ontology: str
    at: str
    receipt: Receipt | None = None


Description = Mapping[NamedNode, Term]


class SourceReader:
    """Looks up sources in the source graph of one collection; what it has once read it does not read again."""

    def __init__(self, store: QuadStore, graph: NamedNode) -> None:
        self._store = store
        self._graph = graph
        self._known: dict[NamedNode, Description] = {}
        self._quads: list[Quad] = []

    async def sources(
        self, facts: Sequence[Triple], *, most: int | None = None, within: Collection[NamedNode] | None = None
    ) -> dict[Triple, tuple[Source, ...]]:
        """For each fact the sentences that say it, by document, page and place; none for an unknown fact.

        All of them, or any `most` of each fact; only those of the subgraphs `within`, where they are given.
        A label or type that no quotation reifies is said by the first sentence of its subgraph about the thing.
        """
        reifying = await self._subjects(RDF.reifies, facts, most)
        if within is not None:
            reifying = {
                fact: [n for n in nodes if subgraph_of(n) in within] for fact, nodes in reifying.items()
            }
        await self._describe(set(chain.from_iterable(reifying.values())))
        naming = await self._naming(
            {
                fact: {_node(self._known[node][TG.in_subgraph]) for node in nodes}
                for fact, nodes in reifying.items()
                if not is_statement(fact)
            },
            most,
        )
        quotations = {fact: [*nodes, *naming.get(fact, ())] for fact, nodes in reifying.items()}
        every = set(chain.from_iterable(quotations.values()))
        await self._describe({_node(self._known[node][PROV.was_quoted_from]) for node in every})
        await self._read_places({_node(self._known[node][TG.in_subgraph]) for node in every})
        if len(every) > MANY:
            return await asyncio.to_thread(self._in_reading_order, quotations)
        return self._in_reading_order(quotations)

    def _in_reading_order(
        self, quotations: Mapping[Triple, Sequence[NamedNode]]
    ) -> dict[Triple, tuple[Source, ...]]:
        return {
            fact: tuple(sorted((self._source(node) for node in nodes), key=_reading_order))
            for fact, nodes in quotations.items()
        }

    async def _naming(
        self, reified: Mapping[Triple, set[NamedNode]], most: int | None
    ) -> Mapping[Triple, Sequence[NamedNode]]:
        """For each label or type the quotations that name its thing, one of each subgraph that contains it, but for
        those where it is `reified`."""
        if not reified:
            return {}
        containing = await self._subjects(TG.contains, reified, most)
        subgraphs = {
            fact: [node for node in nodes if node not in reified[fact]] for fact, nodes in containing.items()
        }
        quotations = await self._subjects(TG.in_subgraph, chain.from_iterable(subgraphs.values()))
        nodes = list(chain.from_iterable(quotations.values()))
        patterns = [QuadPattern(node, RDF.reifies, None, self._graph) for node in nodes]
        reifying = dict(zip(nodes, await self._store.match(patterns), strict=True))
        said = {
            node: {quad.object for quad in quads if isinstance(quad.object, Triple)}
            for node, quads in reifying.items()
        }
        things = {fact.subject for fact in reified}
        await self._describe({node for node in nodes if any(things & set(fact_terms(f)) for f in said[node])})
        return {
            fact: [node for subgraph in own for node in self._naming_among(fact, quotations[subgraph], said)]
            for fact, own in subgraphs.items()
        }

    async def _subjects(
        self, predicate: NamedNode, objects: Iterable[Object], most: int | None = None
    ) -> dict[Object, list[NamedNode]]:
        """For each object the subjects that the predicate ties to it, at most so many."""
        wanted = list(dict.fromkeys(objects))
        patterns = [QuadPattern(None, predicate, node, self._graph) for node in wanted]
        matched = await self._store.match(patterns, limit=most) if patterns else []
        return {
            node: [_node(quad.subject) for quad in quads] for node, quads in zip(wanted, matched, strict=True)
        }

    def _naming_among(
        self,
        fact: Triple,
        quotations: Sequence[NamedNode],
        said: Mapping[NamedNode, set[Triple]],
    ) -> list[NamedNode]:
        """The first about the thing that has its label, else the first; two where a page end cuts the sentence."""
        in_order = sorted(quotations, key=lambda node: (len(node.value), node.value))
        about = [node for node in in_order if any(fact.subject in fact_terms(other) for other in said[node])]
        label = fact.object.value if isinstance(fact.object, Literal) else ""
        naming = [node for node in about if label in _text(self._known[node][TG.source_text])] or about
        first = naming[:1]
        after = about[about.index(first[0]) + 1 :][:1] if first else []
        pages = {self._known[node][PROV.was_quoted_from] for node in (*first, *after)}
        return [*first, *after] if len(pages) > 1 and said[first[0]] == said[after[0]] else first

    async def places(self, subgraphs: Iterable[NamedNode]) -> dict[NamedNode, ChunkLocation]:
        """The chunk, page and document of each subgraph."""
        nodes = set(subgraphs)
        await self._read_places(nodes)
        return {node: self._place(node) for node in nodes}

    async def chunk_places(
        self, chunks: Iterable[NamedNode], documents: Iterable[NamedNode] = ()
    ) -> dict[NamedNode, ChunkOnPage]:
        """The place of each chunk that there is; `documents` that they are known to be of are read along."""
        nodes = set(chunks)
        await self._describe(nodes.union(documents))
        known = {node for node in nodes if self._known[node]}
        await self._read_above(known, ("page", "document"))
        return {
            node: ChunkOnPage(self._place_of_chunk(node), _integer(self._known[node][TG.char_offset]))
            for node in known
        }

    async def subgraphs(self, facts: Sequence[Triple]) -> dict[Triple, tuple[NamedNode, ...]]:
        """For each fact all subgraphs that contain it, in the order of their IRIs."""
        patterns = [QuadPattern(predicate=TG.contains, object=fact, graph=self._graph) for fact in facts]
        found = await self._store.match(patterns)
        self._quads += [quad for quads in found for quad in quads]
        return {
            fact: tuple(sorted((_node(quad.subject) for quad in quads), key=lambda node: node.value))
            for fact, quads in zip(facts, found, strict=True)
        }

    async def extractions(self, subgraphs: Iterable[NamedNode]) -> dict[NamedNode, Extraction]:
        """Who found the facts of each subgraph, with what."""
        nodes = list(dict.fromkeys(subgraphs))
        patterns = [QuadPattern(node, PROV.was_generated_by, None, self._graph) for node in nodes]
        patterns += [QuadPattern(node, RDF.type, None, self._graph) for node in nodes]
        patterns += [QuadPattern(node, TG.received_in, None, self._graph) for node in nodes]
        read = [quad for quads in await self._store.match(patterns) for quad in quads]
        self._quads += read
        made = [quad for quad in read if quad.predicate == PROV.was_generated_by]
        activity = {quad.subject: _node(quad.object) for quad in made}
        await self._describe(set(activity.values()))
        agents = {node: _node(self._known[node][PROV.was_associated_with]) for node in activity.values()}
        received = {quad.subject: _node(quad.object) for quad in read if quad.predicate == TG.received_in}
        await self._describe({*agents.values(), *received.values()})
        return {
            node: self._extraction(activity[node], received.get(node)) for node in nodes if node in activity
        }

    async def _read_places(self, subgraphs: set[NamedNode]) -> None:
        await self._describe(subgraphs, PROV.was_derived_from)
        await self._read_above(subgraphs, ("chunk", "page", "document"))

    async def _read_above(self, nodes: set[NamedNode], levels: Sequence[str]) -> None:
        level = nodes
        for _ in levels:
            level = {_node(self._known[node][PROV.was_derived_from]) for node in level}
            await self._describe(level)

    async def _describe(self, nodes: set[NamedNode], predicate: NamedNode | None = None) -> None:
        unknown = [node for node in nodes if node not in self._known]
        patterns = (QuadPattern(subject=node, predicate=predicate, graph=self._graph) for node in unknown)
        for node, quads in zip(unknown, await match_in_turns(self._store, patterns), strict=True):
            self._known[node] = _description(quads)
            self._quads += quads

    @property
    def quads(self) -> Sequence[Quad]:
        """Everything that was read for the answers given so far: the chains of source provenance."""
        return self._quads

    def _source(self, quotation: NamedNode) -> Source:
        said = self._known[quotation]
        page = _node(said[PROV.was_quoted_from])
        start = _integer(said[TG.source_char_offset])
        subgraph = _node(said[TG.in_subgraph])
        return Source(
            quotation=quotation,
            subgraph=subgraph,
            place=self._place(subgraph),
            page=page,
            page_number=_integer(self._known[page][TG.page_number]),
            start=start,
            end=start + _integer(said[TG.source_char_length]),
            text=_text(said[TG.source_text]),
            confidence=float(_text(said[TG.confidence])),
        )

    def _extraction(self, activity: NamedNode, receipt: NamedNode | None) -> Extraction:
        said = self._known[activity]
        agent = _node(said[PROV.was_associated_with])
        ontology = said.get(TG.ontology)
        return Extraction(
            activity=activity,
            extractor=unquote(agent.value.rpartition(":")[2]),
            label=_text(self._known[agent][RDFS.label]),
            version=_text(said[TG.component_version]),
            model=_text(said[TG.llm_model]) if TG.llm_model in said else "",
            ontology=ontology.value if isinstance(ontology, NamedNode) else "",
            at=_text(said[PROV.started_at_time]),
            receipt=read_receipt(self._known[receipt]) if receipt else None,
        )

    def _place(self, subgraph: NamedNode) -> ChunkLocation:
        return self._place_of_chunk(_node(self._known[subgraph][PROV.was_derived_from]))

    def _place_of_chunk(self, chunk: NamedNode) -> ChunkLocation:
        page = _node(self._known[chunk][PROV.was_derived_from])
        document = _node(self._known[page][PROV.was_derived_from])
        return ChunkLocation(
            chunk=chunk,
            chunk_index=_integer(self._known[chunk][TG.chunk_index]),
            page=page,
            page_number=_integer(self._known[page][TG.page_number]),
            document=document,
            title=_text(self._known[document][DC.title]),
            source=_text(said) if (said := self._known[document].get(DC.source)) else "",
        )


def _reading_order(source: Source) -> tuple[str, int, int]:
    return source.place.document.value, source.page_number, source.start


def _description(quads: Sequence[Quad]) -> Description:
    """The single-valued properties of a node, without the facts that a subgraph or quotation lists."""
    return {quad.predicate: quad.object for quad in quads if not isinstance(quad.object, Triple)}


def _node(term: object) -> NamedNode:
    if not isinstance(term, NamedNode):
        raise TypeError(f"expected an IRI in the source graph, found {term}")
    return term


def _text(term: Term) -> str:
    if not isinstance(term, Literal):
        raise TypeError(f"expected a literal in the source graph, found {term}")
    return term.value


def _integer(term: Term) -> int:
    return int(_text(term))


@dataclass(frozen=True)
class ChunkFact:
    """A fact in readable labels, as one sentence says it."""

    subject: str
    relation: str
    object: str
    source: Source


async def chunk_facts(
    store: QuadStore, graphs: CollectionGraphs, chunks: Iterable[NamedNode]
) -> list[ChunkFact]:
    """Every fact that was read in these chunks, by each of its sentences there, in the order of the chunks."""
    derived = await store.match(
        [QuadPattern(None, PROV.was_derived_from, chunk, graphs.source) for chunk in dict.fromkeys(chunks)]
    )
    subgraphs = [quad.subject for quads in derived for quad in quads if isinstance(quad.subject, NamedNode)]
    contained = await store.match([QuadPattern(node, TG.contains, None, graphs.source) for node in subgraphs])
    facts = list(
        dict.fromkeys(
            quad.object
            for quads in contained
            for quad in quads
            if isinstance(quad.object, Triple) and is_statement(quad.object)
        )
    )
    own = set(subgraphs)
    sources = await SourceReader(store, graphs.source).sources(facts, within=own)
    names = await labels(store, graphs.knowledge, [term for fact in facts for term in fact_terms(fact)])
    return [
        ChunkFact(names[fact.subject], names[fact.predicate], names[fact.object], source)
        for fact in facts
        for source in sources[fact]
        if source.subgraph in own
    ]
