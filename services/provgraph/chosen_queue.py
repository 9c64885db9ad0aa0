"""The queue of work that settings name, and where files wait: the data folder, or a broker and the shared library."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from provgraph.adapters.data_folder import DataFolder
from provgraph.adapters.disk_queue import DiskWorkQueue
from provgraph.adapters.folder_contents import FolderContentStore
from provgraph.chosen_storage import Probe
from provgraph.extraction.accepting import Accepting
from provgraph.extraction.choices import ExtractionChoices
from provgraph.extraction.pipeline import Ingestion
from provgraph.extraction.waiting_files import WaitingFiles
from provgraph.ports.work_queue import WorkQueue


@dataclass(frozen=True)
class HandedOut:
    """`probes` ask, by name, what lies outside this process."""

    queue: WorkQueue
    waiting: WaitingFiles
    probes: Mapping[str, Probe] = field(default_factory=dict)

    def accepting(self, ingestion: Ingestion) -> Accepting:
        choices = ExtractionChoices(ingestion.collections, ingestion.library, ingestion.extractors)
        return Accepting(ingestion.store, choices, self.queue, self.waiting)


def chosen_queue(folder: DataFolder) -> HandedOut:
    """Raises `Unavailable` where it cannot be opened."""
    files = WaitingFiles(FolderContentStore(folder.queue), "files")
    return HandedOut(DiskWorkQueue(folder.queue / "work.sqlite"), files)
