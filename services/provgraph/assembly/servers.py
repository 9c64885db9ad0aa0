"""The graph on one server, or on several where collections are placed on their own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from provgraph.adapters.divided_store.placement import MAIN, SETTING
from provgraph.adapters.sparql_limits import SparqlLimits
from provgraph.ports.quad_store import KeptStore
from provgraph.ports.sparql_endpoint import ForgetfulEndpoint
from provgraph.settings import Settings

ANSWER_WITHIN_S: Final = 3.0

Probe = Callable[[], Awaitable[None]]
"""Raises `Unavailable` where what it asks does not answer."""


@dataclass(frozen=True)
class OnServers:
    """`probe` asks the main server, `placed` by the names of collections those that have them.

    After `stop_waiting` no call waits any longer for a server that does not answer.
    """

    store: KeptStore
    sparql: Callable[[], ForgetfulEndpoint]
    probe: Probe
    placed: Mapping[str, Probe]
    stop_waiting: Callable[[], None]


def opened_on_servers(
    settings: Settings, places: Mapping[str, str], limits: SparqlLimits, folder: Path
) -> OnServers:
    """The store that lies on the servers of settings and `places`; `folder` is for what SPARQL tries queries on.

    Raises `InvalidInput` for what cannot be one store, and `Unavailable` where a server does not answer.
    """
    from provgraph.adapters.divided_store.opening import opened_stores
    from provgraph.adapters.divided_store.store import DividedSparql, DividedStore
    from provgraph.adapters.remote_store.address import store_address
    from provgraph.adapters.remote_store.sparql import ForwardedSparql

    known = settings.store_paths, settings.store_retry_s
    main = store_address(settings.store_url, *known)
    placed = {
        name: replace(store_address(url, *known, SETTING), waits_again=False) for name, url in places.items()
    }
    opened = opened_stores(main, placed)
    stores = opened.stores
    endpoints = [
        partial(ForwardedSparql, store.connection, limits, folder / f"store-{number}" if places else folder)
        for number, store in enumerate(stores)
    ]
    probes = [partial(store.answers, ANSWER_WITHIN_S) for store in stores]

    def stop_waiting() -> None:
        for store in stores:
            store.connection.stop_waiting()

    if not places:
        return OnServers(stores[MAIN], endpoints[MAIN], probes[MAIN], {}, stop_waiting)
    return OnServers(
        DividedStore(stores, opened.placement),
        lambda: DividedSparql([endpoint() for endpoint in endpoints], opened.placement),
        probes[MAIN],
        {name: probes[opened.placement.of_collection(name)] for name in places},
        stop_waiting,
    )
