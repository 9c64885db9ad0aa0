"""An archive into a collection, as an async generator of events: verified, compared, then written, all or nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Final

from anyio import to_thread
from pydantic import ValidationError

from provgraph import __version__
from provgraph.archiving.archive_file import ArchiveKind, Package, opened_package
from provgraph.archiving.collection_export import LIBRARY, KeptContent
from provgraph.archiving.comparison import Destination, ImportComparison, placed_quads
from provgraph.archiving.import_journal import ImportJournal
from provgraph.catalogue.collections import Collections
from provgraph.documents.library import Library
from provgraph.errors import TooLarge, Unavailable, UnreadableArchive
from provgraph.ports.quad_store import QuadStore
from provgraph.ports.retriever import Retriever
from provgraph.provenance.library import collection_quads
from provgraph.provenance.receipt import ReceivedFile, ReceivedUnits
from provgraph.provenance.source import Component
from provgraph.rdf.graphs import collection_name
from provgraph.rdf.iris import collection_iri
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.wire.service import ArchiveProgress, ImportedArchive

ImportEvent = ArchiveProgress | ImportedArchive

ARCHIVER: Final = Component("archive-import", "ProvGraph archive import", __version__)

_LINE_BYTES: Final = 1 << 16
_STEP: Final = 256


@dataclass(frozen=True)
class ArchiveLimits:
    """Bytes of an archive, unpacked, and of one content in it."""

    archive: int
    content: int


@dataclass(frozen=True)
class ArchiveImporter:
    """`turn` is held by whatever writes documents, `removals` by whatever takes them away, one at a time: nothing
    changes between look and write."""

    store: QuadStore
    library: Library
    collections: Collections
    retriever: Retriever
    turn: asyncio.Lock
    removals: asyncio.Lock
    limits: ArchiveLimits
    now: Callable[[], datetime]

    async def take_in(self, journal: ImportJournal, collection: str) -> AsyncGenerator[ImportEvent]:
        """Import the archive that has arrived, under its own name or another.

        Raises `UnreadableArchive`, `TooLarge`, `Conflict` or `Unavailable`, and has then changed nothing.
        """
        with (
            _reporting_disk_errors(journal.folder),
            opened_package(journal.upload, ArchiveKind.COLLECTION, self.limits.archive) as package,
        ):
            name = collection_name(collection or package.manifest.collection)
            self.collections.require_not_reserved(name)
            run = _Import(self, journal, package, Destination(name, self.collections.explain_collection))
            async with aclosing(run.verified()) as events:
                async for event in events:
                    yield event
            async with self.turn, self.removals:
                for step in (run.compared, run.written):
                    async with aclosing(step()) as events:  # an import that is left is taken back at once
                        async for event in events:
                            yield event
            yield ArchiveProgress(doing="indexing", done=0, total=1)
            documents = [NamedNode(iri) for iri in sorted(run.comparison.documents)]
            await self.retriever.follow(name, documents)
            yield run.summary()


class _Import:
    def __init__(
        self, importer: ArchiveImporter, journal: ImportJournal, package: Package, into: Destination
    ) -> None:
        self._importer = importer
        self._arrival = journal
        self._package = package
        self._into = into
        self._statements = self._contents = 0
        manifest = package.manifest
        name = f"archive of {manifest.collection or into.collection}, made {manifest.made[:40]}"
        received = ReceivedFile(name, manifest.parts_sha256, ARCHIVER, importer.now())
        units = ReceivedUnits(received, into.graphs)
        self.comparison = ImportComparison(importer.store, importer.library, into, units)

    async def verified(self) -> AsyncGenerator[ArchiveProgress]:
        verified = self._package.verified()
        while step := await to_thread.run_sync(lambda: _last(verified, _STEP)):
            done, total = step
            yield ArchiveProgress(doing="verifying", done=done, total=total)

    async def compared(self) -> AsyncGenerator[ArchiveProgress]:
        total, done = self._package.manifest.counts.get("statements", 0), 0
        async for batch in placed_quads(self._package, self._into):
            await self._note(await self.comparison.new_quads(batch))
            done += len(batch)
            yield ArchiveProgress(doing="comparing", done=done, total=max(done, total))
        await self._note(await self._collection_if_missing())
        await self._note(self.comparison.receipts())
        for kept in self._kept_contents():
            content = await to_thread.run_sync(self._content, kept.file)
            if await self.comparison.is_new(kept, content):
                collection = self.comparison.destination_of(kept)
                await self._arrival.note_content(collection, NamedNode(kept.iri), kept.file)
                self._contents += 1

    async def written(self) -> AsyncGenerator[ArchiveProgress]:
        """Contents first, as an ingest does, so that the store never names what is not there."""
        importer, journal = self._importer, self._arrival
        await to_thread.run_sync(journal.begin, self._into.collection)
        total, done = self._statements + self._contents, 0
        try:
            for collection, node, file in journal.contents():
                await importer.library.keep(collection, node, await to_thread.run_sync(self._content, file))
                done += 1
                if done % _STEP == 0:
                    yield ArchiveProgress(doing="writing", done=done, total=total)
            async for batch in journal.quads():
                await importer.store.of(self._into.collection).add(batch)
                done += len(batch)
                yield ArchiveProgress(doing="writing", done=done, total=total)
            await to_thread.run_sync(journal.complete)
        except BaseException:
            await asyncio.shield(journal.roll_back(importer.store, importer.library))
            raise

    def summary(self) -> ImportedArchive:
        return ImportedArchive(
            collection=self._into.collection,
            statements=self._statements,
            contents=self._contents,
            documents=len(self.comparison.documents),
            sessions=self._package.manifest.counts.get("sessions", 0),
        )

    async def _note(self, quads: list[Quad]) -> None:
        if quads:
            await self._arrival.note_quads(quads)
            self._statements += len(quads)

    async def _collection_if_missing(self) -> list[Quad]:
        """The description of a collection that neither the archive nor the store describes."""
        name, graph = self._into.collection, self._into.graphs.source
        quads = collection_quads(collection_iri(name), name, self._importer.now(), graph)
        (stored,) = await self._importer.store.contains(
            quads[1:2]
        )  # its type, by which it is known to be there
        return [] if stored or self.comparison.describes_collection else quads

    def _kept_contents(self) -> Iterator[KeptContent]:
        with self._package.opened(LIBRARY) as lines:
            while line := lines.readline(_LINE_BYTES):
                try:
                    yield KeptContent.model_validate_json(line)
                except ValidationError as error:
                    raise UnreadableArchive(
                        f"{LIBRARY} in it is damaged. Create the archive again."
                    ) from error

    def _content(self, file: str) -> bytes:
        limit = self._importer.limits.content
        with self._package.opened(file) as part:
            content = part.read(limit + 1)
        if len(content) > limit:
            raise TooLarge(
                f"A document in it is beyond {limit / 1e6:,.0f} MB. "
                "Raise PROVGRAPH_MAX_UPLOAD_MB, then import it again."
            )
        return content


def _last(steps: Iterator[tuple[int, int]], count: int) -> tuple[int, int] | None:
    """The last of the next `count` steps; None when there are no more."""
    return next(reversed(list(islice(steps, count))), None)


@contextmanager
def _reporting_disk_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Unavailable(
            f"The archive cannot be unpacked in {folder.parent} ({error.strerror or error}). "
            "Nothing was imported. Free some space on its disk, then import it again."
        ) from error
