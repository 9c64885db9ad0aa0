"""A document ingested again: what stands in both versions stays, what is gone goes, and older readings of the
same extractors are retired."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final
from uuid import uuid4

from provgraph.extraction.facts import ExtractorProfile
from provgraph.extraction.names import SUPERSEDES
from provgraph.ingestion.events import RevisedChunks
from provgraph.ingestion.planning import PlannedChunk, PlannedDocument, PlannedPage
from provgraph.ingestion.recording import Recorder
from provgraph.ingestion.removal.document_closure import (
    CascadeChange,
    DocumentClosure,
    losses,
    read_holdings,
    taken,
)
from provgraph.ingestion.removal.outbox import clearing_quads
from provgraph.ports.quad_store import QuadStore, StoreChange, StoreReader
from provgraph.provenance.change import ChangeRecord, replacement_quads, revision_quads
from provgraph.rdf import literals
from provgraph.rdf.iris import agent_iri, change_iri, collection_iri
from provgraph.rdf.terms import NamedNode, Quad, Triple
from provgraph.rdf.vocabulary import PROV, TG
from provgraph.traces.stale_answers import Losses, StaleAnswers

_PLACE = (PROV.was_quoted_from, TG.source_char_offset)


@dataclass(frozen=True)
class RevisedPositions:
    """The chunks and subgraphs that stay; the quads of their old places go, and those of the new ones come."""

    chunks: Mapping[NamedNode, PlannedChunk]
    subgraphs: frozenset[NamedNode]
    removed: Sequence[Quad]
    added: Sequence[Quad]


def placement(
    document: PlannedDocument,
    holdings: DocumentClosure,
    recorder: Recorder,
    profiles: Sequence[ExtractorProfile],
) -> RevisedPositions:
    """A chunk stays that stands in both versions. A subgraph stays with its chunk, if its quotations can be placed,
    and if the extractor that made it is not one that reads the chunk now and would make another of it."""
    chunks = {chunk.iri: chunk for chunk in document.chunks if chunk.iri in holdings.quads}
    wanted = {recorder.subgraph_iri(chunk, profile) for chunk in chunks.values() for profile in profiles}
    readers = {agent_iri(profile.name) for profile in profiles}
    moves = _Moves(holdings, chunks)
    staying: set[NamedNode] = set()
    added = [quad for chunk in chunks.values() for quad in recorder.chunk(chunk).quads]
    removed = [quad for chunk in chunks for quad in holdings.quads[chunk]]
    quotations: dict[NamedNode, list[NamedNode]] = {node: [] for node in holdings.subgraphs}
    for quotation in holdings.quotations:
        quotations[holdings.origin[quotation]].append(quotation)
    for subgraph, said in quotations.items():
        if subgraph not in wanted and reader_of(holdings, subgraph) in readers:
            continue
        placed = moves.of(subgraph, said)
        if placed is not None:
            staying.add(subgraph)
            added += placed
            removed += [quad for node in said for quad in holdings.quads[node] if quad.predicate in _PLACE]
    return RevisedPositions(chunks, frozenset(staying), removed, added)


@dataclass(frozen=True)
class _Moves:
    holdings: DocumentClosure
    chunks: Mapping[NamedNode, PlannedChunk]

    def of(self, subgraph: NamedNode, quotations: Sequence[NamedNode]) -> list[Quad] | None:
        """The new places of a subgraph's quotations; None where its chunk is gone or one has no place."""
        chunk = self.chunks.get(self.holdings.origin[subgraph])
        if chunk is None:
            return None
        moved: list[Quad] = []
        for quotation in quotations:
            place = self._place(chunk, quotation)
            if place is None:
                return None
            page, offset = place
            graph = self.holdings.quads[quotation][0].graph_name
            moved += [
                Quad(quotation, PROV.was_quoted_from, page.iri, graph),
                Quad(quotation, TG.source_char_offset, literals.integer(offset), graph),
            ]
        return moved

    def _place(self, chunk: PlannedChunk, quotation: NamedNode) -> tuple[PlannedPage, int] | None:
        """On the chunk's page words move with the chunk; on the next they stand in what continues its last sentence."""
        holdings, cut = self.holdings, chunk.chunk
        text = holdings.text(quotation, TG.source_text)
        if holdings.iri(quotation, PROV.was_quoted_from) == holdings.origin[chunk.iri]:
            page = chunk.page
            before = holdings.integer(chunk.iri, TG.char_offset)
            offset = holdings.integer(quotation, TG.source_char_offset) + cut.start - before
        elif chunk.next_page and text in cut.continuation:
            page = chunk.next_page
            offset = cut.continuation_start + cut.continuation.index(text)
        else:
            return None
        stands = page.page.text[offset : offset + len(text)] == text
        return (page, offset) if stands else None


