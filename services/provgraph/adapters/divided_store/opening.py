"""The stores of a placement, opened and looked at: what lies where no reader looks for it ends the start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from pyoxigraph import NamedNode, Quad

from provgraph.adapters.divided_store.placement import MAIN, SETTING, Placement
from provgraph.adapters.remote_store.connection import StoreAddress, StoreConnection
from provgraph.adapters.remote_store.pattern_queries import graph_names_query
from provgraph.adapters.remote_store.store import SparqlHttpQuadStore
from provgraph.adapters.remote_store.turns import ReceiptedWrites
from provgraph.errors import InvalidInput, ProvGraphError
from provgraph.rdf.graphs import collection_of_graph
from provgraph.rdf.iris import collection_iri
from provgraph.rdf.vocabulary import TG
from provgraph.sparql.quad_data import quad_data

_ASKED: Final = f"""
SELECT DISTINCT ?collection WHERE {{
  GRAPH ?graph {{ ?session a {TG.Session} ; {TG.collection} ?collection }}
}}
"""
_HELP: Final = (
    "Set it as it was, take the collection out with 'provgraph export --archive', remove it, then set its new place "
    "and import the archive."
)


@dataclass(frozen=True)
class OpenedStores:
    """By the numbers of the placement."""

    stores: Sequence[SparqlHttpQuadStore]
    placement: Placement


def opened_stores(main: StoreAddress, places: Mapping[str, StoreAddress]) -> OpenedStores:
    """The stores, when all of them answer; collections of one address share a store.

    Raises `InvalidInput` for a collection that is placed on the main store, for two addresses of one server, and where
    a store holds what belongs to another; `Unavailable` where one does not answer.
    """
    addresses = [main]
    for name, address in places.items():
        if address.query == main.query:
            raise InvalidInput(
                f"{SETTING} places {name!r} at {address.shown}, which has all that is not placed. Leave it out."
            )
        if address.query not in [store_address.query for store_address in addresses]:
            addresses.append(address)
    at = [store_address.query for store_address in addresses]
    placement = Placement({name: at.index(address.query) for name, address in places.items()})
    stores: list[SparqlHttpQuadStore] = []
    try:
        stores.extend(map(SparqlHttpQuadStore.opened, addresses))
        if places:
            _require_own_servers([store.connection for store in stores])
            _require_own_collections([store.connection for store in stores], placement)
    except ProvGraphError:
        for store in stores:
            store.connection.close()
        raise
    return OpenedStores(stores, placement)


def _require_own_servers(connections: Sequence[StoreConnection]) -> None:
    """The receipt of a write at one must not be found at another."""
    for place, one in enumerate(connections):
        writes, left = ReceiptedWrites(one), list[Quad]()
        writes.carry_out(partial(_leaving, left))
        try:
            for other in connections[place + 1 :]:
                if other.holds(f"ASK {{ {quad_data(left)} }}"):
                    raise InvalidInput(
                        f"{one.address.shown} and {other.address.shown} are one server, and {SETTING} would have two. "
                        "Write one address for both."
                    )
        finally:
            writes.settle_all()


def _leaving(left: list[Quad], receipt: Quad, _: list[Quad]) -> str:
    left.append(receipt)
    return f"INSERT DATA {{ {quad_data([receipt])} }}"


def _require_own_collections(connections: Sequence[StoreConnection], placement: Placement) -> None:
    for number, connection in enumerate(connections):
        for name in sorted(_collections(connection)):
            right = placement.of_collection(name)
            if right != number:
                places = (
                    "does not place" if right == MAIN else f"places at {connections[right].address.shown}"
                )
                raise InvalidInput(
                    f"The store at {connection.address.shown} holds something of the collection {name!r}, which "
                    f"{SETTING} {places}. {_HELP}"
                )


def _collections(connection: StoreConnection) -> set[str]:
    """The collections that have a graph there, or a trace of a question to them."""
    graphs = [
        collection_of_graph(row["graph"].value) for row in connection.solutions(graph_names_query(connection))
    ]
    asked = [row["collection"] for row in connection.solutions(_ASKED)]
    prefix = collection_iri("").value
    traced = [node.value.removeprefix(prefix) for node in asked if isinstance(node, NamedNode)]
    return {name for name in (*graphs, *traced) if name}
