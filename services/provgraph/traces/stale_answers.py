"""What a change does to old answers, and to those that are being given: marks, and words that are kept for
them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from provgraph.catalogue.naming import is_statement
from provgraph.ports.quad_store import QuadPattern, StoreReader
from provgraph.provenance import change
from provgraph.provenance.change import ChangeRecord, PastQuotation
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import SessionNames, session_uuid
from provgraph.rdf.terms import Literal, NamedNode, Quad, Term, Triple
from provgraph.rdf.vocabulary import PROV, RDF, TG
from provgraph.traces.removal import Redaction, TraceChanges


@dataclass(frozen=True)
class Loss:
    """A fact that lost a source: one that was read at `read_at` (ISO 8601); `is_last` where no other is left."""

    fact: Triple
    read_at: str
    is_last: bool
    quotations: tuple[PastQuotation, ...] = ()


@dataclass(frozen=True)
class Losses:
    """What a change takes: sources of facts, and chunks."""

    facts: Sequence[Loss] = ()
    chunks: Collection[NamedNode] = ()


@dataclass
class _StaleSession:
    """`losses` of each selected edge; `chunks` are the selections of chunks that go."""

    names: SessionNames
    losses: dict[NamedNode, list[Loss]] = field(default_factory=lambda: defaultdict(list))
    chunks: list[NamedNode] = field(default_factory=list)


class StaleAnswers:
    """The traces of questions to one collection, in one retrieval graph, during one transaction."""

    def __init__(self, reader: StoreReader, record: ChangeRecord, graph: NamedNode) -> None:
        self._reader = reader
        self._record = record
        self._graph = graph

    def marks(self, losses: Losses, why: str, stands: Callable[[str], bool] | None = None) -> TraceChanges:
        """Mark the answers that stood on what was lost; `why` says what became of the document: "was deleted".

        Where the document stays, `stands` tells whether words stand in it as before, and the others are kept.
        A chunk is lost whichever of its words still stand: a model may have read them all.
        """
        trace_changes = TraceChanges()
        for session in self._sessions(losses, stands or (lambda _: False)):
            session.chunks = [chunk for chunk in session.chunks if not self._is_lost(chunk)]
            if not (session.chunks or session.losses):
                continue
            self._mark(session, why, trace_changes)
            for edge, lost in session.losses.items():
                trace_changes.added += change.loss_quads(edge, self._record.iri, self._graph)
                if stands:
                    trace_changes.added += self._past_quotations(session.names, edge, lost)
            for chunk in session.chunks:
                trace_changes.added += change.loss_quads(chunk, self._record.iri, self._graph)
        return trace_changes

    def redaction(self, losses: Losses, why: str, entities: Iterable[NamedNode]) -> TraceChanges:
        """Take from the answers that stood on what was lost all but that they were given, and from other sessions
        the candidates and entities that nothing says any more. Raises `Conflict` while a question is answered: what
        it found is not yet written down."""
        trace_changes = TraceChanges()
        redaction = Redaction(self._reader, self._record, self._graph, trace_changes)
        redaction.take_calls_without_answer()
        for session in self._sessions(losses):
            self._mark(session, why, trace_changes)
            redaction.take_answer(session.names)
        redaction.take_candidates([loss.fact for loss in losses.facts if loss.is_last])
        redaction.take_passed_over(losses.chunks)
        redaction.take_entities(entities)
        return trace_changes

    def past_words(self, document: NamedNode) -> tuple[list[Quad], list[NamedNode]]:
        """What is kept of a document's old versions for the sake of traces, and the pages that it is from."""
        (found,) = self._match([QuadPattern(None, TG.source_document, document, self._graph)])
        nodes = [quad.subject for quad in found if self._is_asked_here(quad.subject)]
        quads = self._described(nodes)
        pages = {quad.object for quad in quads if quad.predicate == PROV.was_quoted_from}
        return quads, [page for page in pages if isinstance(page, NamedNode)]

    def _sessions(
        self, losses: Losses, stands: Callable[[str], bool] = lambda _: False
    ) -> list[_StaleSession]:
        """The sessions with selected chunks that go, or edges that lost a source which was there before they ended."""
        sessions: dict[str, _StaleSession] = {}
        self._find_edges(sessions, losses.facts, stands)
        self._find_chunks(sessions, losses.chunks)
        return [sessions[uuid] for uuid in sorted(sessions)]

    def _find_chunks(self, sessions: dict[str, _StaleSession], chunks: Iterable[NamedNode]) -> None:
        found = self._match(QuadPattern(None, TG.document, chunk, self._graph) for chunk in chunks)
        for selection in (quad.subject for quads in found for quad in quads):
            if isinstance(selection, NamedNode) and self._is_chosen_here(selection):
                names = SessionNames(session_uuid(selection))
                sessions.setdefault(names.uuid, _StaleSession(names)).chunks.append(selection)

    def _find_edges(
        self, sessions: dict[str, _StaleSession], losses: Iterable[Loss], stands: Callable[[str], bool]
    ) -> None:
        by_fact: dict[Triple, list[Loss]] = defaultdict(list)
        for loss in losses:
            if is_statement(loss.fact):
                by_fact[loss.fact].append(loss)
        found = self._match(QuadPattern(None, TG.edge, fact, self._graph) for fact in by_fact)
        for fact, quads in zip(by_fact, found, strict=True):
            for edge in (quad.subject for quad in quads):
                if not isinstance(edge, NamedNode) or not self._is_asked_here(edge):
                    continue
                names = SessionNames(session_uuid(edge))
                ended = self._ended(names)
                lost = [
                    loss
                    for loss in by_fact[fact]
                    if (ended is None or _moment(loss.read_at) <= ended)
                    and not (loss.quotations and all(stands(words.text) for words in loss.quotations))
                ]
                if lost:
                    session = sessions.setdefault(names.uuid, _StaleSession(names))
                    session.losses[edge] += lost

    def _mark(self, session: _StaleSession, why: str, trace_changes: TraceChanges) -> None:
        """The answer itself; a session that has none yet marks itself when it ends."""
        names, record = session.names, self._record
        answer = names.step("answer")
        if not self._reader.contains([Quad(answer, RDF.type, TG.Answer, self._graph)])[0]:
            return
        trace_changes.stale.append(names.uuid)
        (invalidated,) = self._match([QuadPattern(answer, PROV.was_invalidated_by, None, self._graph)])
        reason = f"{self._loss_summary(session)} as {record.document.value} {why}."
        trace_changes.added += change.stale_reason_quads(names, reason, self._graph)
        if not invalidated:
            trace_changes.added += change.invalidation_quads(names, record.iri, record.at, self._graph)

    def _loss_summary(self, session: _StaleSession) -> str:
        selection = session.names.step("selection")
        edges, chunks = self._match(
            QuadPattern(selection, link, None, self._graph) for link in (TG.selected_edge, TG.selected_chunk)
        )
        if session.chunks:
            return f"{len(session.chunks)} of {len(chunks)} selected chunks went,"
        last = sum(any(loss.is_last for loss in lost) for lost in session.losses.values())
        of_them = f", {last} of them the last," if last else ""
        return f"{len(session.losses)} of {len(edges)} selected edges lost a source{of_them}"

    def _past_quotations(self, names: SessionNames, edge: NamedNode, losses: Iterable[Loss]) -> list[Quad]:
        return [
            quad
            for loss in losses
            for words in loss.quotations
            for quad in change.past_quotation_quads(names, edge, words, self._graph)
        ]

    def _is_asked_here(self, node: object) -> bool:
        session = SessionNames(session_uuid(node)).session
        return self._reader.contains([Quad(session, TG.collection, self._record.collection, self._graph)])[0]

    def _is_chosen_here(self, node: NamedNode) -> bool:
        """Whether it is a chunk selected for a question to the collection."""
        contains = self._reader.contains([Quad(node, RDF.type, TG.ChunkSelection, self._graph)])[0]
        return contains and self._is_asked_here(node)

    def _is_lost(self, chunk: NamedNode) -> bool:
        """Whether an earlier change took it, and it came back since."""
        (lost,) = self._match([QuadPattern(chunk, TG.evidence_lost_in, None, self._graph)])
        return bool(lost)

    def _ended(self, names: SessionNames) -> datetime | None:
        (quads,) = self._match([QuadPattern(names.session, PROV.ended_at_time, None, self._graph)])
        ends = [quad.object.value for quad in quads if isinstance(quad.object, Literal)]
        return _moment(ends[0]) if ends else None

    def _described(self, nodes: Iterable[object]) -> list[Quad]:
        named = dict.fromkeys(node for node in nodes if isinstance(node, NamedNode))
        return [
            quad
            for quads in self._match(QuadPattern(node, graph=self._graph) for node in named)
            for quad in quads
        ]

    def _match(self, patterns: Iterable[QuadPattern]) -> list[list[Quad]]:
        return self._reader.match(list(patterns))


