"""What writers note for each other, and for themselves: the claim of whoever decides, and receipts of the last writes.

A few triples in the default graph. All that is stored lies in named graphs, and only these are read by the port.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final
from uuid import uuid4

from pyoxigraph import Literal, NamedNode, Quad

from provgraph.rdf.vocabulary import XSD

CLAIMS: Final = NamedNode("urn:provgraph:claims")
BEATS: Final = NamedNode("urn:provgraph:beats")
WRITTEN: Final = NamedNode("urn:provgraph:written")


def receipt() -> Quad:
    """A new receipt: it stands in the store when the write that carries it does."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Quad(_node("receipt"), WRITTEN, Literal(now, datatype=XSD.date_time))


def claim_node() -> NamedNode:
    """A new claim to the turn."""
    return _node("claim")


def _node(kind: str) -> NamedNode:
    return NamedNode(f"urn:provgraph:{kind}:{uuid4().hex}")