def reader_of(holdings: DocumentClosure, subgraph: NamedNode) -> NamedNode | None:
    """The agent that made a subgraph."""
    for activity in holdings.activities.get(subgraph, ()):
        agent = holdings.value(activity, PROV.was_associated_with)
        if isinstance(agent, NamedNode):
            return agent
    return None


@dataclass(frozen=True)
class Replacement:
    """Retires the older readings of a document that was just read with these profiles."""

    collection: str
    document: PlannedDocument
    recorder: Recorder
    profiles: Sequence[ExtractorProfile]
    record: ChangeRecord

    def decide(self, reader: StoreReader) -> StoreChange[int]:
        """How many subgraphs went."""
        graphs = self.recorder.graphs
        holdings = read_holdings(reader, self.document.iri, graphs.source)
        retired = self._retired(holdings) if holdings else set()
        if holdings is None or not retired:
            return StoreChange(0)
        going = taken(reader, graphs, holdings, holdings.below(retired))
        answers = StaleAnswers(reader, self.record, graphs.retrieval)
        no_longer_said = losses(holdings, _no_longer_said(holdings, retired), going.support.gone)
        aftermath = answers.marks(Losses(no_longer_said), "was read anew", lambda _: False)
        counts = {**going.counts(holdings), TG.stale_answers: len(aftermath.stale)}
        added = [
            *replacement_quads(self.record, counts, graphs.source),
            *aftermath.added,
            *clearing_quads(self.collection, indexed=[self.document.iri]),
        ]
        return StoreChange(len(retired), [*going.removed, *aftermath.removed], added)

    def _retired(self, holdings: DocumentClosure) -> set[NamedNode]:
        """Per chunk and extractor: what is not its reading of now, where that is there."""
        current: dict[tuple[NamedNode, NamedNode | None], NamedNode] = {
            (chunk.iri, agent_iri(name)): self.recorder.subgraph_iri(chunk, profile)
            for chunk in self.document.chunks
            for profile in self.profiles
            for name in (*SUPERSEDES.get(profile.name, ()), profile.name)
        }
        stored = set(holdings.subgraphs)
        retired = set()
        for node in holdings.subgraphs:
            now = current.get((holdings.origin[node], reader_of(holdings, node)))
            if now in stored and now != node:
                retired.add(node)
        return retired


def _no_longer_said(holdings: DocumentClosure, retired: set[NamedNode]) -> dict[NamedNode, list[Triple]]:
    """The facts of each retired subgraph that no subgraph of its chunk says any more."""
    said: dict[NamedNode, set[Triple]] = {}
    for node in holdings.subgraphs:
        if node not in retired:
            said.setdefault(holdings.origin[node], set()).update(holdings.facts(node))
    return {
        node: [fact for fact in holdings.facts(node) if fact not in said.get(holdings.origin[node], ())]
        for node in retired
    }


