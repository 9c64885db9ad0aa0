"""A copy of all that a server holds, as an embedded store in a folder: for backups and archives."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pyoxigraph import RdfFormat, Store

from provgraph.adapters.remote_store.connection import StoreConnection
from provgraph.errors import Unavailable

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
                f"The store at {connection.address.told} sent a copy that cannot be read ({error}). Try again."
            ) from error
        store.update("CLEAR DEFAULT")  # the notes of writers
        store.flush()
