"""The queue of work that settings name, and where files wait: the data folder, or a broker and the shared library."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from provgraph.adapters.data_folder import DataFolder
from provgraph.adapters.disk_queue import DiskWorkQueue
from provgraph.adapters.folder_contents import FolderContentStore
from provgraph.assembly.stores import Probe
from provgraph.errors import InvalidInput
from provgraph.ingestion.submission import WaitingFiles
from provgraph.ports.content_store import ContentStore
from provgraph.ports.work_queue import WorkQueue
from provgraph.roles import Role
from provgraph.settings import Settings

_ANSWER_WITHIN_S: Final = 3.0


@dataclass(frozen=True)
class OpenedQueue:
    """`is_shared` where other processes take of it; `probes` ask, by name, what lies outside this process."""

    queue: WorkQueue
    waiting: WaitingFiles
    is_shared: bool = False
    probes: Mapping[str, Probe] = field(default_factory=dict)
    stop_waiting: Callable[[], None] = lambda: None
    """Let no call wait any longer for a broker that does not answer."""


def chosen_queue(settings: Settings, role: Role, folder: DataFolder, library: ContentStore) -> OpenedQueue:
    """Raises `InvalidInput` for an address that is none or that a worker lacks, and `Unavailable` where the queue
    cannot be opened."""
    if settings.queue_url:
        return _on_a_broker(settings, library)
    if role is Role.EXTRACTION:
        raise InvalidInput(
            f"'provgraph serve {role}' takes its work from a broker, and PROVGRAPH_QUEUE_URL is not set. Set it for "
            "this service and the gateway, such as nats://127.0.0.1:4222."
        )
    contents = FolderContentStore(folder.queue)
    contents.sweep()
    return OpenedQueue(DiskWorkQueue(folder.queue / "work.sqlite"), WaitingFiles(contents, "files"))


def _on_a_broker(settings: Settings, contents: ContentStore) -> OpenedQueue:
    try:
        from provgraph.adapters.nats_queue.queue import NatsWorkQueue
    except ModuleNotFoundError as error:
        raise InvalidInput(
            "PROVGRAPH_QUEUE_URL needs the package nats-py. Install it with: pip install 'provgraph[nats]'."
        ) from error
    queue = NatsWorkQueue(settings.queue_url, settings.queue_patience_s, settings.store_retry_s)
    probes = {"queue": partial(queue.answers, _ANSWER_WITHIN_S)}
    return OpenedQueue(
        queue, WaitingFiles(contents), is_shared=True, probes=probes, stop_waiting=queue.stop_waiting
    )
