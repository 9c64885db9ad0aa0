"""All or nothing for what fills no transaction: what is about to be written is on disk first, and is taken back.

A folder of the workspace holds what an import adds: statements in `new.nq`, contents in `new.jsonl`. While its
journal stands, the import is not done; whatever ends it then, an error or a crash, all of it is taken back, at
once or at the next start.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from anyio import to_thread

from provgraph.documents.library import Library
from provgraph.errors import ProvGraphError
from provgraph.ports.quad_store import QuadStore
from provgraph.rdf.batches import in_batches
from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.rdf.serialization import RdfFormat, parse, serialize
from provgraph.rdf.terms import NamedNode, Quad

logger = logging.getLogger(__name__)

_JOURNAL: Final = "journal.json"
_PREFIX: Final = "import-"
_BATCH: Final = 20_000


@dataclass(frozen=True)
class ImportJournal:
    """The folder of one import."""

    folder: Path

    @property
    def upload(self) -> Path:
        return self.folder / "archive.zip"

    async def note_quads(self, quads: Iterable[Quad]) -> None:
        written = serialize(quads, format=RdfFormat.N_QUADS) or b""
        await to_thread.run_sync(_append, self.folder / "new.nq", written)

    async def note_content(self, collection: str, node: NamedNode, file: str) -> None:
        line = json.dumps([collection, node.value, file]) + "\n"
        await to_thread.run_sync(_append, self.folder / "new.jsonl", line.encode())

    async def quads(self) -> AsyncGenerator[list[Quad]]:
        """The noted statements, in batches of a transaction each."""
        path = self.folder / "new.nq"
        if path.exists():
            noted = in_batches(lambda: parse(path=path, format=RdfFormat.N_QUADS), _BATCH)
            async with aclosing(noted):
                async for batch in noted:
                    yield batch

    def contents(self) -> Iterator[tuple[str, NamedNode, str]]:
        """Of each noted content the collection, the IRI, and the part of the archive that has it."""
        path = self.folder / "new.jsonl"
        if path.exists():
            with path.open() as noted:
                for line in noted:
                    collection, iri, file = json.loads(line)
                    yield collection, NamedNode(iri), file

    def begin(self, collection: str) -> None:
        """From here on what is noted may be written into a collection."""
        for path in self.folder.glob("new.*"):
            _sync(path)
        draft = self.folder / f"{_JOURNAL}.new"
        draft.write_text(json.dumps({"collection": collection}))
        _sync(draft)
        draft.replace(self.folder / _JOURNAL)
        _sync(self.folder)

    def complete(self) -> None:
        """From here on it stays."""
        (self.folder / _JOURNAL).unlink()
        _sync(self.folder)

    async def roll_back(self, store: QuadStore, library: Library) -> None:
        """Undo what was written of an import that is not complete."""
        if not (self.folder / _JOURNAL).exists():
            return
        beside = store.of(self._collection())
        async for batch in self.quads():
            await beside.remove(batch)
        for collection, node, _ in self.contents():
            await library.drop(collection, node)
        self.complete()

    def _collection(self) -> str:
        """Where it goes. An empty journal is that of a version which had one store for all."""
        journal = (self.folder / _JOURNAL).read_text()
        return str(json.loads(journal)["collection"]) if journal else DEFAULT_COLLECTION

    async def remove(self) -> None:
        """Delete the folder, unless something of it must still be taken back."""
        if not (self.folder / _JOURNAL).exists():
            await to_thread.run_sync(shutil.rmtree, self.folder, True)


async def roll_back_interrupted(workspace: Path, store: QuadStore, library: Library) -> int:
    """Undo the imports that a crash left unfinished, and delete the rest of the workspace; how many there were."""
    interrupted = 0
    for folder in sorted(workspace.glob("*")):
        journal = ImportJournal(folder)
        interrupted += (folder / _JOURNAL).exists()
        try:
            await journal.roll_back(store, library)
        except ProvGraphError as error:
            logger.warning("an interrupted import stands half-written until the next start: %s", error)
        await journal.remove()
    return interrupted


def new_journal(workspace: Path, name: str) -> ImportJournal:
    folder = workspace / f"{_PREFIX}{name}"
    folder.mkdir(parents=True)
    return ImportJournal(folder)


def _append(path: Path, content: bytes) -> None:
    with path.open("ab") as file:
        file.write(content)


def _sync(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
