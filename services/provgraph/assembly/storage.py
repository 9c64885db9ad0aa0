"""Store, library and SPARQL endpoint that settings name: those of the data folder, or servers of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import unquote, urlsplit

from provgraph.adapters.data_folder import DataFolder
from provgraph.adapters.folder_contents import FolderContentStore
from provgraph.archiving.snapshot import Live
from provgraph.assembly.stores import ANSWER_WITHIN_S, OpenedStore, Probe, opened_store
from provgraph.documents.library import Library
from provgraph.errors import InvalidInput
from provgraph.ports.content_store import ContentStore
from provgraph.ports.quad_store import QuadStore
from provgraph.ports.sparql_endpoint import SparqlEndpoint
from provgraph.roles import Role
from provgraph.settings import Settings


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

    def live(self, library: Library, workspace: Path) -> Live:
        """What snapshots are taken of."""
        return Live(self.store, self.contents, library, workspace)


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
