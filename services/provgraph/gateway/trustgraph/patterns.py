"""A client's pattern of a triple → patterns of the store, each of them answered by an index.

Clients keep of a literal its text alone and ask for it without its datatype, so such a literal stands for every one
of that text; a quoted triple may leave parts open, and is then one of the facts that fit. Both are looked up among
the asserted facts first, since a store cannot look into its triple terms without reading them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from provgraph.errors import InvalidInput
from provgraph.gateway.trustgraph.fields import Body
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.json_terms import term_from_json
from provgraph.rdf.literals import canonical
from provgraph.rdf.terms import BlankNode, Literal, NamedNode, Quad, Term, Triple
from provgraph.rdf.vocabulary import TG, XSD

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
            return AnyLiteral(_whole(text))
        case {"t": "t", "tr": dict(parts)}:
            subject, predicate, wanted = (_wanted(parts.get(place)) for place in ("s", "p", "o"))
            if not isinstance(subject, NamedNode | None) or not isinstance(predicate, NamedNode | None):
                raise InvalidInput("A quoted triple has an IRI as its subject and as its predicate. Mend it.")
            return OpenTriple(subject, predicate, wanted)
        case dict():
            found = term_from_json(term)
            return canonical(found) if isinstance(found, Literal) else found
        case _:
            raise InvalidInput(f"{str(term)[:120]} is not an RDF term. Give t: i, l, b or t.")


def _whole(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput("A literal holds half a character (a lone surrogate). Mend it.") from error
    return text
