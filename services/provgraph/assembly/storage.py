"""Store, library and SPARQL endpoint that settings name: those of the data folder, or servers of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from provgraph.adapters.data_folder import DataFolder
from provgraph.adapters.divided_store.placement import SETTING, read_places
from provgraph.adapters.folder_contents import FolderContentStore
from provgraph.adapters.folder_owner import FolderOwner
from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.adapters.sparql_limits import SparqlLimits
from provgraph.adapters.sparql_processes.endpoint import SparqlProcesses
from provgraph.archiving.snapshot import CopiedContents, Live
from provgraph.assembly.servers import ANSWER_WITHIN_S, Probe, opened_on_servers
from provgraph.documents.library import Library
from provgraph.errors import InvalidInput, ProvGraphError
from provgraph.ports.content_store import ContentStore
from provgraph.ports.quad_store import KeptStore, QuadStore
from provgraph.ports.sparql_endpoint import ForgetfulEndpoint
from provgraph.roles import Role
from provgraph.settings import Settings


class KeptContents(ContentStore, CopiedContents, Protocol):
    """Contents that can be copied into a folder."""


@dataclass(frozen=True)
class Storage:
    """What is kept, and how users' queries reach it; `probes` ask, by name, what lies outside this process, and
    `placed`, by the names of collections, their own stores, without which the others go on."""

    store: KeptStore
    contents: KeptContents
    sparql: Callable[[], ForgetfulEndpoint]
    probes: Mapping[str, Probe]
    owner: FolderOwner | None = field(default=None)
    placed: Mapping[str, Probe] = field(default_factory=dict)
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
    places = read_places(settings.collection_stores, settings.explain_collection)
    if settings.store_url:
        owner = FolderOwner(folder.path)
        try:
            on_servers = opened_on_servers(settings, places, limits, folder.snapshots)
        except ProvGraphError:
            owner.let_go()
            raise
        probes = {"store": on_servers.probe, **probes}
        hurry = on_servers.stop_waiting
        return Storage(on_servers.store, contents, on_servers.sparql, probes, owner, on_servers.placed, hurry)
    if places:
        raise InvalidInput(
            f"{SETTING} places collections beside a store that is on a server, and "
            "PROVGRAPH_STORE_URL is not set. Set it to the server of all other collections."
        )
    FolderOwner(
        folder.path
    ).let_go()  # a process whose graph is on a server may work here, and locks no store
    own = OxigraphQuadStore(folder.store)
    children = partial(SparqlProcesses, own, folder.snapshots, limits)
    return Storage(own, contents, children, {"store": partial(_names_its_graphs, own), **probes})


def _contents(settings: Settings, folder: DataFolder) -> tuple[KeptContents, Mapping[str, Probe]]:
    url = settings.library_url
    if not url or url.startswith("file:"):
        kept = FolderContentStore(Path(unquote(urlsplit(url).path)) if url else folder.library)
        kept.sweep()
        return kept, {}
    from provgraph.adapters.object_contents import opened_objects

    objects = opened_objects(url)
    return objects, {"library": partial(objects.answers, ANSWER_WITHIN_S)}


async def _names_its_graphs(store: QuadStore) -> None:
    await store.graph_names()