@dataclass(frozen=True)
class Revision:
    """Puts a planned document in the place of what the store holds of it, for the extractors of an ingest."""

    collection: str
    document: PlannedDocument
    recorder: Recorder
    profiles: Sequence[ExtractorProfile]
    record: ChangeRecord

    def decide(self, reader: StoreReader) -> StoreChange[RevisedChunks | None]:
        """None where there is nothing to revise: no such document, or these very bytes."""
        document, graphs = self.document, self.recorder.graphs
        holdings = read_holdings(reader, document.iri, graphs.source)
        if holdings is None or holdings.versions == [document.version]:
            return StoreChange(None)
        placed = placement(document, holdings, self.recorder, self.profiles)
        version = [quad for unit in self.recorder.document(document) for quad in unit.quads]
        going = taken(reader, graphs, holdings, _going(holdings, placed), version)
        changes = _changes(document, holdings)
        text = "\0".join(page.page.text for page in document.pages)
        answers = StaleAnswers(reader, self.record, graphs.retrieval)
        aftermath = answers.marks(going.losses, "was revised", lambda words: words in text)
        counts = {
            **_counts(going, holdings, changes),
            TG.stale_answers: len(aftermath.stale),
        }
        versions = (document.version, holdings.versions[0])
        contents = [document.iri, *holdings.versions, *holdings.pages]
        added = [
            *version,
            *placed.added,
            *revision_quads(self.record, counts, versions, graphs.source),
            *aftermath.added,
            *clearing_quads(self.collection, contents, [document.iri]),
        ]
        return StoreChange(changes, [*going.removed, *placed.removed, *aftermath.removed], added)


def _going(holdings: DocumentClosure, placed: RevisedPositions) -> set[NamedNode]:
    """Everything but the chunks and subgraphs that stay, with the quotations and activities of those.

    What failed at a chunk that stays is still to be read.
    """
    attempts = {activity for chunk in placed.chunks for activity in holdings.activities.get(chunk, ())}
    return set(holdings.nodes) - set(placed.chunks) - attempts - holdings.below(placed.subgraphs)


def _counts(going: CascadeChange, holdings: DocumentClosure, changes: RevisedChunks) -> dict[NamedNode, int]:
    return {
        **going.counts(holdings),
        TG.kept_chunks: changes.kept,
        TG.changed_chunks: changes.changed,
        TG.added_chunks: changes.added,
    }


def _changes(document: PlannedDocument, holdings: DocumentClosure) -> RevisedChunks:
    """Chunks in reading order, before and after: where some take the place of others, they are changed."""
    place = {
        chunk: (
            holdings.integer(holdings.origin[chunk], TG.page_number),
            holdings.integer(chunk, TG.chunk_index),
        )
        for chunk in holdings.chunks
    }
    before = [chunk.value for chunk in sorted(holdings.chunks, key=lambda chunk: place[chunk])]
    after = [chunk.iri.value for chunk in document.chunks]
    changed = added = removed = 0
    for kind, start, stop, new_start, new_stop in SequenceMatcher(
        None, before, after, autojunk=False
    ).get_opcodes():
        if kind != "equal":
            old = len(set(before[start:stop]) - set(after))
            new = len(set(after[new_start:new_stop]) - set(before))
            changed += min(old, new)
            removed += old - min(old, new)
            added += new - min(old, new)
    return RevisedChunks(len(set(before) & set(after)), changed, added, removed)


BY: Final = "ingest"


@dataclass(frozen=True)
class Renewal:
    """`profiles` are the extractors of one ingest into one collection."""

    store: QuadStore
    collection: str
    recorder: Recorder
    profiles: Sequence[ExtractorProfile]

    async def revise(self, document: PlannedDocument) -> RevisedChunks | None:
        """Put the document in the place of another version; None where the store has no other."""
        revision = Revision(self.collection, document, self.recorder, self.profiles, self._record(document))
        return await self.store.transact(revision.decide)

    async def replace(self, document: PlannedDocument) -> int:
        """Retire what these extractors read in the document before; tells how many subgraphs went."""
        replacement = Replacement(
            self.collection, document, self.recorder, self.profiles, self._record(document)
        )
        return await self.store.transact(replacement.decide)

    def _record(self, document: PlannedDocument) -> ChangeRecord:
        collection = collection_iri(self.collection)
        return ChangeRecord(change_iri(str(uuid4())), document.iri, collection, BY, self.recorder.at)
