"""Copies of all that a server holds, as embedded stores."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pyoxigraph import NamedNode, RdfFormat, Store

from provgraph.adapters.remote_store.connection import StoreConnection
from provgraph.adapters.remote_store.pattern_queries import PatternReader
from provgraph.errors import Unavailable
from provgraph.ports.quad_store import QuadPattern

_N_QUADS: Final = "application/n-quads"


def copy_into(folder: Path, connection: StoreConnection) -> None:
    """Write what the server holds at one moment into `folder`, by Graph Store Protocol.

    Raises `Unavailable` for a copy that does not come whole, and `OSError` where the disk has no room.
    """
    request = connection.client.build_request("GET", connection.address.graphs, headers={"Accept": _N_QUADS})
    with connection.spooled(request) as file:
        store = Store(folder)
        try:
            store.bulk_load(file, format=RdfFormat.N_QUADS)
        except SyntaxError as error:
            raise Unavailable(
                f"The store at {connection.address.shown} sent a copy that cannot be read ({error}). Try again."
            ) from error
        store.update("CLEAR DEFAULT")  # the notes of writers
        store.flush()


def copy_graphs_into(folder: Path, reader: PatternReader, graphs: Sequence[NamedNode]) -> None:
    """Write these graphs into `folder`, each as it is at a moment of its own: no standard has a request for all."""
    store = Store(folder)
    for graph in graphs:
        store.bulk_extend(reader.scan(QuadPattern(graph=graph)))
    store.flush()
