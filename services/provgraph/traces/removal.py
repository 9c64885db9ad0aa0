"""What is taken from traces. A redaction takes the text, edges, reasons and candidates that hold what was taken back:
it reads as a transaction does and notes in `TraceChanges` what is to go, and come. A purge takes old sessions with
their steps, edges and candidates, and their words in the library.

A purge writes down first which sessions it takes, and crosses each out when nothing is left of it, in the store or in
the library. One that a crash cuts off is finished at the next start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import uuid4

from provgraph.errors import Conflict
from provgraph.ports.quad_store import QuadPattern, QuadStore, StoreReader
from provgraph.provenance import change
from provgraph.provenance.candidates import RETRIEVALS, notes_iri, without_lines
from provgraph.provenance.change import ChangeRecord, PurgeRecord, purge_quads, purging_quads
from provgraph.provenance.trace_reading import STEPS, TracedSession
from provgraph.rdf.graphs import retrieval_graph
from provgraph.rdf.iris import SessionNames, session_uuid
from provgraph.rdf.terms import NamedNode, Quad, Triple, named
from provgraph.rdf.vocabulary import PROV, RDF, TG
from provgraph.traces.reader import Traces


@dataclass
class TraceChanges:
    """`contents` are the texts, prompts and replies to remove from the library, `pages` those of older versions that
    were kept for what is removed; sessions are told by UUID."""

    removed: list[Quad] = field(default_factory=list)
    added: list[Quad] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    redacted: list[str] = field(default_factory=list)
    contents: list[NamedNode] = field(default_factory=list)
    pages: list[NamedNode] = field(default_factory=list)


@dataclass(frozen=True)
class Redaction:
    """Of the traces of questions to the record's collection, in one retrieval graph, during one transaction."""

    reader: StoreReader
    record: ChangeRecord
    graph: NamedNode
    trace_changes: TraceChanges

    def take_answer(self, names: SessionNames) -> None:
        """All that a session says but that its answer was given."""
        trace_changes = self.trace_changes
        retrievals = [names.step("retrieval"), names.step("retrieval:1")]
        selected, chunks, sentences, steps, *found = self._match(
            [
                QuadPattern(names.step("selection"), TG.selected_edge, None, self.graph),
                QuadPattern(names.step("selection"), TG.selected_chunk, None, self.graph),
                QuadPattern(None, TG.sentence_of, names.step("answer"), self.graph),
                QuadPattern(None, TG.derivation_of, names.step("answer"), self.graph),
                *(QuadPattern(None, TG.candidate_of, step, self.graph) for step in retrievals),
                *(QuadPattern(step, TG.entity, None, self.graph) for step in retrievals),
            ]
        )
        candidates, seeds = found[0] + found[1], found[2] + found[3]
        selected = [*selected, *chunks]
        edges = [quad.object for quad in selected if isinstance(quad.object, NamedNode)]
        past = self._match(QuadPattern(None, TG.quoted_for, edge, self.graph) for edge in edges)
        generated = self._match(
            QuadPattern(None, PROV.was_generated_by, quad.subject, self.graph) for quad in steps
        )
        judging = [names.step("answer"), *(quad.subject for quad in sentences)]
        elements = self._match(
            QuadPattern(None, TG.element_of, node, self.graph)
            for node in judging
            if isinstance(node, NamedNode)
        )
        nodes = [
            quad.subject
            for quads in (candidates, sentences, steps, *generated, *past, *elements)
            for quad in quads
        ]
        described = self._described([*edges, *nodes])
        described += self._described(quad.object for quad in described if quad.predicate == TG.quotation)
        trace_changes.pages += [
            quad.object
            for quad in described
            if quad.predicate == PROV.was_quoted_from and isinstance(quad.object, NamedNode)
        ]
        trace_changes.removed += [*selected, *seeds, *described, *self._short_answer(names)]
        trace_changes.contents.append(names.answer_text)
        self._drop_calls(names)
        if names.uuid in trace_changes.stale:
            trace_changes.redacted.append(names.uuid)
            trace_changes.added += change.redaction_quads(names, self.record.iri, self.graph)

    def _short_answer(self, names: SessionNames) -> list[Quad]:
        """What an answer says of itself in a few words, and the hash of its text."""
        terms = (TG.short_answer, TG.short_answer_kind, TG.derivation, TG.content_hash)
        found = self._match(QuadPattern(names.step("answer"), term, None, self.graph) for term in terms)
        return [quad for quads in found for quad in quads]

    def take_candidates(self, facts: Sequence[Triple]) -> None:
        """Facts that were passed over, with what models read of them."""
        trace_changes = self.trace_changes
        found = self._match(QuadPattern(None, TG.candidate_edge, fact, self.graph) for fact in facts)
        nodes = [quad.subject for quads in found for quad in quads if self._is_asked_here(quad.subject)]
        trace_changes.removed += self._described(nodes)
        for uuid in sorted({session_uuid(node) for node in nodes} - set(trace_changes.redacted)):
            self._drop_calls(SessionNames(uuid))
            self._take_lines(SessionNames(uuid), [named(n) for n in nodes if session_uuid(n) == uuid])

    def _take_lines(self, names: SessionNames, candidates: Sequence[NamedNode]) -> None:
        """What notes say of candidates that are gone."""
        trace_changes = self.trace_changes
        for node in (notes_iri(names, retrieval) for retrieval in RETRIEVALS):
            described = self._described([node])
            earlier = [quad for quad in trace_changes.added if quad.subject == node]
            notes = next((q for q in (*earlier, *described) if q.predicate == TG.candidate_notes), None)
            if notes is None or (not earlier and notes in trace_changes.removed):
                continue
            left = without_lines(notes, candidates)
            trace_changes.added[:] = [quad for quad in trace_changes.added if quad.subject != node]
            trace_changes.added += [left] if left else []
            trace_changes.removed += [
                quad for quad in described if not left or quad.predicate == TG.candidate_notes
            ]

    def take_passed_over(self, chunks: Iterable[NamedNode]) -> None:
        """Chunks that a question led to: their names are made of their words."""
        found = self._match(QuadPattern(None, TG.document, chunk, self.graph) for chunk in chunks)
        self.trace_changes.removed += self._described(
            quad.subject for quads in found for quad in quads if self._is_asked_here(quad.subject)
        )

    def take_entities(self, entities: Iterable[NamedNode]) -> None:
        """Entities that a question led to."""
        seeds = self._match(QuadPattern(None, TG.entity, node, self.graph) for node in entities)
        self.trace_changes.removed += [
            quad for quads in seeds for quad in quads if self._is_asked_here(quad.subject)
        ]

    def take_marked(self, changes: Iterable[NamedNode]) -> None:
        """The answers that stood on what earlier changes took."""
        marked = self._match(QuadPattern(None, TG.evidence_lost_in, node, self.graph) for node in changes)
        for uuid in sorted({session_uuid(quad.subject) for quads in marked for quad in quads}):
            names = SessionNames(uuid)
            if self.reader.contains([Quad(names.step("answer"), RDF.type, TG.Answer, self.graph)])[0]:
                self.trace_changes.stale.append(uuid)
            self.take_answer(names)

    def take_what_is_gone(self, knowledge: NamedNode) -> None:
        """The candidates and entities, of all sessions, that nothing in the knowledge graph says any more."""
        steps = [names.step(step) for names in self._sessions() for step in ("retrieval", "retrieval:1")]
        found = self._match(QuadPattern(None, TG.candidate_of, step, self.graph) for step in steps)
        described = self._described(quad.subject for quads in found for quad in quads)
        facts = {
            q.object for q in described if q.predicate == TG.candidate_edge and isinstance(q.object, Triple)
        }
        asked = list(facts)
        known = self.reader.contains([Quad(f.subject, f.predicate, f.object, knowledge) for f in asked])
        self.take_candidates([fact for fact, is_known in zip(asked, known, strict=True) if not is_known])
        seeds = self._match(QuadPattern(step, TG.entity, None, self.graph) for step in steps)
        nodes = {q.object for quads in seeds for q in quads if isinstance(q.object, NamedNode)}
        self.take_entities(node for node in nodes if not self._is_used(node, knowledge))

    def _is_used(self, node: NamedNode, knowledge: NamedNode) -> bool:
        places = [QuadPattern(node, graph=knowledge), QuadPattern(None, None, node, knowledge)]
        places.append(QuadPattern(None, node, None, knowledge))
        return any(self.reader.match(places, limit=1))

    def _sessions(self) -> list[SessionNames]:
        (asked,) = self._match([QuadPattern(None, TG.collection, self.record.collection, self.graph)])
        return [SessionNames(session_uuid(quad.subject)) for quad in asked]

    def take_calls_without_answer(self) -> None:
        """What models read for questions that ended without an answer: nothing tells what that was.

        Raises `Conflict` while a question is answered.
        """
        sessions = self._sessions()
        ended = self._match(
            QuadPattern(names.session, PROV.ended_at_time, None, self.graph) for names in sessions
        )
        if not all(ended):
            raise Conflict(
                "A question to this collection is being answered. Wait until it is, then redact what was said."
            )
        answered = self.reader.contains(
            [Quad(names.step("answer"), RDF.type, TG.Answer, self.graph) for names in sessions]
        )
        for names, is_answered in zip(sessions, answered, strict=True):
            if not is_answered:
                self._drop_calls(names)

    def _drop_calls(self, names: SessionNames) -> None:
        """What a model read and answered, and what it said of the candidates: all of it holds their words."""
        trace_changes = self.trace_changes
        links = [(step, link) for step in STEPS for link in (TG.prompt, TG.reply)]
        spoken = (TG.relevant, TG.reasoning, TG.warning)
        links += [(check, named_node) for check in ("check", "check:1") for named_node in spoken]
        links += [("reformulation", TG.query), ("grounding:1", TG.concept)]
        links += [
            ("answer", named_node)
            for named_node in (TG.claim_verdict, TG.verdict_confidence, TG.verdict_coverage)
        ]
        found = self._match(QuadPattern(names.step(step), link, None, self.graph) for step, link in links)
        gone = [quad for quads in found for quad in quads]
        trace_changes.removed += gone
        if any(quad.predicate == TG.query for quad in gone):
            trace_changes.added += change.redacted_reformulation_quads(names, self.graph)
        trace_changes.contents += [name(step) for step in STEPS for name in (names.prompt, names.reply)]

    def _is_asked_here(self, node: object) -> bool:
        session = SessionNames(session_uuid(node)).session
        return self.reader.contains([Quad(session, TG.collection, self.record.collection, self.graph)])[0]

    def _described(self, nodes: Iterable[object]) -> list[Quad]:
        named = dict.fromkeys(node for node in nodes if isinstance(node, NamedNode))
        return [
            quad
            for quads in self._match(QuadPattern(node, graph=self.graph) for node in named)
            for quad in quads
        ]

    def _match(self, patterns: Iterable[QuadPattern]) -> list[list[Quad]]:
        return self.reader.match(list(patterns))