def _moment(iso: str) -> datetime:
    return datetime.fromisoformat(iso) if iso else datetime.min.replace(tzinfo=UTC)


_CHANGES: Final = (TG.Deletion, TG.Revision, TG.Replacement)


def late_loss_quads(
    reader: StoreReader, names: SessionNames, graphs: CollectionGraphs, at: datetime
) -> list[Quad]:
    """The marks of a session that ends at `at`: of edges and chunks that a change has marked meanwhile, and of those
    that were gone before they were written down; none where all still stand."""
    marked = dict(_marked(reader, names, graphs))
    if not marked:
        return []
    graph, answer = graphs.retrieval, names.step("answer")
    quads = [quad for edge, why in marked.items() for quad in change.loss_quads(edge, why, graph)]
    if not reader.contains([Quad(answer, RDF.type, TG.Answer, graph)])[0]:
        return quads
    first = min(marked.values(), key=lambda node: node.value)
    (described,) = reader.match([QuadPattern(first, TG.changed_document, None, graphs.source)])
    document = next((str(quad.object).strip("<>") for quad in described), "a document")
    lost = "edges lost a source" if any("prov:edge:" in node.value for node in marked) else "chunks went"
    reason = f"{len(marked)} selected {lost}, as {document} was changed while the question was answered."
    return [
        *quads,
        *change.stale_reason_quads(names, reason, graph),
        *change.invalidation_quads(names, first, at, graph),
    ]


