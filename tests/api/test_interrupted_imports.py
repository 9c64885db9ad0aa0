"""An import that does not come to its end leaves nothing: at once, or from the next start on."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2
import pytest
from pyoxigraph import Quad

from api.archives import ZIP, archive_of, take_in
from api.running import Running, running, served
from api.test_archives_over_http import whole_store
from provgraph.archiving.collection_import import ArchiveImporter
from provgraph.archiving.import_journal import new_journal, roll_back_interrupted
from provgraph.assembly.archives import importer_of
from provgraph.errors import Unavailable


class FullDisk:
    """A store that writes, and then says that it could not; when `stuck` it removes nothing either."""

    def __init__(self, store: Any, stuck: bool) -> None:
        self._store = store
        self._stuck = stuck

    def of(self, collection: str) -> FullDisk:  # noqa: ARG002
        return self

    async def add(self, quads: Sequence[Quad]) -> None:
        await self._store.add(quads)
        raise Unavailable("The store cannot be written.")

    async def remove(self, quads: Sequence[Quad]) -> None:
        if self._stuck:
            raise Unavailable("The store cannot be written.")
        await self._store.remove(quads)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def importer(service: Running, stuck: bool = False) -> ArchiveImporter:
    made = importer_of(service.assembly, asyncio.Lock())
    return replace(made, store=FullDisk(service.assembly.store, stuck))


async def import_failing(service: Running, archive: bytes, stuck: bool = False) -> None:
    journal = new_journal(service.assembly.folder.workspace, uuid4().hex)
    journal.upload.write_bytes(archive)
    with pytest.raises(Unavailable):
        async for _ in importer(service, stuck).take_in(journal, ""):
            pass
    await journal.remove()


async def test_a_disk_that_fills_up_while_writing_leaves_the_store_and_the_library_as_they_were(
    informed: Running, tmp_path: Path
) -> None:
    await informed.ask()
    archive = await archive_of(informed)
    async with running(tmp_path / "elsewhere") as other:
        await other.ingest("Lise Meitner discovered protactinium.")
        before = await whole_store(other)
        await import_failing(other, archive)
        assert await whole_store(other) == before
        assert list(other.assembly.folder.workspace.iterdir()) == []
        assert (await take_in(other, archive))["statements"] > 0


async def test_what_could_not_be_taken_back_at_once_is_taken_back_at_the_next_start(
    informed: Running, tmp_path: Path
) -> None:
    await informed.ask()
    archive = await archive_of(informed)
    async with running(tmp_path / "elsewhere") as other:
        before = await whole_store(other)
        await import_failing(other, archive, stuck=True)
        assert len(await whole_store(other)) > len(before)
    async with running(tmp_path / "elsewhere") as other:
        assert await whole_store(other) == before
        assert list(other.assembly.folder.workspace.iterdir()) == []


async def test_a_start_with_a_disk_still_full_keeps_the_journal(informed: Running, tmp_path: Path) -> None:
    archive = await archive_of(informed)
    async with running(tmp_path / "elsewhere") as other:
        await import_failing(other, archive, stuck=True)
        folder = other.assembly.folder.workspace
        stuck = FullDisk(other.assembly.store, stuck=True)
        assert await roll_back_interrupted(folder, stuck, other.assembly.library) == 1
        assert len(list(folder.iterdir())) == 1
        assert await roll_back_interrupted(folder, other.assembly.store, other.assembly.library) == 1
        assert list(folder.iterdir()) == []


async def test_an_import_whose_client_goes_away_while_it_writes_is_taken_back(
    informed: Running, tmp_path: Path
) -> None:
    archive = await archive_of(informed)
    async with running(tmp_path / "elsewhere") as other:
        before = await whole_store(other)
        journal = new_journal(other.assembly.folder.workspace, "1")
        journal.upload.write_bytes(archive)
        events = importer_of(other.assembly, asyncio.Lock()).take_in(journal, "")
        async for event in events:
            if getattr(event, "doing", "") == "writing":
                break
        await events.aclose()
        await journal.remove()
        assert await whole_store(other) == before


async def test_an_upload_that_breaks_off_leaves_nothing(informed: Running, tmp_path: Path) -> None:
    archive = await archive_of(informed)

    async def half() -> Any:
        yield archive[:1000]
        raise httpx2.WriteError("the line is cut")

    async with served(tmp_path / "elsewhere") as other:
        before = await whole_store(other)
        headers = {**ZIP, "Content-Length": str(len(archive))}
        with pytest.raises(httpx2.WriteError):
            await other.client.post("/api/v1/archive", content=half(), headers=headers)
        assert (await other.client.get("/health")).status_code == 200
        await _emptied(other.assembly.folder.workspace)
        assert await whole_store(other) == before


async def _emptied(folder: Path) -> None:
    async with asyncio.timeout(20):
        while list(folder.iterdir()):
            await asyncio.sleep(0)


async def test_taking_back_removes_only_what_the_import_had_written(
    informed: Running, tmp_path: Path
) -> None:
    await informed.ingest("Lise Meitner discovered protactinium.")
    archive = await archive_of(informed)
    async with running(tmp_path / "elsewhere") as other:
        await other.ingest(id="https://example.org/curie", title="The Curies")
        before = await whole_store(other)
        await import_failing(other, archive)
        assert await whole_store(other) == before
        kept = await other.client.get("/api/v1/documents/content", params={"id": "https://example.org/curie"})
        assert kept.status_code == 200
        assert (await other.ask())["outcome"] == "answered"


async def test_a_deletion_waits_for_an_import_of_the_same_document(informed: Running, tmp_path: Path) -> None:
    archive = await archive_of(informed)
    async with running(tmp_path / "elsewhere") as other:
        journal = new_journal(other.assembly.folder.workspace, "1")
        journal.upload.write_bytes(archive)
        documents = [each["id"] for each in await informed.get("/api/v1/documents")]
        deletions: list[asyncio.Task[httpx2.Response]] = []
        async for event in importer_of(other.assembly, asyncio.Lock()).take_in(journal, ""):
            if getattr(event, "doing", "") == "comparing" and not deletions:
                for document in documents:
                    delete = other.client.delete("/api/v1/documents", params={"id": document})
                    deletions.append(asyncio.create_task(delete))
        answers = await asyncio.gather(*deletions)
        assert [answer.status_code for answer in answers] == [200] * len(documents)
        assert await other.get("/api/v1/documents") == []
        assert [quad for quad in await whole_store(other) if "knowledge" in str(quad)] == []


async def test_a_collection_is_not_removed_while_documents_are_read_in(service: Running) -> None:
    await service.ingest()
    async with service.assembly.turn:
        refused = await service.client.delete("/api/v1/collections", params={"collection": "default"})
        assert refused.status_code == 409
        assert "being read in" in refused.json()["detail"]
    assert await service.get("/api/v1/documents")
    removed = await service.client.delete("/api/v1/collections", params={"collection": "default"})
    assert removed.status_code == 200
