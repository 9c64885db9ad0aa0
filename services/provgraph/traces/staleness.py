"""Whether an answer still stands on what it stood on, and the words that each of its sentences cites, as far as
documents, or pages that are kept for traces, have them.

Two things make it stale. What it stood on was deleted or changed: that is recorded, by whatever took it away. Or
something that was read after it contradicts it: that is found whenever somebody looks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from provgraph.catalogue.contradictions import contradictable
from provgraph.catalogue.documents import files_of, titles_of
from provgraph.catalogue.lineage import FactLineage, Lineages, lineages
from provgraph.catalogue.sources import ChunkLocation, Words
from provgraph.documents.library import Library
from provgraph.errors import NotFound
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.provenance.nodes import Nodes
from provgraph.provenance.trace_reading import TracedSession
from provgraph.rdf.graphs import CollectionGraphs, collection_graphs, retrieval_graph
from provgraph.rdf.iris import SessionNames, session_uuid
from provgraph.rdf.terms import Literal, NamedNode, Quad, Term, Triple
from provgraph.rdf.vocabulary import PROV, RDF, TG


@dataclass(frozen=True)
class Staleness:
    """Why an answer is stale: `lost` as recorded, `doubts` as found now. Without reasons it is not."""

    lost: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def reasons(self) -> tuple[str, ...]:
        return (*self.lost, *self.doubts)


def staleness(
    session: TracedSession, recorded: Sequence[str], facts: Sequence[Triple], found: Lineages
) -> Staleness:
    """Of an answer with these selected `facts`; those in doubt must have their lineages among `found`."""
    ended = session.ended or session.started
    known = [found.of[fact] for fact in facts if fact in found.of]
    gone = [] if recorded else [lineage.fact for lineage in known if not lineage.sources]
    lost = [f"No document says {_named(fact, found)} any more." for fact in gone]
    doubts = [doubt for lineage in known for doubt in _doubts(lineage, found, ended)]
    return Staleness(tuple(sorted(recorded)) + tuple(lost), tuple(dict.fromkeys(doubts)))


@dataclass(frozen=True)
class StalenessReader:
    """Looks many sessions up at once, by bound patterns only."""

    store: QuadStore
    explain_collection: str

    async def of(self, sessions: Sequence[TracedSession]) -> dict[NamedNode, Staleness]:
        """The staleness of each session's answer, by the session's IRI."""
        names = {session.iri: SessionNames(session.iri.value.rpartition(":")[2]) for session in sessions}
        recorded = await self._objects([name.step("answer") for name in names.values()], TG.stale_because)
        selected = await self._objects([name.step("selection") for name in names.values()], TG.selected_edge)
        nodes = [edge for edges in selected.values() for edge in edges if isinstance(edge, NamedNode)]
        edges = await self._objects(nodes, TG.edge)
        facts = {
            session.iri: [
                fact
                for edge in selected[names[session.iri].step("selection")]
                for fact in edges.get(edge, ())
                if isinstance(fact, Triple)
            ]
            for session in sessions
        }
        found = await self._lineages(sessions, facts)
        return {
            session.iri: staleness(
                session,
                [_text(reason) for reason in recorded[names[session.iri].step("answer")]],
                facts[session.iri],
                found[session.collection],
            )
            for session in sessions
        }

    async def _objects(self, nodes: Sequence[NamedNode], predicate: NamedNode) -> dict[Term, list[Term]]:
        graph = retrieval_graph(self.explain_collection)
        found: list[list[Quad]] = await self.store.match(
            [QuadPattern(node, predicate, None, graph) for node in nodes]
        )
        return {node: [quad.object for quad in quads] for node, quads in zip(nodes, found, strict=True)}

    async def _lineages(
        self, sessions: Sequence[TracedSession], facts: Mapping[NamedNode, Sequence[Triple]]
    ) -> dict[str, Lineages]:
        asked: dict[str, dict[Triple, None]] = defaultdict(dict)
        for session in sessions:
            asked[session.collection].update(dict.fromkeys(facts[session.iri]))
        return {
            collection: await self._looked_up(collection, list(each)) for collection, each in asked.items()
        }

    async def _looked_up(self, collection: str, facts: Sequence[Triple]) -> Lineages:
        """The lineages of those facts that may make an answer stale: contradictable, or not asserted any more."""
        graphs = collection_graphs(collection, self.explain_collection)
        asserted = await self.store.contains(
            [Quad(fact.subject, fact.predicate, fact.object, graphs.knowledge) for fact in facts]
        )
        may_change = set(await contradictable(self.store, graphs, facts))
        asked = [
            fact for fact, is_there in zip(facts, asserted, strict=True) if fact in may_change or not is_there
        ]
        return await lineages(self.store, graphs, asked)


def _doubts(lineage: FactLineage, found: Lineages, ended: str) -> Iterator[str]:
    """What contradicts a fact and was in no document when the session ended."""
    for rival in lineage.contradictions:
        read = [
            found.extractions[source.subgraph].at
            for source in rival.sources
            if source.subgraph in found.extractions
        ]
        if read and all(_moment(at) > _moment(ended) for at in read):
            yield (
                f"{_named(lineage.fact, found)} is contradicted by {_named(rival.fact, found)}, which was read after "
                f"it, in {rival.sources[0].place.title!r}."
            )


def _named(fact: Triple, found: Lineages) -> str:
    return f"({found.labels[fact.subject]}, {found.labels[fact.predicate]}, {found.labels[fact.object]})"


def _text(term: Term) -> str:
    return term.value if isinstance(term, Literal) else str(term)


def _moment(at: str) -> str:
    """A time without its Z, which would put 05.75Z after 05.751Z: fractions have no fixed length."""
    return at.removesuffix("Z")


WordsOfQuotations = Mapping[NamedNode, Words]


def words_of_facts(lineages: Lineages) -> dict[NamedNode, Words]:
    """By quotation, the sentences that say the facts: what an answer from edges cites."""
    return {source.quotation: source for lineage in lineages.of.values() for source in lineage.sources}


@dataclass(frozen=True)
class ChunkWords:
    """Looks up what an answer from chunks cites: spans of pages, whose words the library has.

    A trace says where the words are, so that they are found also when the document has been revised since, as long as
    the library keeps the page for it. `graph` is the source graph of the collection.
    """

    store: QuadStore
    library: Library
    collection: str
    graph: NamedNode

    async def of(self, quads: Sequence[Quad]) -> dict[NamedNode, Words]:
        """By quotation; one whose document is gone is left out."""
        nodes = Nodes(quads)
        quotations = nodes.pointing_to(RDF.type, TG.ChunkQuotation)
        of_document = {node: nodes.iris(node, TG.source_document)[0] for node in quotations}
        titles = await titles_of(self.store, self.graph, of_document.values())
        files = await files_of(self.store, self.graph, titles)
        found: dict[NamedNode, Words] = {}
        for node, document in of_document.items():
            names = (titles.get(document, ""), files.get(document, ""))
            if document in titles and (words := await self._words(nodes, node, document, names)):
                found[node] = words
        return found

    async def _words(
        self, nodes: Nodes, node: NamedNode, document: NamedNode, names: tuple[str, str]
    ) -> Words | None:
        """`names` are the title and the file name of the document."""
        (page,) = nodes.iris(node, PROV.was_quoted_from)
        try:
            text = await self.library.text(self.collection, page)
        except NotFound:
            return None
        number = nodes.integer(node, TG.page_number)
        start = nodes.integer(node, TG.source_char_offset)
        end = start + nodes.integer(node, TG.source_char_length)
        (chunk,) = nodes.iris(node, TG.in_chunk)
        place = ChunkLocation(chunk, nodes.integer(node, TG.chunk_index), page, number, document, *names)
        return Words(place, page, number, start, end, text[start:end])


async def release_pages(
    store: QuadStore,
    library: Library,
    session: TracedSession,
    graphs: CollectionGraphs,
    pages: Iterable[NamedNode],
) -> None:
    """Remove the texts of these pages, where neither a document has them nor a trace but `session` quotes them.

    For whoever removes traces: the pages are what the past quotations of `session` were quoted from. Done before these
    go, so that a removal that is cut off finds them again.
    """
    for page in dict.fromkeys(pages):
        described, quoted = await store.match(
            [
                QuadPattern(page, graph=graphs.source),
                QuadPattern(None, PROV.was_quoted_from, page, graphs.retrieval),
            ]
        )
        own = session_uuid(session.iri)
        if not described and all(session_uuid(quad.subject) == own for quad in quoted):
            await library.drop(session.collection, page)