@dataclass(frozen=True)
class Purged:
    """`purge` is the IRI of the record that remains; none for a purge that was only planned, or had nothing to do."""

    before: datetime
    sessions: Sequence[TracedSession]
    purge: NamedNode | None = None


@dataclass(frozen=True)
class TracePurge:
    store: QuadStore
    traces: Traces
    now: Callable[[], datetime]

    async def plan(self, before: datetime) -> Purged:
        """The sessions that began before a time and have ended, the newest first. Changes nothing."""
        sessions = [
            session
            for session in await self.traces.sessions()
            if session.ended and datetime.fromisoformat(session.started) < before
        ]
        return Purged(before, sessions)

    async def purge(self, before: datetime) -> Purged:
        """Remove them. Where there are none, nothing is recorded either."""
        planned = await self.plan(before)
        if not planned.sessions:
            return planned
        node = NamedNode(f"urn:trustgraph:purge:{uuid4()}")
        record = PurgeRecord(node, before, len(planned.sessions))
        taken = [session.iri for session in planned.sessions]
        graph = self._graph
        await self.store.add([*purge_quads(record, self.now(), graph), *purging_quads(node, taken, graph)])
        await self._remove(node, taken)
        return Purged(before, planned.sessions, node)

    async def resume(self) -> int:
        """Finish the purges that a crash cut off; returns how many sessions were left of them."""
        (left,) = await self.store.match([QuadPattern(None, TG.purging, None, self._graph)])
        for quad in left:
            await self._remove(named(quad.subject), [named(quad.object)])
        return len(left)

    async def _remove(self, purge: NamedNode, sessions: Sequence[NamedNode]) -> None:
        for session in sessions:
            await self.traces.remove_session(session)
            await self.store.remove(purging_quads(purge, [session], self._graph))

    @property
    def _graph(self) -> NamedNode:
        return retrieval_graph(self.traces.explain_collection)