def _marked(
    reader: StoreReader, names: SessionNames, graphs: CollectionGraphs
) -> Iterator[tuple[NamedNode, NamedNode]]:
    """Each selected edge that lost a source, or chunk that went, with the change that took it."""
    selection = names.step("selection")
    selected = reader.match(
        [
            QuadPattern(selection, link, None, graphs.retrieval)
            for link in (TG.selected_edge, TG.selected_chunk)
        ]
    )
    edges = [quad.object for quads in selected for quad in quads if isinstance(quad.object, NamedNode)]
    described = reader.match([QuadPattern(edge, graph=graphs.retrieval) for edge in edges])
    chosen = [
        [quad.object for quad in quads if quad.predicate in (TG.edge, TG.document)] for quads in described
    ]
    gone = _gone(reader, [each for own in chosen for each in own], graphs)
    for edge, quads, own in zip(edges, described, chosen, strict=True):
        lost = [quad.object for quad in quads if quad.predicate == TG.evidence_lost_in]
        is_gone = any(each in gone for each in own)
        why = lost[0] if lost else (_last_change(reader, graphs) if is_gone else None)
        if isinstance(why, NamedNode):
            yield edge, why


def still_quoted(reader: StoreReader, quads: Sequence[Quad], graphs: CollectionGraphs) -> list[Quad]:
    """What a session writes as it ends, without spans of pages that went meanwhile: their words are gone."""
    pages = {
        quad.subject: quad.object
        for quad in quads
        if quad.predicate == PROV.was_quoted_from and isinstance(quad.object, NamedNode)
    }
    stand = reader.contains([Quad(page, RDF.type, TG.Page, graphs.source) for page in pages.values()])
    gone = {span for span, stands in zip(pages, stand, strict=True) if not stands}
    return [quad for quad in quads if quad.subject not in gone]


def _gone(reader: StoreReader, chosen: Sequence[Term], graphs: CollectionGraphs) -> set[Term]:
    """Which of these facts and chunks the store no longer holds."""
    quads = {
        triple: Quad(triple.subject, triple.predicate, triple.object, graphs.knowledge)
        if isinstance(triple, Triple)
        else Quad(triple, RDF.type, TG.Chunk, graphs.source)
        for triple in chosen
        if isinstance(triple, NamedNode | Triple)
    }
    stands = reader.contains(list(quads.values()))
    return {each for each, is_there in zip(quads, stands, strict=True) if not is_there}


def _last_change(reader: StoreReader, graphs: CollectionGraphs) -> NamedNode | None:
    """The youngest change of the collection: asked only where a fact is gone that was there a moment ago."""
    found = reader.match([QuadPattern(None, RDF.type, kind, graphs.source) for kind in _CHANGES])
    nodes = [quad.subject for quads in found for quad in quads if isinstance(quad.subject, NamedNode)]
    begun = reader.match([QuadPattern(node, PROV.started_at_time, None, graphs.source) for node in nodes])
    times = {
        node: datetime.fromisoformat(quad.object.value)
        for node, quads in zip(nodes, begun, strict=True)
        for quad in quads
        if isinstance(quad.object, Literal)
    }
    return max(times, key=lambda node: times[node], default=None)
