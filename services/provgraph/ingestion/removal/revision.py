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
from provgraph.ingestion.planning import PlannedChunk, PlannedDocument, PlannedPage
from provgraph.ingestion.recording import Recorder
from provgraph.ingestion.removal.document_closure import (
    CascadeChange,
    DocumentClosure,
    losses,
    read_closure,
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
from provgraph.wire.documents import ChunkChanges

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
    closure: DocumentClosure,
    recorder: Recorder,
    profiles: Sequence[ExtractorProfile],
) -> RevisedPositions:
    """A chunk stays that stands in both versions. A subgraph stays with its chunk, if its quotations can be placed,
    and if the extractor that made it is not one that reads the chunk now and would make another of it."""
    chunks = {chunk.iri: chunk for chunk in document.chunks if chunk.iri in closure.quads}
    nodes = {recorder.subgraph_iri(chunk, profile) for chunk in chunks.values() for profile in profiles}
    readers = {agent_iri(profile.name) for profile in profiles}
    moves = _Moves(closure, chunks)
    staying: set[NamedNode] = set()
    added = [quad for chunk in chunks.values() for quad in recorder.chunk(chunk).quads]
    removed = [quad for chunk in chunks for quad in closure.quads[chunk]]
    quotations: dict[NamedNode, list[NamedNode]] = {node: [] for node in closure.subgraphs}
    for quotation in closure.quotations:
        quotations[closure.origin[quotation]].append(quotation)
    for subgraph, named_nodes in quotations.items():
        if subgraph not in nodes and reader_of(closure, subgraph) in readers:
            continue
        placed = moves.of(subgraph, named_nodes)
        if placed is not None:
            staying.add(subgraph)
            added += placed
            removed += [
                quad for node in named_nodes for quad in closure.quads[node] if quad.predicate in _PLACE
            ]
    return RevisedPositions(chunks, frozenset(staying), removed, added)


@dataclass(frozen=True)
class _Moves:
    closure: DocumentClosure
    chunks: Mapping[NamedNode, PlannedChunk]

    def of(self, subgraph: NamedNode, quotations: Sequence[NamedNode]) -> list[Quad] | None:
        """The new places of a subgraph's quotations; None where its chunk is gone or one has no place."""
        chunk = self.chunks.get(self.closure.origin[subgraph])
        if chunk is None:
            return None
        moved: list[Quad] = []
        for quotation in quotations:
            place = self._place(chunk, quotation)
            if place is None:
                return None
            page, offset = place
            graph = self.closure.quads[quotation][0].graph_name
            moved += [
                Quad(quotation, PROV.was_quoted_from, page.iri, graph),
                Quad(quotation, TG.source_char_offset, literals.integer(offset), graph),
            ]
        return moved

    def _place(self, chunk: PlannedChunk, quotation: NamedNode) -> tuple[PlannedPage, int] | None:
        """On the chunk's page words move with the chunk; on the next they stand in what continues its last sentence."""
        closure, cut = self.closure, chunk.chunk
        text = closure.text(quotation, TG.source_text)
        if closure.iri(quotation, PROV.was_quoted_from) == closure.origin[chunk.iri]:
            page = chunk.page
            before = closure.integer(chunk.iri, TG.char_offset)
            offset = closure.integer(quotation, TG.source_char_offset) + cut.start - before
        elif chunk.next_page and text in cut.continuation:
            page = chunk.next_page
            offset = cut.continuation_start + cut.continuation.index(text)
        else:
            return None
        stands = page.page.text[offset : offset + len(text)] == text
        return (page, offset) if stands else None


def reader_of(closure: DocumentClosure, subgraph: NamedNode) -> NamedNode | None:
    """The agent that made a subgraph."""
    for activity in closure.activities.get(subgraph, ()):
        agent = closure.value(activity, PROV.was_associated_with)
        if isinstance(agent, NamedNode):
            return agent
    return None


def maker_of(closure: DocumentClosure, subgraph: NamedNode) -> set[object]:
    """The agent that made a subgraph, with its version, model and ontology."""
    return {
        closure.value(activity, predicate)
        for activity in closure.activities.get(subgraph, ())
        for predicate in (PROV.was_associated_with, TG.component_version, TG.llm_model, TG.ontology)
    }


