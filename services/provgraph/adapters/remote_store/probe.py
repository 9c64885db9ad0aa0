"""What a store of RDF 1.1 is asked when it is opened: whether it gives terms back as they were written, and whether
the graph in it is one of this encoding.
"""

from __future__ import annotations

from functools import partial
from typing import Final
from uuid import uuid4

from pyoxigraph import BaseDirection, Literal, NamedNode, Quad, Triple

from provgraph.adapters.remote_store.connection import StoreConnection
from provgraph.adapters.remote_store.pattern_queries import OWN_GRAPHS, PatternReader
from provgraph.adapters.remote_store.quotations import cleaning
from provgraph.adapters.remote_store.rdf_1_1 import quoted_terms
from provgraph.adapters.remote_store.turns import NOTES, ReceiptedWrites
from provgraph.adapters.remote_store.updates import UpdatesInRdf11
from provgraph.errors import InvalidInput, NotProvided
from provgraph.ports.quad_store import QuadPattern
from provgraph.rdf.terms import Term
from provgraph.rdf.vocabulary import PREFIXES
from provgraph.sparql.quad_data import quad_data

_STORE: Final = NamedNode("urn:provgraph:store")
_FORM: Final = NamedNode("urn:provgraph:rdf")
_MARK: Final = Quad(_STORE, _FORM, Literal("1.1"), NOTES)
_PROBE: Final = NamedNode("urn:provgraph:probe")
_XSD: Final = PREFIXES["xsd"]
_SAMPLES: Final[dict[str, Term]] = {
    "an empty text": Literal(""),
    "a text with spaces around it": Literal("  a  "),
    "a text of many characters": Literal("é" * 70_000),
    "a text with marks, lines and signs": Literal('"a"\\\n\r\t日本 😀 e\u0301'),
    "a text in a language": Literal("colour", language="en-gb"),
    "a text with a base direction": Literal("مرحبا", language="ar", direction=BaseDirection.RTL),
    "a moment": Literal("2024-01-02T03:04:05.678Z", datatype=NamedNode(f"{_XSD}dateTime")),
    "a moment in a time zone": Literal("2024-01-02T03:04:05+02:00", datatype=NamedNode(f"{_XSD}dateTime")),
    "a day": Literal("0476-09-04", datatype=NamedNode(f"{_XSD}date")),
    "a year": Literal("1903", datatype=NamedNode(f"{_XSD}gYear")),
    "a truth value": Literal("true", datatype=NamedNode(f"{_XSD}boolean")),
    "a whole number": Literal("123456789012345678", datatype=NamedNode(f"{_XSD}integer")),
    "a longer whole number": Literal("1" * 30, datatype=NamedNode(f"{_XSD}integer")),
    "a decimal number": Literal("-0.123456", datatype=NamedNode(f"{_XSD}decimal")),
    "a double": Literal("0.12345678901234566", datatype=NamedNode(f"{_XSD}double")),
    "a datatype that it does not know": Literal(
        "4.5 %", datatype=NamedNode("https://trustgraph.ai/ns/quantity")
    ),
    "an IRI with other letters": NamedNode("http://e/é?x=1&y=%20a#f"),
    "an IRI of 1,800 bytes": NamedNode("urn:x:" + "a" * 1_794),
    "a quoted edge": Triple(_PROBE, _FORM, Literal("a", language="en")),
}

_EQUAL: Final = [
    Literal(text, datatype=NamedNode(f"{_XSD}{name}"))
    for text, name in (
        ("5", "integer"),
        ("5", "decimal"),
        ("5", "double"),
        ("1903", "gYear"),
        ("1903-01", "gYearMonth"),
        ("1903-01-01", "date"),
        ("1903-01-01T00:00:00", "dateTime"),
        ("1903-01-01T00:00:00Z", "dateTime"),
        ("1903-01-01T02:00:00+02:00", "dateTime"),
    )
]
"""Values that stores may take for one another."""


def require_exact(connection: StoreConnection, reader: PatternReader, writes: ReceiptedWrites) -> None:
    """Write a term of each kind and read it back. Raises `NotProvided` that names what comes back changed."""
    graph = NamedNode(f"{_PROBE.value}:{uuid4().hex}")
    quads = [
        Quad(_PROBE, NamedNode(f"{_PROBE.value}:{at}"), term, graph)
        for at, term in enumerate(_SAMPLES.values())
    ]
    equal = {Quad(_STORE, _FORM, value, graph) for value in _EQUAL}
    writes.carry_out(partial(UpdatesInRdf11().addition, [*quads, *equal]))
    try:
        found = reader.match([QuadPattern(_PROBE, quad.predicate, graph=graph) for quad in quads])
        is_there = reader.contains(quads)
        apart = reader.match([QuadPattern(_STORE, graph=graph)])[0]
    finally:
        steps = [f"DROP SILENT GRAPH {graph}", *cleaning(quoted_terms(quads))]
        writes.carry_out(partial(_in_steps, steps))
    lost = [
        name
        for name, quad, own, is_own in zip(_SAMPLES, quads, found, is_there, strict=True)
        if own != [quad] or not is_own
    ]
    if set(apart) != equal:
        lost.append("values that are written in different ways and are equal")
    if lost:
        raise NotProvided(
            f"The store at {connection.address.shown} does not give back what is written to it: {', '.join(lost)}. "
            "Use another store, or another version of this one."
        )


def _in_steps(steps: list[str], left: Quad, settled: list[Quad]) -> str:
    forgetting = [f"DELETE DATA {{ {quad_data(settled)} }}"] if settled else []
    return " ; ".join([*forgetting, *steps, f"INSERT DATA {{ {quad_data([left])} }}"])


def require_own_form(connection: StoreConnection, writes: ReceiptedWrites) -> None:
    """Raises `InvalidInput` where the graph that is there is not of the form that the setting names.

    A store that is empty is taken, and marked as one of RDF 1.1 where it is to be one.
    """
    is_marked = connection.holds(f"ASK {{ {quad_data([_MARK])} }}")
    if is_marked == connection.address.is_rdf_1_1:
        return
    if is_marked:
        raise InvalidInput(
            f"The graph at {connection.address.shown} is written in RDF 1.1. "
            "Set PROVGRAPH_STORE_RDF=1.1 for all services that use it."
        )
    if connection.holds(f'ASK {{ GRAPH ?g {{ ?s ?p ?o }} FILTER(STRSTARTS(STR(?g), "{OWN_GRAPHS}")) }}'):
        raise InvalidInput(
            f"The graph at {connection.address.shown} is not written in RDF 1.1, which PROVGRAPH_STORE_RDF asks for. "
            "Take it out with 'provgraph export --archive' under the setting that it was written with, and import it "
            "into an empty store."
        )
    writes.carry_out(partial(_in_steps, [f"INSERT DATA {{ {quad_data([_MARK])} }}"]))
