"""Typed literals in the canonical form that the store keeps.

Oxigraph normalises what it stores (`1.50` becomes `1.5`, `+00:00` becomes `Z`). A literal that is streamed to a
client must be the one that is stored, so every literal is passed through the same codec when it is made.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache

from pyoxigraph import Literal, NamedNode, Quad, Store

from provgraph.rdf.vocabulary import TG, XSD

_SLOT = NamedNode("urn:provgraph:literal")


@lru_cache(maxsize=16_384)
def canonical(literal: Literal) -> Literal:
    """The literal as a store would give it back."""
    quad = Quad(_SLOT, _SLOT, literal, None)
    store = Store()
    store.add(quad)
    (kept,) = store.quads_for_pattern(_SLOT, _SLOT, None, None)
    assert isinstance(kept.object, Literal)
    return kept.object


def text(value: str) -> Literal:
    return Literal(value)


def boolean(value: bool) -> Literal:
    return Literal("true" if value else "false", datatype=XSD.boolean)


def integer(value: int) -> Literal:
    return Literal(str(value), datatype=XSD.integer)


def decimal(value: float) -> Literal:
    """Six decimals are kept, which is more than any score or confidence here means."""
    return canonical(Literal(f"{value:.6f}", datatype=XSD.decimal))


def date_time(value: datetime) -> Literal:
    """A moment in UTC, to the millisecond."""
    moment = value.astimezone(UTC).isoformat(timespec="milliseconds")
    return canonical(Literal(moment, datatype=XSD.date_time))


def date(lexical: str) -> Literal:
    """ISO 8601, as precise as it was said: "1903", "1903-12" or "1903-12-10"."""
    datatype = {4: XSD.g_year, 7: XSD.g_year_month, 10: XSD.date}[len(lexical)]
    return canonical(Literal(lexical, datatype=datatype))


def number(lexical: str) -> Literal:
    datatype = XSD.decimal if "." in lexical else XSD.integer
    return canonical(Literal(lexical, datatype=datatype))


def quantity(lexical: str) -> Literal:
    """A number, a space, a unit: "4.5 %", "350 km"."""
    return Literal(lexical, datatype=TG.quantity)


def typed(lexical: str, datatype: NamedNode) -> Literal:
    """A literal of a datatype that a vocabulary asks for."""
    return canonical(Literal(lexical, datatype=datatype))
