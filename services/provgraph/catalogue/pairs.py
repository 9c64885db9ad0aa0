"""The question-answer pairs of a collection as the store has them, by bound patterns only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from provgraph.catalogue.naming import is_statement
from provgraph.catalogue.sources import ChunkLocation, SourceReader
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.terms import Literal, NamedNode, Quad, Triple
from provgraph.rdf.vocabulary import PROV, RDF, TG


@dataclass(frozen=True)
class StoredPair:
    """A pair and the words of `page` that it was made of: `text` stands from `start` to `end`.

    `facts` are the statements that were drawn from it.
    """

    iri: NamedNode
    subgraph: NamedNode
    page: NamedNode
    start: int
    end: int
    text: str
    question: str
    answer: str
    clause: str
    facts: tuple[Triple, ...]


@dataclass(frozen=True)
class PairCatalogue:
    store: QuadStore
    graphs: CollectionGraphs

    async def nodes(self) -> list[NamedNode]:
        """The IRIs of all pairs: a pair of one IRI asks and answers the same for ever."""
        (quads,) = await self.store.match(
            [QuadPattern(None, RDF.type, TG.QuestionAnswerPair, self.graphs.source)]
        )
        return [quad.subject for quad in quads if isinstance(quad.subject, NamedNode)]

    async def pairs(self, nodes: Sequence[NamedNode]) -> list[StoredPair]:
        """The pairs of these IRIs, without those that are gone."""
        patterns = [QuadPattern(node, graph=self.graphs.source) for node in nodes]
        found = await self.store.match(patterns)
        return [_pair(node, quads) for node, quads in zip(nodes, found, strict=True) if _is_whole(quads)]

    async def in_order(self, document: NamedNode | None = None) -> list[PlacedPair]:
        """All pairs, or those of one document, as their documents have them."""
        pairs = await self.pairs(await self.nodes())
        reader = SourceReader(self.store, self.graphs.source)
        places = await reader.places(pair.subgraph for pair in pairs)
        placed = (PlacedPair(pair, places[pair.subgraph]) for pair in pairs)
        return sorted(
            (pair for pair in placed if document is None or pair.place.document == document),
            key=lambda pair: (
                pair.place.title.casefold(),
                pair.place.document.value,
                pair.page_number,
                pair.pair.start,
                pair.pair.iri.value,
            ),
        )


@dataclass(frozen=True)
class PlacedPair:
    pair: StoredPair
    place: ChunkLocation

    @property
    def page_number(self) -> int:
        """Of the page of its words, which may be the one after the chunk's."""
        return self.place.page_number + (self.pair.page != self.place.page)


def _is_whole(quads: Iterable[Quad]) -> bool:
    nodes = {quad.predicate for quad in quads}
    return {TG.pair_question, TG.pair_answer, TG.in_subgraph, PROV.was_quoted_from} <= nodes


def _pair(node: NamedNode, quads: Sequence[Quad]) -> StoredPair:
    said = {quad.predicate: quad.object for quad in quads}
    facts = [quad.object for quad in quads if quad.predicate == RDF.reifies]

    def text(predicate: NamedNode) -> str:
        value = said.get(predicate)
        return value.value if isinstance(value, Literal) else ""

    def iri(predicate: NamedNode) -> NamedNode:
        value = said[predicate]
        assert isinstance(value, NamedNode)
        return value

    start = int(text(TG.source_char_offset))
    return StoredPair(
        iri=node,
        subgraph=iri(TG.in_subgraph),
        page=iri(PROV.was_quoted_from),
        start=start,
        end=start + int(text(TG.source_char_length)),
        text=text(TG.source_text),
        question=text(TG.pair_question),
        answer=text(TG.pair_answer),
        clause=text(TG.clause),
        facts=tuple(fact for fact in facts if isinstance(fact, Triple) and is_statement(fact)),
    )
