"""The service `triples`: a client's pattern → patterns of the store, and the triples that match, in one reply
or in many."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from provgraph.catalogue.collections import Collections
from provgraph.errors import InvalidInput
from provgraph.gateway.trustgraph import fields
from provgraph.gateway.trustgraph.fields import Body, graphs_of, wire_quad
from provgraph.gateway.trustgraph.services import ServiceReply
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.provenance.flows import DOCUMENT_RAG, FLOWS
from provgraph.rdf import literals
from provgraph.rdf.graphs import DEFAULT_COLLECTION, CollectionGraphs
from provgraph.rdf.iris import SessionNames, session_uuid
from provgraph.rdf.json_terms import term_from_json
from provgraph.rdf.literals import canonical
from provgraph.rdf.terms import BlankNode, Literal, NamedNode, Quad, Term, Triple
from provgraph.rdf.vocabulary import DC, PROV, RDF, RDFS, TG, XSD
from provgraph.traces.reader import Traces

MOST_FACTS: Final = 1_000
"""Facts that a quoted triple with open parts may stand for."""

_DATATYPES: Final = (
    XSD.string,
    XSD.integer,
    XSD.decimal,
    XSD.boolean,
    XSD.date,
    XSD.g_year,
    XSD.g_year_month,
    XSD.date_time,
    TG.quantity,
)


@dataclass(frozen=True)
class AnyLiteral:
    """Every literal of this text, whatever its datatype or language."""

    text: str


@dataclass(frozen=True)
class OpenTriple:
    """A quoted triple, of which some parts may be open, or its object any literal of a text."""

    subject: NamedNode | None
    predicate: NamedNode | None
    object: Wanted


Wanted = Term | AnyLiteral | OpenTriple | None
"""What may stand in a place; None for anything."""


@dataclass(frozen=True)
class TriplePattern:
    subject: NamedNode | None
    predicate: NamedNode | None
    object: Wanted

    @classmethod
    def of(cls, body: Body) -> TriplePattern | None:
        """None for a pattern that nothing can meet, such as a literal as its subject. Raises `InvalidInput`."""
        subject, predicate, wanted = (_wanted(body.get(place)) for place in ("s", "p", "o"))
        if not isinstance(subject, NamedNode | None) or not isinstance(predicate, NamedNode | None):
            return None
        return None if isinstance(wanted, BlankNode) else cls(subject, predicate, wanted)

    def admits(self, quad: Quad) -> bool:
        """Whether a quad that was not found by the pattern meets it; a quoted triple with open parts admits none."""
        return (
            self.subject in (None, quad.subject)
            and self.predicate in (None, quad.predicate)
            and (
                quad.object.value == self.object.text
                if isinstance(self.object, AnyLiteral) and isinstance(quad.object, Literal)
                else self.object in (None, quad.object)
            )
        )


@dataclass(frozen=True)
class Scope:
    """A collection with its graphs, and those of them that a client wants to see."""

    collection: str
    graphs: CollectionGraphs
    wanted: tuple[NamedNode, ...]


class PatternLookup:
    """Looks patterns up in the graphs that a client wants to see."""

    def __init__(self, store: QuadStore, scope: Scope) -> None:
        self._store = store
        self._scope = scope

    async def quads(self, pattern: TriplePattern, limit: int) -> list[Quad]:
        """At most `limit` quads, by graph."""
        return await self._in(self._scope.wanted, pattern, limit)

    async def _in(self, graphs: Sequence[NamedNode], pattern: TriplePattern, limit: int) -> list[Quad]:
        objects = await self._objects(pattern)
        patterns = [
            QuadPattern(pattern.subject, pattern.predicate, object_, graph)
            for graph in graphs
            for object_ in objects
        ]
        found = await self._store.match(patterns, limit)
        return [quad for quads in found for quad in quads][:limit]

    async def _objects(self, pattern: TriplePattern) -> list[Term | None]:
        match pattern.object:
            case AnyLiteral(text):
                return list(await self._literals(pattern.subject, pattern.predicate, text))
            case OpenTriple() as quoted:
                return list(await self._facts(quoted))
            case exact:
                return [exact]

    async def _literals(
        self, subject: NamedNode | None, predicate: NamedNode | None, text: str
    ) -> list[Literal]:
        """The literals of this text that stand there; without a subject, those of the datatypes that are written."""
        if subject is None:
            return [canonical(Literal(text, datatype=datatype)) for datatype in _DATATYPES]
        patterns = [QuadPattern(subject, predicate, None, graph) for graph in self._scope.graphs]
        found = await self._store.match(patterns)
        objects = [quad.object for quads in found for quad in quads]
        return list(dict.fromkeys(o for o in objects if isinstance(o, Literal) and o.value == text))

    async def _facts(self, quoted: OpenTriple) -> list[Triple]:
        """The facts that a quoted triple may stand for, and the triple itself where it is whole."""
        plain = TriplePattern(quoted.subject, quoted.predicate, quoted.object)
        asserted = await self._in([self._scope.graphs.knowledge], plain, MOST_FACTS)
        facts = [quad.triple for quad in asserted]
        if quoted.subject and quoted.predicate and isinstance(quoted.object, AnyLiteral):
            facts.append(Triple(quoted.subject, quoted.predicate, Literal(quoted.object.text)))
        if quoted.subject and quoted.predicate and isinstance(quoted.object, NamedNode | Literal):
            facts.append(Triple(quoted.subject, quoted.predicate, quoted.object))
        return list(dict.fromkeys(facts))


def _wanted(term: Any) -> Wanted:
    match term:
        case None:
            return None
        case {"t": "l", "v": str(text)} if not term.get("dt") and not term.get("ln"):
            return AnyLiteral(_valid_unicode(text))
        case {"t": "t", "tr": dict(parts)}:
            subject, predicate, wanted = (_wanted(parts.get(place)) for place in ("s", "p", "o"))
            if not isinstance(subject, NamedNode | None) or not isinstance(predicate, NamedNode | None):
                raise InvalidInput(
                    "A quoted triple has an IRI as its subject and as its predicate. Correct it."
                )
            return OpenTriple(subject, predicate, wanted)
        case dict():
            found = term_from_json(term)
            return canonical(found) if isinstance(found, Literal) else found
        case _:
            raise InvalidInput(f"{str(term)[:120]} is not an RDF term. Give t: i, l, b or t.")


def _valid_unicode(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput("A literal holds half a character (a lone surrogate). Correct it.") from error
    return text


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
        quad = Quad(answer, RDF.type, TG.Synthesis, retrieval)
        kinds = [flow.question for flow in FLOWS if flow.question_name == DOCUMENT_RAG.question_name]
        of_documents = [Quad(names.question, RDF.type, kind, retrieval) for kind in kinds]
        is_made, *is_asked = await self.store.contains([quad, *of_documents])
        if not is_made or not any(is_asked):
            return []
        return [Quad(answer, PROV.was_derived_from, names.step("retrieval"), retrieval)]

    async def _start(self, subject: NamedNode, graphs: CollectionGraphs) -> list[Quad]:
        names = SessionNames(session_uuid(subject))
        if subject not in (SessionNames(names.uuid, flow.question_name).question for flow in FLOWS):
            return []
        asked = QuadPattern(names.session, PROV.started_at_time, None, graphs.retrieval)
        (quads,) = await self.store.match([asked])
        return [Quad(subject, PROV.started_at_time, quad.object, graphs.retrieval) for quad in quads]


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


DEFAULT_LIMIT: Final = 10_000
MOST: Final = 200_000
DEFAULT_BATCH: Final = 20
MOST_IN_BATCH: Final = 10_000


@dataclass(frozen=True)
class TripleService:
    store: QuadStore
    collections: Collections
    additions: Additions

    async def __call__(self, body: Body) -> AsyncGenerator[ServiceReply]:
        triples = [wire_quad(quad) for quad in await self._quads(body)]
        if not fields.flag(body, "streaming"):
            yield ServiceReply({"response": triples})
            return
        size = fields.number(body, "batch-size", DEFAULT_BATCH, MOST_IN_BATCH)
        for start in range(0, max(len(triples), 1), size):
            yield ServiceReply({"response": triples[start : start + size]}, start + size >= len(triples))

    async def _quads(self, body: Body) -> Sequence[Quad]:
        limit = fields.number(body, "limit", DEFAULT_LIMIT, MOST)
        collection = fields.text(body, "collection", "") or DEFAULT_COLLECTION
        graphs = await self.collections.require(collection)
        scope = Scope(collection, graphs, graphs_of(body.get("g"), graphs))
        pattern = TriplePattern.of(body)
        if pattern is None or not scope.wanted:
            return []
        quads = await (self._about_one if pattern.subject else self._about_any)(pattern, scope, limit)
        if pattern.predicate == RDFS.label:
            quads.sort(key=lambda quad: str(quad.object))
        return quads[:limit]

    async def _about_one(self, pattern: TriplePattern, scope: Scope, limit: int) -> list[Quad]:
        """Of a subject that is given: its types, what clients look for besides, and all else of it."""
        assert pattern.subject
        lookup = PatternLookup(self.store, scope)
        of_types = TriplePattern(pattern.subject, RDF.type, pattern.object)
        types = [] if pattern.predicate else await lookup.quads(of_types, limit)
        quads = await lookup.quads(pattern, limit)
        added = [
            quad
            for quad in await self.additions.about(pattern.subject, scope.graphs)
            if pattern.admits(quad) and quad.graph_name in scope.wanted
        ]
        return list(dict.fromkeys([*types, *added, *quads]))

    async def _about_any(self, pattern: TriplePattern, scope: Scope, limit: int) -> list[Quad]:
        if (
            pattern.predicate == TG.query
            and pattern.object is None
            and scope.graphs.retrieval in scope.wanted
        ):
            return await self.additions.questions(scope)
        quads = await PatternLookup(self.store, scope).quads(pattern, limit)
        return list(dict.fromkeys([*quads, *await self.additions.derived(pattern, scope)]))
