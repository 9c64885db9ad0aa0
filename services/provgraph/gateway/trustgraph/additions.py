"""What TrustGraph's clients look for in a graph and the store does not say, because PROV-O or its own model forbids.

The start of a question, which only an activity may have; labels of pages, chunks and subgraphs; titles in another
vocabulary; the answer to a question about documents as derived from what was retrieved. It is added to what is told,
and never stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pyoxigraph import Literal, NamedNode, Quad

from provgraph.gateway.trustgraph.patterns import Scope, TriplePattern
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.provenance.flows import DOCUMENT_RAG, FLOWS
from provgraph.rdf import literals
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.iris import SessionNames, session_uuid
from provgraph.rdf.terms import Term
from provgraph.rdf.vocabulary import DC, PROV, RDF, RDFS, TG
from provgraph.traces.reader import Traces

_DC_TERMS: Final = "http://purl.org/dc/terms/"
_TITLE, _FORMAT = NamedNode(f"{_DC_TERMS}title"), NamedNode(f"{_DC_TERMS}format")
_SAID: Final = (RDF.type, TG.page_number, TG.chunk_index, DC.title, TG.mime_type)


@dataclass(frozen=True)
class Additions:
    store: QuadStore
    traces: Traces

    async def about(self, subject: NamedNode, graphs: CollectionGraphs) -> list[Quad]:
        """What is added to the description of an entity."""
        if session_uuid(subject):
            return await self._start(subject, graphs)
        patterns = [QuadPattern(subject, predicate, None, graphs.source) for predicate in _SAID]
        found = [quad for quads in await self.store.match(patterns) for quad in quads]
        said: dict[NamedNode, Term] = {quad.predicate: quad.object for quad in found}
        kinds = {quad.object for quad in found if quad.predicate == RDF.type}
        return [Quad(subject, p, o, graphs.source) for p, o in _descriptions(kinds, said)]

    async def questions(self, scope: Scope) -> list[Quad]:
        """`tg:query` of all questions to a collection, the newest first; a session repeats it, and is none."""
        return [
            Quad(session.question, TG.query, literals.text(session.query), scope.graphs.retrieval)
            for session in await self.traces.sessions()
            if session.collection == scope.collection
        ]

    async def derived(self, pattern: TriplePattern, scope: Scope) -> list[Quad]:
        """The answer to a question about documents, where a client asks what is derived from the retrieval: it knows
        no selection between the two."""
        uuid, retrieval = session_uuid(pattern.object), scope.graphs.retrieval
        names = SessionNames(uuid, DOCUMENT_RAG.question_name)
        asks = pattern.predicate == PROV.was_derived_from and pattern.object == names.step("retrieval")
        if not uuid or not asks or retrieval not in scope.wanted:
            return []
        answer = names.step("answer")
        made = Quad(answer, RDF.type, TG.Synthesis, retrieval)
        kinds = [flow.question for flow in FLOWS if flow.question_name == DOCUMENT_RAG.question_name]
        of_documents = [Quad(names.question, RDF.type, kind, retrieval) for kind in kinds]
        is_made, *is_asked = await self.store.contains([made, *of_documents])
        if not is_made or not any(is_asked):
            return []
        return [Quad(answer, PROV.was_derived_from, names.step("retrieval"), retrieval)]

    async def _start(self, subject: NamedNode, graphs: CollectionGraphs) -> list[Quad]:
        names = SessionNames(session_uuid(subject))
        if subject not in (SessionNames(names.uuid, flow.question_name).question for flow in FLOWS):
            return []
        asked = QuadPattern(names.session, PROV.started_at_time, None, graphs.retrieval)
        (found,) = await self.store.match([asked])
        return [Quad(subject, PROV.started_at_time, quad.object, graphs.retrieval) for quad in found]


def _descriptions(kinds: set[Term], said: dict[NamedNode, Term]) -> Iterator[tuple[NamedNode, Term]]:
    if TG.Page in kinds:
        yield RDFS.label, literals.text(f"Page {_number(said, TG.page_number)}")
    if TG.Chunk in kinds:
        yield RDFS.label, literals.text(f"Chunk {_number(said, TG.chunk_index) + 1}")
    if TG.Subgraph in kinds:
        yield RDFS.label, literals.text("Facts")
    if TG.Document in kinds:
        yield _TITLE, said[DC.title]
        yield _FORMAT, said[TG.mime_type]


def _number(said: dict[NamedNode, Term], predicate: NamedNode) -> int:
    term = said.get(predicate)
    return int(term.value) if isinstance(term, Literal) else 0
