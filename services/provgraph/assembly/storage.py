"""Store, library and SPARQL endpoint that settings name: those of the data folder, or servers of their own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol
from urllib.parse import unquote, urlsplit

from provgraph.adapters.data_folder import DataFolder
from provgraph.adapters.folder_contents import FolderContentStore
from provgraph.adapters.folder_owner import FolderOwner
from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.adapters.sparql_limits import SparqlLimits
from provgraph.adapters.sparql_processes.endpoint import SparqlProcesses
from provgraph.archiving.snapshot import CopiedContents, CopiedStore, Live
from provgraph.documents.library import Library
from provgraph.errors import InvalidInput, ProvGraphError
from provgraph.ports.content_store import ContentStore
from provgraph.ports.quad_store import QuadStore
from provgraph.ports.sparql_endpoint import SparqlEndpoint
from provgraph.roles import Role
from provgraph.settings import Settings

if TYPE_CHECKING:
    from provgraph.adapters.remote_store.store import SparqlHttpQuadStore

_ANSWER_WITHIN_S: Final = 3.0

Probe = Callable[[], Awaitable[None]]
"""Raises `Unavailable` where what it asks does not answer."""


class KeptStore(QuadStore, CopiedStore, Protocol):
    """A store that can be copied into a folder."""


class KeptContents(ContentStore, CopiedContents, Protocol):
    """Contents that can be copied into a folder."""


class ForgetfulEndpoint(SparqlEndpoint, Protocol):
    """An endpoint that can drop the copies it reads."""

    async def forget(self) -> None: ...


@dataclass(frozen=True)
class Storage:
    """What is kept, and how users' queries reach it; `probes` ask, by name, what lies outside this process."""

    store: KeptStore
    contents: KeptContents
    sparql: Callable[[], ForgetfulEndpoint]
    probes: Mapping[str, Probe]
    owner: FolderOwner | None = field(default=None)
    stop_waiting: Callable[[], None] = lambda: None
    """Let no call wait any longer for a server that does not answer."""

    async def close(self) -> None:
        await self.store.close()
        if self.owner:
            self.owner.let_go()

    def live(self, library: Library, workspace: Path) -> Live:
        """What snapshots are taken of."""
        return Live(
            store=self.store,
            copied_store=self.store,
            copied_contents=self.contents,
            library=library,
            open_store=OxigraphQuadStore.reading,
            open_contents=FolderContentStore,
            workspace=workspace,
        )


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
    limits = SparqlLimits(
        seconds=settings.sparql_timeout_s,
        rows=settings.sparql_row_limit,
        processes=settings.sparql_processes,
    )
    if settings.store_url:
        owner = FolderOwner(folder.path)
        try:
            store, endpoint = _on_a_server(settings, limits, folder.snapshots)
        except ProvGraphError:
            owner.let_go()
            raise
        probes = {"store": partial(store.answers, _ANSWER_WITHIN_S), **probes}
        return Storage(store, contents, endpoint, probes, owner, store.connection.stop_waiting)
    FolderOwner(
        folder.path
    ).let_go()  # a process whose graph is on a server may work here, and locks no store
    own = OxigraphQuadStore(folder.store)
    children = partial(SparqlProcesses, own, folder.snapshots, limits)
    return Storage(own, contents, children, {"store": partial(_names_its_graphs, own), **probes})


def _on_a_server(
    settings: Settings, limits: SparqlLimits, folder: Path
) -> tuple[SparqlHttpQuadStore, Callable[[], ForgetfulEndpoint]]:
    from provgraph.adapters.remote_store.address import store_address
    from provgraph.adapters.remote_store.sparql import ForwardedSparql
    from provgraph.adapters.remote_store.store import SparqlHttpQuadStore

    address = store_address(settings.store_url, settings.store_paths, settings.store_retry_s)
    store = SparqlHttpQuadStore.opened(address)
    return store, partial(ForwardedSparql, store.connection, limits, folder)


def _contents(settings: Settings, folder: DataFolder) -> tuple[KeptContents, Mapping[str, Probe]]:
    url = settings.library_url
    if not url:
        return FolderContentStore(folder.library), {}
    if url.startswith("file:"):
        return FolderContentStore(Path(unquote(urlsplit(url).path))), {}
    from provgraph.adapters.object_contents import opened_objects

    objects = opened_objects(url)
    return objects, {"library": partial(objects.answers, _ANSWER_WITHIN_S)}


async def _names_its_graphs(store: QuadStore) -> None:
    await store.graph_names()
