"""Store, library and SPARQL endpoint that settings name: those of the data folder, or servers of their own, one or
several.

A store of another kind is an opener more in `OPENERS`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from provgraph.adapters.data_folder import DataFolder, FolderOwner
from provgraph.adapters.divided_store.placement import MAIN, SETTING, read_places
from provgraph.adapters.folder_contents import FolderContentStore
from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.adapters.recorded_store import RecordedStore
from provgraph.adapters.signing_key import InstallationKey
from provgraph.adapters.sparql_processes.endpoint import SparqlLimits, SparqlProcesses
from provgraph.archiving.snapshot import SnapshotSource
from provgraph.attestation.records import Signing
from provgraph.documents.library import Library
from provgraph.errors import InvalidInput, ProvGraphError
from provgraph.ports.content_store import ContentStore
from provgraph.ports.quad_store import QuadStore
from provgraph.ports.sparql_endpoint import SparqlEndpoint
from provgraph.roles import Role
from provgraph.settings import Settings

ANSWER_WITHIN_S: Final = 3.0

Probe = Callable[[], Awaitable[None]]
"""Raises `Unavailable` where what it asks does not answer."""


@dataclass(frozen=True)
class OpenedStore:
    """A store, the endpoint over it for SPARQL of users, and what asks whether it answers.

    `placed` are probes by the names of collections that lie on servers of their own, without which the others go on;
    `owner` holds the data folder where the store does not lie in it. After `stop_waiting` no call waits any longer for
    a server that does not answer.
    """

    store: QuadStore
    sparql: Callable[[], SparqlEndpoint]
    probe: Probe
    owner: FolderOwner | None = None
    placed: Mapping[str, Probe] = field(default_factory=dict)
    stop_waiting: Callable[[], None] = lambda: None


Opener = Callable[[Settings, DataFolder], OpenedStore]


def opened_store(settings: Settings, folder: DataFolder) -> OpenedStore:
    """Raises `InvalidInput` for an address that is none, and `Unavailable` when folder or server cannot be used."""
    return OPENERS.get(urlsplit(settings.store_url).scheme, opened_on_servers)(settings, folder)


def opened_in_folder(settings: Settings, folder: DataFolder) -> OpenedStore:
    """An embedded Oxigraph, which this process has to itself."""
    if settings.collection_stores:
        raise InvalidInput(
            f"{SETTING} places collections beside a store that is on a server, and "
            "PROVGRAPH_STORE_URL is not set. Set it to the server of all other collections."
        )
    FolderOwner(
        folder.path
    ).let_go()  # a process whose graph is on a server may work here, and locks no store
    store = OxigraphQuadStore(folder.store)
    processes = partial(SparqlProcesses, store, folder.snapshots, sparql_limits(settings))
    signing = Signing(InstallationKey(folder.signing_key, settings.signing_key))
    recorded = RecordedStore(store, signing) if settings.signed_records else store
    return OpenedStore(recorded, processes, partial(_read_graph_names, store))


def opened_on_servers(settings: Settings, folder: DataFolder) -> OpenedStore:
    """One SPARQL server, or several where collections are placed; the folder is for what SPARQL tries queries on."""
    places = read_places(settings.collection_stores, settings.explain_collection)
    owner = FolderOwner(folder.path)
    try:
        return _on_servers(settings, places, folder, owner)
    except ProvGraphError:
        owner.let_go()
        raise


OPENERS: Final[Mapping[str, Opener]] = {
    "": opened_in_folder,
    "http": opened_on_servers,
    "https": opened_on_servers,
}
"""By the scheme of `PROVGRAPH_STORE_URL`."""


def _on_servers(
    settings: Settings, places: Mapping[str, str], folder: DataFolder, owner: FolderOwner
) -> OpenedStore:
    from provgraph.adapters.divided_store.opening import opened_stores
    from provgraph.adapters.divided_store.store import DividedSparql, DividedStore
    from provgraph.adapters.remote_store.connection import store_address
    from provgraph.adapters.remote_store.sparql import ForwardedSparql

    known = settings.store_paths, settings.store_retry_s
    is_rdf_1_1 = settings.store_rdf == "1.1"
    main = store_address(settings.store_url, *known, is_rdf_1_1=is_rdf_1_1)
    placed = {
        name: replace(store_address(url, *known, SETTING, is_rdf_1_1=is_rdf_1_1), waits_again=False)
        for name, url in places.items()
    }
    opened = opened_stores(main, placed)
    stores = opened.stores
    endpoints = [
        partial(
            ForwardedSparql,
            store.connection,
            sparql_limits(settings),
            folder.snapshots / f"store-{number}" if places else folder.snapshots,
        )
        for number, store in enumerate(stores)
    ]
    probes = [partial(store.answers, ANSWER_WITHIN_S) for store in stores]

    def stop_waiting() -> None:
        for store in stores:
            store.connection.stop_waiting()

    if not places:
        return OpenedStore(stores[MAIN], endpoints[MAIN], probes[MAIN], owner, {}, stop_waiting)
    return OpenedStore(
        DividedStore(stores, opened.placement),
        lambda: DividedSparql([endpoint() for endpoint in endpoints], opened.placement),
        probes[MAIN],
        owner,
        {name: probes[opened.placement.of_collection(name)] for name in places},
        stop_waiting,
    )


def sparql_limits(settings: Settings) -> SparqlLimits:
    return SparqlLimits(
        seconds=settings.sparql_timeout_s,
        rows=settings.sparql_row_limit,
        processes=settings.sparql_processes,
    )


async def _read_graph_names(store: QuadStore) -> None:
    await store.graph_names()


@dataclass(frozen=True)
class Storage:
    """What is stored, and how users' queries reach it; `probes` ask, by name, what lies outside this process."""

    opened: OpenedStore
    contents: ContentStore
    probes: Mapping[str, Probe]

    @property
    def store(self) -> QuadStore:
        return self.opened.store

    @property
    def sparql(self) -> Callable[[], SparqlEndpoint]:
        return self.opened.sparql

    async def close(self) -> None:
        await self.store.close()
        if self.opened.owner:
            self.opened.owner.let_go()

    def live(self, library: Library, workspace: Path) -> SnapshotSource:
        """What snapshots are taken of."""
        return SnapshotSource(self.store, self.contents, library, workspace)


