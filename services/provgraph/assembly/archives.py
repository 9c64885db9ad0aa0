"""Archives and backups put together: what makes them, and what takes them in."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from provgraph.archiving.collection_export import Copies
from provgraph.archiving.collection_import import ArchiveImporter, ArchiveLimits

if TYPE_CHECKING:  # an assembly makes its copies here
    from provgraph.assembly.process import Assembly

_MB: Final = 1_000_000


def copies_of(assembly: Assembly) -> Copies:
    """What makes archives and backups."""
    from provgraph.assembly.process import now

    live = assembly.storage.live(assembly.library, assembly.folder.workspace)
    return Copies(
        live, assembly.folder.layout, assembly.settings.explain_collection, now, assembly.journal.note_copy
    )


def importer_of(assembly: Assembly, turn: asyncio.Lock) -> ArchiveImporter:
    """What takes archives in, when it is its turn."""
    from provgraph.assembly.process import now

    settings = assembly.settings
    return ArchiveImporter(
        store=assembly.store,
        library=assembly.library,
        collections=assembly.collections,
        retriever=assembly.retriever,
        turn=turn,
        removals=assembly.deletions.turn,
        limits=ArchiveLimits(settings.max_archive_mb * _MB, settings.max_upload_mb * _MB),
        now=now,
    )
