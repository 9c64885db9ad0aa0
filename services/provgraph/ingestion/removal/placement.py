"""Where that which stays of a document stands in its new version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from provgraph.extraction.facts import ExtractorProfile
from provgraph.ingestion.planning import PlannedChunk, PlannedDocument, PlannedPage
from provgraph.ingestion.recording import Recorder
from provgraph.ingestion.removal.document_closure import Holdings
from provgraph.rdf import literals
from provgraph.rdf.iris import agent_iri
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import PROV, TG

_PLACE = (PROV.was_quoted_from, TG.source_char_offset)


@dataclass(frozen=True)
class Placement:
    """The chunks and subgraphs that stay; the quads of their old places go, and those of the new ones come."""

    chunks: Mapping[NamedNode, PlannedChunk]
    subgraphs: frozenset[NamedNode]
    removed: Sequence[Quad]
    added: Sequence[Quad]


def placement(
    document: PlannedDocument, holdings: Holdings, recorder: Recorder, profiles: Sequence[ExtractorProfile]
) -> Placement:
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
    return Placement(chunks, frozenset(staying), removed, added)


@dataclass(frozen=True)
class _Moves:
    holdings: Holdings
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


def reader_of(holdings: Holdings, subgraph: NamedNode) -> NamedNode | None:
    """The agent that made a subgraph."""
    for activity in holdings.activities.get(subgraph, ()):
        agent = holdings.value(activity, PROV.was_associated_with)
        if isinstance(agent, NamedNode):
            return agent
    return None