def require_shared(settings: Settings, role: Role) -> None:
    """Raises `InvalidInput` where store and library are those of one folder, which one process has to itself."""
    for value, name, example in (
        (settings.store_url, "PROVGRAPH_STORE_URL", "http://127.0.0.1:7878"),
        (settings.library_url, "PROVGRAPH_LIBRARY_URL", "s3://bucket/prefix or file:///shared/folder"),
    ):
        if not value:
            raise InvalidInput(
                f"'provgraph serve {role}' shares graph and documents with the services beside it, and {name} is not "
                f"set. Set it for all of them, such as {example}, or serve everything with 'provgraph serve'."
            )


def chosen_storage(settings: Settings, folder: DataFolder) -> Storage:
    """Raises `InvalidInput` for an address that is none, and `Unavailable` when the folder is in use."""
    contents, probes = _contents(settings, folder)
    opened = opened_store(settings, folder)
    return Storage(opened, contents, {"store": opened.probe, **probes})


def _contents(settings: Settings, folder: DataFolder) -> tuple[ContentStore, Mapping[str, Probe]]:
    url = settings.library_url
    if not url or url.startswith("file:"):
        kept = FolderContentStore(Path(unquote(urlsplit(url).path)) if url else folder.library)
        kept.sweep()
        return kept, {}
    from provgraph.adapters.object_contents import opened_objects

    objects = opened_objects(url)
    return objects, {"library": partial(objects.answers, ANSWER_WITHIN_S)}
