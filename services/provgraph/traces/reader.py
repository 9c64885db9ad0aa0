"""Traces of past questions: listed, opened, and closed where a crash left them open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final
from uuid import UUID

from provgraph.catalogue.documents import media_types
from provgraph.catalogue.lineage import Lineages, lineages
from provgraph.catalogue.naming import fact_terms, labels, type_labels
from provgraph.catalogue.sources import ChunkLocation, Source, SourceReader
from provgraph.documents.library import Library
from provgraph.errors import NotFound, Unavailable
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.provenance.candidates import RETRIEVALS, expanded, is_noted, notes_iri
from provgraph.provenance.change import PastQuotation, read_past
from provgraph.provenance.circumstances import Circumstances, read_circumstances
from provgraph.provenance.flows import FLOWS
from provgraph.provenance.receipt import Receipt, read_receipt
from provgraph.provenance.trace_annotations import citation_annotation, contradiction_quads, doubt_quads
from provgraph.provenance.trace_reading import STEPS, Trace, TracedSession, read_session, read_trace
from provgraph.rdf.graphs import collection_graphs, retrieval_graph
from provgraph.rdf.iris import SessionNames, collection_iri, session_uuid
from provgraph.rdf.terms import Literal, NamedNode, Quad, Term, Triple, named
from provgraph.rdf.vocabulary import PROV, RDF, TG
from provgraph.traces.staleness import (
    ChunkWords,
    Staleness,
    StalenessReader,
    WordsOfQuotations,
    release_pages,
    staleness,
    words_of_facts,
)
from provgraph.wire.trace import TraceListRequest

_SESSION_PREFIX: Final = SessionNames("").session.value
LOOKED_UP_AT_ONCE: Final = 200
_AGENT_LINKS: Final = (PROV.was_associated_with, PROV.was_attributed_to)


def _when_started(session: TracedSession) -> str:
    """The start without its Z, which would put 05.75Z after 05.751Z: fractions have no fixed length."""
    return session.started.removesuffix("Z")


def _fits(session: TracedSession, request: TraceListRequest) -> bool:
    words = request.text.casefold().split()
    return (
        all(word in session.query.casefold() for word in words)
        and request.flow in ("", session.flow)
        and request.outcome in ("", session.outcome or "running")
    )


@dataclass(frozen=True)
class OpenedTrace:
    """A trace with what it points to: labels and types of its terms, lineages of its selected edges, the answer's text,
    and the words that its sentences cite, by quotation."""

    names: SessionNames
    trace: Trace
    quads: Sequence[Quad]
    labels: dict[Term, str]
    types: dict[Term, tuple[str, ...]]
    lineages: Lineages
    circumstances: Circumstances
    staleness: Staleness
    answer: str
    places: dict[NamedNode, ChunkLocation]
    cited: WordsOfQuotations
    media_types: dict[NamedNode, str]

    @property
    def sources(self) -> dict[Triple, tuple[Source, ...]]:
        return self.lineages.sources()

    @cached_property
    def past_quotations(self) -> Mapping[NamedNode, Sequence[PastQuotation]]:
        """By selected edge, what it stood on that its document no longer says."""
        return read_past(self.quads)

    @property
    def receipt(self) -> Receipt | None:
        """By which file the session came from outside; None for one that was answered here."""
        node = self.trace.session.receipt
        described = {quad.predicate: quad.object for quad in self.quads if quad.subject == node}
        return read_receipt(described) if node else None

    @property
    def source_quads(self) -> Sequence[Quad]:
        return self.lineages.quads

    def doubt_quads(self, graph: NamedNode) -> list[Quad]:
        """What speaks against the answer now; no part of the store."""
        against = [
            quad
            for edge in self.trace.selected
            for quad in contradiction_quads(
                edge.iri, [rival.fact for rival in self.lineages.of[edge.edge].contradictions], graph
            )
        ]
        return [*against, *doubt_quads(self.names, self.staleness.doubts, graph)]

    def citation_quads(self, graph: NamedNode) -> list[Quad]:
        """The words that each sentence cites, as Web Annotations; no part of the store."""
        return [
            quad
            for number, sentence in enumerate(self.trace.sentences)
            for index, cited in enumerate(sentence.quotations)
            if (words := self.cited.get(cited))
            for quad in citation_annotation(self.names.sentence(number), index, words.cited_span, graph)
        ]


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

    async def listed(self, wanted: TraceListRequest) -> list[tuple[TracedSession, Staleness]]:
        """The sessions that are wanted, the newest first, with the staleness of their answers."""
        reader = StalenessReader(self.store, self.explain_collection)
        sessions = [session for session in await self.sessions() if _fits(session, wanted)]
        page = slice(wanted.offset, wanted.offset + wanted.limit)
        if not wanted.stale:  # else only their staleness tells which these are
            sessions, page = sessions[page], slice(None)
        found: list[tuple[TracedSession, Staleness]] = []
        for start in range(0, len(sessions), LOOKED_UP_AT_ONCE):
            some = sessions[start : start + LOOKED_UP_AT_ONCE]
            known = await reader.of(some)
            found += [
                (session, known[session.iri])
                for session in some
                if known[session.iri].reasons or not wanted.stale
            ]
            if page.stop and len(found) >= page.stop:
                break
        return found[page]

    async def open(self, session: str) -> OpenedTrace:
        """One session, by its IRI or its UUID. Raises `NotFound` when there is none."""
        names = self.names(session)
        return await (await self._where(names))._opened(names)

    async def _opened(self, names: SessionNames) -> OpenedTrace:
        quads = expanded(await self._quads(names))
        trace = read_trace(names, quads)
        graphs = collection_graphs(trace.session.collection, self.explain_collection)
        triples = [edge.edge for edge in trace.selected]
        shown = [*triples, *(edge.edge for edge in trace.passed_over)]
        resolved = [entity for use in trace.resolutions for entity in use.entities]
        steps = trace.short_answer.steps if trace.short_answer else ()
        shown += [fact for step in steps for fact in step.facts]
        terms: list[Term] = [*trace.seeds, *resolved, *(term for fact in shown for term in fact_terms(fact))]
        lineage = await lineages(self.store, graphs, triples)
        chunks = [chunk.chunk for chunk in (*trace.chunks.selected, *trace.chunks.passed_over)]
        lain = await SourceReader(self.store, graphs.source).chunk_places(chunks)
        places = {node: at.place for node, at in lain.items()}
        quoted = ChunkWords(self.store, self.library, trace.session.collection, graphs.source)
        cited = {**words_of_facts(lineage), **await quoted.of(quads)}
        documents = dict.fromkeys(words.place.document for words in cited.values())
        return OpenedTrace(
            names=names,
            trace=trace,
            quads=quads,
            labels=await labels(self.store, graphs.knowledge, terms),
            types=await type_labels(self.store, graphs.knowledge, terms),
            lineages=lineage,
            circumstances=read_circumstances(names.session, quads),
            staleness=staleness(trace.session, _recorded_reasons(names, quads), triples, lineage),
            answer=await self._answer(names),
            places=places,
            cited=cited,
            media_types=await media_types(self.store, graphs.source, documents),
        )

    async def quads(self, names: SessionNames) -> list[Quad]:
        """All that is recorded of a session. Raises `NotFound` when nothing is."""
        return expanded(await (await self._where(names))._quads(names))

    async def _quads(self, names: SessionNames) -> list[Quad]:
        steps = [names.step(step) for step in STEPS]
        questions = [SessionNames(names.uuid, flow.question_name).question for flow in FLOWS]
        found = await self._described([names.session, names.step("receipt"), *questions, *steps])
        if not found:
            raise self._unknown(names)
        nodes = [
            quad.object
            for quad in found
            if quad.predicate in (TG.selected_edge, TG.selected_chunk) and isinstance(quad.object, NamedNode)
        ]
        pointing = await self.store.match(
            [
                QuadPattern(None, TG.candidate_of, names.step("retrieval"), self._graph),
                QuadPattern(None, TG.resolution_of, names.step("retrieval"), self._graph),
                QuadPattern(None, TG.resolution_of, names.step("retrieval:1"), self._graph),
                QuadPattern(None, TG.candidate_of, names.step("retrieval:1"), self._graph),
                QuadPattern(None, TG.sentence_of, names.step("answer"), self._graph),
                QuadPattern(None, TG.derivation_of, names.step("answer"), self._graph),
                *(QuadPattern(None, TG.quoted_for, edge, self._graph) for edge in nodes),
            ]
        )
        further = [*nodes, *(quad.subject for quads in pointing for quad in quads)]
        further += await self._elements(names, further)
        found += await self._described([node for node in further if isinstance(node, NamedNode)])
        own = {quad.object for quad in found if quad.predicate == TG.quotation and session_uuid(quad.object)}
        found += await self._described([node for node in own if isinstance(node, NamedNode)])
        found += await self._values(found)
        agents = {quad.object for quad in found if quad.predicate in _AGENT_LINKS}
        return found + await self._described([node for node in agents if isinstance(node, NamedNode)])

    async def _elements(self, names: SessionNames, nodes: Sequence[object]) -> list[NamedNode]:
        """The elements of the claims that the answer, or sentences of it, judge."""
        judging = [names.step("answer"), *(node for node in nodes if isinstance(node, NamedNode))]
        pointing = await self.store.match(
            [QuadPattern(None, TG.element_of, node, self._graph) for node in judging]
        )
        return [named(quad.subject) for quads in pointing for quad in quads]

    async def _values(self, quads: Sequence[Quad]) -> list[Quad]:
        """What the steps of a derivation generated."""
        steps = [named(quad.subject) for quad in quads if quad.predicate == TG.derivation_of]
        generated = await self.store.match(
            [QuadPattern(None, PROV.was_generated_by, step, self._graph) for step in steps]
        )
        return await self._described([named(quad.subject) for quads in generated for quad in quads])

    async def entity(self, iri: NamedNode) -> list[Quad]:
        """The quads of one entity of a trace, by the `explain_id` of a message."""
        uuid = session_uuid(iri)
        here = await self._where(SessionNames(uuid)) if uuid else self
        quads = await here._described([iri])
        if not quads:
            raise NotFound(f"Nothing is recorded of {iri.value}. Take the `explain_id` of a message.")
        notes = (
            [notes_iri(SessionNames(uuid), retrieval) for retrieval in RETRIEVALS] if is_noted(quads) else []
        )
        return [quad for quad in expanded([*quads, *await here._described(notes)]) if quad.subject == iri]

    async def remove(self, collection: str) -> int:
        """Remove the traces of all questions to a collection; returns how many there were."""
        here = replace(self, store=self.store.of(collection))
        asked = QuadPattern(None, TG.collection, collection_iri(collection), self._graph)
        (quads,) = await here.store.match([asked])
        for quad in quads:
            await here.remove_session(named(quad.subject))
        return len(quads)

    async def remove_session(self, session: NamedNode) -> None:
        """Remove one trace in one transaction, then its words; what is gone already is no error."""
        names = self.names(session.value)
        here = await self._where(names)
        try:
            own = [quad for quad in await here._quads(names) if names.uuid in str(quad.subject)]
        except NotFound:
            own = []
        await here._release_pages(session, own)
        await here.store.remove(own)
        for node in (
            names.answer_text,
            *(name(step) for step in STEPS for name in (names.prompt, names.reply)),
        ):
            await self.library.drop(self.explain_collection, node)

    async def _release_pages(self, session: NamedNode, own: Sequence[Quad]) -> None:
        """Forget the pages of older versions that only this trace still quotes."""
        pages = [named(quad.object) for quad in own if quad.predicate == PROV.was_quoted_from]
        if pages:
            read = read_session(session, own)
            graphs = collection_graphs(read.collection, self.explain_collection)
            await release_pages(self.store, self.library, read, graphs, pages)

    async def _where(self, names: SessionNames) -> Traces:
        """These traces as they are in the shard that has the session; all where none has it.

        Raises `Unavailable` where none has it of those that answer.
        """
        shards, away = self.store.shards, list[Unavailable]()
        if len(shards) == 1:
            return self
        session = Quad(names.session, RDF.type, TG.Session, self._graph)
        for shard in shards:
            try:
                if all(await shard.contains([session])):
                    return replace(self, store=shard)
            except Unavailable as error:
                away.append(error)
        if away:
            raise away[0]
        return self

    @property
    def _graph(self) -> NamedNode:
        return retrieval_graph(self.explain_collection)

    async def _session_nodes(self) -> list[NamedNode]:
        (quads,) = await self.store.match([QuadPattern(None, RDF.type, TG.Session, self._graph)])
        return [quad.subject for quad in quads if isinstance(quad.subject, NamedNode)]

    async def _described(self, nodes: Iterable[NamedNode]) -> list[Quad]:
        found = await self.store.match([QuadPattern(node, graph=self._graph) for node in nodes])
        return [quad for quads in found for quad in quads]

    async def _answer(self, names: SessionNames) -> str:
        try:
            return await self.library.text(self.explain_collection, names.answer_text)
        except NotFound:
            return ""

    def names(self, session: str) -> SessionNames:
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


def _recorded_reasons(names: SessionNames, quads: Iterable[Quad]) -> list[str]:
    """Why the answer is stale, as it is recorded."""
    answer = names.step("answer")
    said = [q.object for q in quads if q.subject == answer and q.predicate == TG.stale_because]
    return [reason.value for reason in said if isinstance(reason, Literal)]
