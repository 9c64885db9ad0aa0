"""Traces of past questions: listed, opened, and closed where a crash left them open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from pyoxigraph import NamedNode, Quad, Triple

from provgraph.catalogue.labels import fact_terms, labels
from provgraph.catalogue.sources import Source, SourceReader
from provgraph.documents.library import Library
from provgraph.errors import NotFound
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.provenance.trace import Outcome, TraceScope, ending_quads
from provgraph.provenance.trace_reading import STEPS, Trace, TracedSession, read_session, read_trace
from provgraph.rdf.graphs import collection_graphs, retrieval_graph
from provgraph.rdf.iris import SessionNames, collection_iri
from provgraph.rdf.terms import Term
from provgraph.rdf.vocabulary import PROV, RDF, TG

_SESSION_PREFIX: Final = SessionNames("").session.value
_AGENT_LINKS: Final = (PROV.was_associated_with, PROV.was_attributed_to)
_RUNNING: Final = f"""
SELECT ?graph ?session WHERE {{
  GRAPH ?graph {{ ?session a {TG.Session} FILTER NOT EXISTS {{ ?session {PROV.ended_at_time} ?end }} }}
}}
"""


def _when_started(session: TracedSession) -> str:
    """The start without its Z, which would put 05.75Z after 05.751Z: fractions have no fixed length."""
    return session.started.removesuffix("Z")


@dataclass(frozen=True)
class OpenedTrace:
    """A trace with what it points to: labels of its terms, sources of its edges, the answer's text."""

    names: SessionNames
    trace: Trace
    quads: Sequence[Quad]
    labels: dict[Term, str]
    sources: dict[Triple, tuple[Source, ...]]
    source_quads: Sequence[Quad]
    answer: str


@dataclass(frozen=True)
class Traces:
    store: QuadStore
    library: Library
    explain_collection: str

    async def sessions(self) -> list[TracedSession]:
        """All sessions, the newest first."""
        nodes = await self._session_nodes()
        described = await self.store.match([QuadPattern(node, graph=self._graph) for node in nodes])
        sessions = [read_session(node, quads) for node, quads in zip(nodes, described, strict=True)]
        return sorted(sessions, key=_when_started, reverse=True)

    async def open(self, session: str) -> OpenedTrace:
        """One session, by its IRI or its UUID. Raises `NotFound` when there is none."""
        names = self._names(session)
        quads = await self.quads(names)
        trace = read_trace(names, quads)
        graphs = collection_graphs(trace.session.collection, self.explain_collection)
        chosen = [edge.edge for edge in trace.selected]
        shown = [*chosen, *(edge.edge for edge in trace.passed_over)]
        terms: list[Term] = [*trace.seeds, *(term for fact in shown for term in fact_terms(fact))]
        reader = SourceReader(self.store, graphs.source)
        return OpenedTrace(
            names=names,
            trace=trace,
            quads=quads,
            labels=await labels(self.store, graphs.knowledge, terms),
            sources=await reader.sources(chosen),
            source_quads=reader.quads,
            answer=await self._answer(names),
        )

    async def quads(self, names: SessionNames) -> list[Quad]:
        """All that is recorded of a session. Raises `NotFound` when nothing is."""
        steps = [names.step(step) for step in STEPS]
        found = await self._described([names.session, names.question, *steps])
        if not found:
            raise self._unknown(names)
        edges = [quad.object for quad in found if quad.predicate == TG.selected_edge]
        pointing = await self.store.match(
            [
                QuadPattern(None, TG.candidate_of, names.step("retrieval"), self._graph),
                QuadPattern(None, TG.candidate_of, names.step("retrieval:1"), self._graph),
                QuadPattern(None, TG.sentence_of, names.step("answer"), self._graph),
            ]
        )
        further = [*edges, *(quad.subject for quads in pointing for quad in quads)]
        found += await self._described([node for node in further if isinstance(node, NamedNode)])
        agents = {quad.object for quad in found if quad.predicate in _AGENT_LINKS}
        return found + await self._described([node for node in agents if isinstance(node, NamedNode)])

    async def entity(self, iri: NamedNode) -> list[Quad]:
        """The quads of one entity of a trace, by the `explain_id` of a message."""
        quads = await self._described([iri])
        if not quads:
            raise NotFound(f"Nothing is recorded of {iri.value}. Take the `explain_id` of a message.")
        return quads

    async def remove(self, collection: str) -> int:
        """Remove the traces of all questions to a collection; returns how many there were."""
        asked = QuadPattern(None, TG.collection, collection_iri(collection), self._graph)
        (found,) = await self.store.match([asked])
        for quad in found:
            assert isinstance(quad.subject, NamedNode)
            names = self._names(quad.subject.value)
            own = [quad for quad in await self.quads(names) if names.uuid in str(quad.subject)]
            await self.store.remove(own)
            words = [
                names.answer_text,
                *(name(step) for step in STEPS for name in (names.prompt, names.reply)),
            ]
            for node in words:
                await self.library.drop(self.explain_collection, node)
        return len(found)

    async def close_interrupted(self, at: datetime) -> int:
        """End the sessions that a crash left open, and say so; returns how many there were."""
        found = await self.store.select(_RUNNING, {"graph": self._graph})
        quads: list[Quad] = []
        for node in (row["session"] for row in found):
            assert isinstance(node, NamedNode)
            scope = TraceScope(SessionNames(node.value.removeprefix(_SESSION_PREFIX)), self._graph)
            failure = "The service stopped before the answer was complete."
            quads += ending_quads(scope, Outcome.INTERRUPTED, at, failure)
        if quads:
            await self.store.add(quads)
        return len(found)

    @property
    def _graph(self) -> NamedNode:
        return retrieval_graph(self.explain_collection)

    async def _session_nodes(self) -> list[NamedNode]:
        (found,) = await self.store.match([QuadPattern(None, RDF.type, TG.Session, self._graph)])
        return [quad.subject for quad in found if isinstance(quad.subject, NamedNode)]

    async def _described(self, nodes: Iterable[NamedNode]) -> list[Quad]:
        found = await self.store.match([QuadPattern(node, graph=self._graph) for node in nodes])
        return [quad for quads in found for quad in quads]

    async def _answer(self, names: SessionNames) -> str:
        try:
            return await self.library.text(self.explain_collection, names.answer_text)
        except NotFound:
            return ""

    def _names(self, session: str) -> SessionNames:
        names = SessionNames(session.removeprefix(_SESSION_PREFIX))
        try:
            UUID(names.uuid)
        except ValueError as error:
            raise self._unknown(names) from error
        return names

    @staticmethod
    def _unknown(names: SessionNames) -> NotFound:
        return NotFound(
            f"There is no trace of session {names.uuid[:80]!r}. Look up the sessions with 'provgraph traces'."
        )
