"""Older readings of the same extractors (other version, model, prompt or settings), retired once the new are there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from provgraph.extraction.facts import ExtractorProfile
from provgraph.ingestion.planning import PlannedDocument
from provgraph.ingestion.recording import Recorder
from provgraph.ingestion.removal.cascade import taken
from provgraph.ingestion.removal.document_closure import Holdings, read_holdings
from provgraph.ingestion.removal.losses import losses
from provgraph.ingestion.removal.outbox import clearing_quads
from provgraph.ingestion.removal.placement import reader_of
from provgraph.ports.quad_store import StoreChange, StoreReader
from provgraph.provenance.change import ChangeRecord, replacement_quads
from provgraph.rdf.iris import agent_iri
from provgraph.rdf.terms import NamedNode, Triple
from provgraph.rdf.vocabulary import TG
from provgraph.traces.stale_answers import Losses, StaleAnswers


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

    def _retired(self, holdings: Holdings) -> set[NamedNode]:
        """Per chunk and extractor: what is not its reading of now, where that is there."""
        current: dict[tuple[NamedNode, NamedNode | None], NamedNode] = {
            (chunk.iri, agent_iri(profile.name)): self.recorder.subgraph_iri(chunk, profile)
            for chunk in self.document.chunks
            for profile in self.profiles
        }
        stored = set(holdings.subgraphs)
        retired = set()
        for node in holdings.subgraphs:
            now = current.get((holdings.origin[node], reader_of(holdings, node)))
            if now in stored and now != node:
                retired.add(node)
        return retired


def _no_longer_said(holdings: Holdings, retired: set[NamedNode]) -> dict[NamedNode, list[Triple]]:
    """The facts of each retired subgraph that no subgraph of its chunk says any more."""
    said: dict[NamedNode, set[Triple]] = {}
    for node in holdings.subgraphs:
        if node not in retired:
            said.setdefault(holdings.origin[node], set()).update(holdings.facts(node))
    return {
        node: [fact for fact in holdings.facts(node) if fact not in said.get(holdings.origin[node], ())]
        for node in retired
    }
