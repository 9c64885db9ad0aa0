"""What a claim is judged by: the retrieved chunks, their sentences, and the facts that were read from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from provgraph.catalogue.naming import fact_terms, is_statement, labels
from provgraph.catalogue.sources import ChunkPlace, Source, SourceReader, Words
from provgraph.language.sentences import sentence_spans
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.ports.retriever import ChunkHit
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.terms import NamedNode, Term, Triple
from provgraph.rdf.vocabulary import PROV, TG


@dataclass(frozen=True)
class Passage:
    """A retrieved chunk and where it stands; `rank` counts from 1."""

    hit: ChunkHit
    at: ChunkPlace
    rank: int

    def words(self, start: int, end: int) -> Words:
        """A span of the chunk's text as a span of its page."""
        place = self.at.place
        return Words(
            place=place,
            page=place.page,
            page_number=place.page_number,
            start=self.at.offset + start,
            end=self.at.offset + end,
            text=self.hit.text[start:end],
        )

    @cached_property
    def sentences(self) -> tuple[Words, ...]:
        return tuple(self.words(start, end) for start, end in sentence_spans(self.hit.text))


@dataclass(frozen=True)
class GraphFact:
    """A fact that passages say, the best of them at `rank`; `triple` is None for one that a model read just now.

    `labels` are subject, relation and object in words, `ends` what the two ends of the fact are known by, `words` the
    sentences that say it.
    """

    labels: tuple[str, str, str]
    ends: tuple[str, str]
    confidence: float
    rank: int
    words: tuple[Words, ...]
    triple: Triple | None = None


async def passages(reader: SourceReader, hits: Sequence[ChunkHit]) -> list[Passage]:
    """The chunks that the store has, in the order of the hits."""
    places = await reader.chunk_places([hit.chunk for hit in hits])
    found = [hit for hit in hits if hit.chunk in places]
    return [Passage(hit, places[hit.chunk], rank) for rank, hit in enumerate(found, 1)]


@dataclass(frozen=True)
class FactReader:
    """Finds the facts of chunks in the store of one collection, by bound patterns only."""

    store: QuadStore
    graphs: CollectionGraphs

    async def facts(self, reader: SourceReader, found: Sequence[Passage]) -> list[GraphFact]:
        """What the store has read from the passages, each fact once."""
        ranks = {passage.hit.chunk: passage.rank for passage in found}
        triples = await self._contained(list(ranks))
        sources = await reader.sources(triples)
        terms = [term for triple in triples for term in fact_terms(triple)]
        names = await labels(self.store, self.graphs.knowledge, terms)
        own = {
            triple: [source for source in sources[triple] if source.place.chunk in ranks]
            for triple in triples
        }
        return [_fact(triple, names, said, ranks) for triple, said in own.items() if said]

    async def _contained(self, chunks: Sequence[NamedNode]) -> list[Triple]:
        """The statements of the subgraphs of the chunks."""
        source = self.graphs.source
        derived = await self.store.match(
            [QuadPattern(None, PROV.was_derived_from, chunk, source) for chunk in chunks]
        )
        subgraphs = [quad.subject for quads in derived for quad in quads]
        read = await self.store.match(
            [
                QuadPattern(node, TG.contains, None, source)
                for node in subgraphs
                if isinstance(node, NamedNode)
            ]
        )
        facts = dict.fromkeys(quad.object for quads in read for quad in quads)
        return [fact for fact in facts if isinstance(fact, Triple) and is_statement(fact)]


def _fact(
    triple: Triple, names: Mapping[Term, str], said: Sequence[Source], ranks: Mapping[NamedNode, int]
) -> GraphFact:
    subject, relation, object_ = fact_terms(triple)
    return GraphFact(
        labels=(names[subject], names[relation], names[object_]),
        ends=(str(subject), str(object_)),
        confidence=max(source.confidence for source in said),
        rank=min(ranks[source.place.chunk] for source in said),
        words=tuple(said),
        triple=triple,
    )
