"""Archives and backups put together: what makes them, and what takes them in."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from provgraph.archiving.collection_export import Copies
from provgraph.archiving.collection_import import ArchiveImporter, ArchiveLimits

if TYPE_CHECKING:  # an assembly makes its copies here
    from provgraph.assembly.process import Assembly

_MB: Final = 1_000_000


def copies_of(made: Assembly) -> Copies:
    """What makes archives and backups."""
    from provgraph.assembly.process import now

    live = made.storage.live(made.library, made.folder.workspace)
    return Copies(live, made.folder.layout, made.settings.explain_collection, now, made.journal.note_copy)


def importer_of(made: Assembly, turn: asyncio.Lock) -> ArchiveImporter:
    """What takes archives in, when it is its turn."""
    from provgraph.assembly.process import now

    settings = made.settings
    return ArchiveImporter(
        store=made.store,
        library=made.library,
        collections=made.collections,
        retriever=made.retriever,
        turn=turn,
        removals=made.deletions.turn,
        limits=ArchiveLimits(settings.max_archive_mb * _MB, settings.max_upload_mb * _MB),
        now=now,
    )
