"""A document that is given other bytes: what stands in both versions stays, what is gone goes, positions are new."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from provgraph.extraction.facts import ExtractorProfile
from provgraph.ingestion.events import ChunkChanges
from provgraph.ingestion.planning import PlannedDocument
from provgraph.ingestion.recording import Recorder
from provgraph.ingestion.removal.cascade import Taken, taken
from provgraph.ingestion.removal.document_closure import Holdings, read_holdings
from provgraph.ingestion.removal.outbox import clearing_quads
from provgraph.ingestion.removal.placement import Placement, placement
from provgraph.ports.quad_store import StoreChange, StoreReader
from provgraph.provenance.change import ChangeRecord, revision_quads
from provgraph.rdf.terms import NamedNode
from provgraph.rdf.vocabulary import TG
from provgraph.traces.stale_answers import StaleAnswers


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


def _going(holdings: Holdings, placed: Placement) -> set[NamedNode]:
    """Everything but the chunks and subgraphs that stay, with the quotations and activities of those.

    What failed at a chunk that stays is still to be read.
    """
    attempts = {activity for chunk in placed.chunks for activity in holdings.activities.get(chunk, ())}
    return set(holdings.nodes) - set(placed.chunks) - attempts - holdings.below(placed.subgraphs)


def _counts(going: Taken, holdings: Holdings, changes: ChunkChanges) -> dict[NamedNode, int]:
    return {
        **going.counts(holdings),
        TG.kept_chunks: changes.kept,
        TG.changed_chunks: changes.changed,
        TG.added_chunks: changes.added,
    }


def _changes(document: PlannedDocument, holdings: Holdings) -> ChunkChanges:
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
    return ChunkChanges(len(set(before) & set(after)), changed, added, removed)
