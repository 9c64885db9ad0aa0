"""Files that were accepted and wait to be read: their bytes lie where every worker finds them, not in its memory."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass

from provgraph.errors import NotFound
from provgraph.ingestion.planning import LostFile, SourceFile
from provgraph.ports.content_store import ContentStore
from provgraph.wire.tasks import WaitingFile


@dataclass(frozen=True)
class WaitingFiles:
    """`folder` is the beginning of all their keys; no collection of the library may be called so."""

    contents: ContentStore
    folder: str = ".waiting"

    async def keep(self, job: str, files: Sequence[SourceFile]) -> list[WaitingFile]:
        waiting = [
            WaitingFile(
                key=f"{self.folder}/{job}/{number}",
                name=file.name,
                media_type=file.media_type,
                title=file.title,
                id=file.id,
            )
            for number, file in enumerate(files)
        ]
        await self.contents.put({each.key: file.content for each, file in zip(waiting, files, strict=True)})
        return waiting

    async def files(self, waiting: Sequence[WaitingFile]) -> AsyncGenerator[SourceFile | LostFile]:
        """One after another, so that no more than one is held."""
        for each in waiting:
            try:
                content = await self.contents.get(each.key)
            except NotFound:
                yield LostFile(
                    each.name,
                    NotFound(f"{each.name}: its bytes are gone from the queue. Ingest the file again."),
                )
                continue
            yield SourceFile(each.name, content, each.media_type, each.title, each.id)

    async def drop(self, waiting: Sequence[WaitingFile]) -> None:
        for each in waiting:
            await self.contents.delete(each.key)

    async def drop_all(self, job: str) -> None:
        await self.contents.delete(f"{self.folder}/{job}")