@dataclass(frozen=True)
class Replacement:
    """Retires the older readings of a document that was just read with these profiles; with `same_maker` only those
    of the same version and model, which read the document under another title."""

    collection: str
    document: PlannedDocument
    recorder: Recorder
    profiles: Sequence[ExtractorProfile]
    record: ChangeRecord
    same_maker: bool = False

    def decide(self, reader: StoreReader) -> StoreChange[int]:
        """How many subgraphs went."""
        graphs = self.recorder.graphs
        closure = read_closure(reader, self.document.iri, graphs.source)
        retired = self._retired(closure) if closure else set()
        if closure is None or not retired:
            return StoreChange(0)
        going = taken(reader, graphs, closure, closure.below(retired))
        answers = StaleAnswers(reader, self.record, graphs.retrieval)
        no_longer_said = losses(closure, _lost_facts(closure, retired), going.support.gone)
        trace_changes = answers.marks(Losses(no_longer_said), "was read anew", lambda _: False)
        counts = {**going.counts(closure), TG.stale_answers: len(trace_changes.stale)}
        added = [
            *replacement_quads(self.record, counts, graphs.source),
            *trace_changes.added,
            *clearing_quads(self.collection, indexed=[self.document.iri]),
        ]
        return StoreChange(len(retired), [*going.removed, *trace_changes.removed], added)

    def _retired(self, closure: DocumentClosure) -> set[NamedNode]:
        """Per chunk and extractor: what is not its reading of now, where that is there."""
        current: dict[tuple[NamedNode, NamedNode | None], NamedNode] = {
            (chunk.iri, agent_iri(name)): self.recorder.subgraph_iri(chunk, profile)
            for chunk in self.document.chunks
            for profile in self.profiles
            for name in (*SUPERSEDES.get(profile.name, ()), profile.name)
        }
        stored = set(closure.subgraphs)
        retired = set()
        for node in closure.subgraphs:
            now = current.get((closure.origin[node], reader_of(closure, node)))
            if now not in stored or now == node:
                continue
            if not self.same_maker or maker_of(closure, node) == maker_of(closure, now):
                retired.add(node)
        return retired


def _lost_facts(closure: DocumentClosure, retired: set[NamedNode]) -> dict[NamedNode, list[Triple]]:
    """The facts of each retired subgraph that no subgraph of its chunk says any more."""
    said: dict[NamedNode, set[Triple]] = {}
    for node in closure.subgraphs:
        if node not in retired:
            said.setdefault(closure.origin[node], set()).update(closure.facts(node))
    return {
        node: [fact for fact in closure.facts(node) if fact not in said.get(closure.origin[node], ())]
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

    def decide(self, reader: StoreReader) -> StoreChange[ChunkChanges | None]:
        """None where there is nothing to revise: no such document, or these very bytes."""
        document, graphs = self.document, self.recorder.graphs
        closure = read_closure(reader, document.iri, graphs.source)
        if closure is None or closure.versions == [document.version]:
            return StoreChange(None)
        placed = placement(document, closure, self.recorder, self.profiles)
        version = [quad for unit in self.recorder.document(document) for quad in unit.quads]
        going = taken(reader, graphs, closure, _going(closure, placed), version)
        changes = _changes(document, closure)
        text = "\0".join(page.page.text for page in document.pages)
        answers = StaleAnswers(reader, self.record, graphs.retrieval)
        trace_changes = answers.marks(going.losses, "was revised", lambda words: words in text)
        counts = {
            **_counts(going, closure, changes),
            TG.stale_answers: len(trace_changes.stale),
        }
        versions = (document.version, closure.versions[0])
        contents = [document.iri, *closure.versions, *closure.pages]
        added = [
            *version,
            *placed.added,
            *revision_quads(self.record, counts, versions, graphs.source),
            *trace_changes.added,
            *clearing_quads(self.collection, contents, [document.iri]),
        ]
        return StoreChange(changes, [*going.removed, *placed.removed, *trace_changes.removed], added)


def _going(closure: DocumentClosure, placed: RevisedPositions) -> set[NamedNode]:
    """Everything but the chunks and subgraphs that stay, with the quotations and activities of those.

    What failed at a chunk that stays is still to be read.
    """
    attempts = {activity for chunk in placed.chunks for activity in closure.activities.get(chunk, ())}
    return set(closure.nodes) - set(placed.chunks) - attempts - closure.below(placed.subgraphs)


def _counts(going: CascadeChange, closure: DocumentClosure, changes: ChunkChanges) -> dict[NamedNode, int]:
    return {
        **going.counts(closure),
        TG.kept_chunks: changes.kept,
        TG.changed_chunks: changes.changed,
        TG.added_chunks: changes.added,
    }


def _changes(document: PlannedDocument, closure: DocumentClosure) -> ChunkChanges:
    """Chunks in reading order, before and after: where some take the place of others, they are changed."""
    place = {
        chunk: (
            closure.integer(closure.origin[chunk], TG.page_number),
            closure.integer(chunk, TG.chunk_index),
        )
        for chunk in closure.chunks
    }
    before = [chunk.value for chunk in sorted(closure.chunks, key=lambda chunk: place[chunk])]
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
    return ChunkChanges(kept=len(set(before) & set(after)), changed=changed, added=added, removed=removed)


BY: Final = "ingest"


@dataclass(frozen=True)
class Renewal:
    """`profiles` are the extractors of one ingest into one collection."""

    store: QuadStore
    collection: str
    recorder: Recorder
    profiles: Sequence[ExtractorProfile]

    async def revise(self, document: PlannedDocument) -> ChunkChanges | None:
        """Put the document in the place of another version; None where the store has no other."""
        revision = Revision(self.collection, document, self.recorder, self.profiles, self._record(document))
        return await self.store.transact(revision.decide)

    async def replace(self, document: PlannedDocument, *, same_maker: bool = False) -> int:
        """Retire what these extractors read in the document before; tells how many subgraphs went."""
        replacement = Replacement(
            self.collection, document, self.recorder, self.profiles, self._record(document), same_maker
        )
        return await self.store.transact(replacement.decide)

    def _record(self, document: PlannedDocument) -> ChangeRecord:
        collection = collection_iri(self.collection)
        return ChangeRecord(change_iri(str(uuid4())), document.iri, collection, BY, self.recorder.at)
