"""Which rows are which sentences: SQLite, one transaction for each change. The only module here that knows SQL."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from provgraph.retrieval.keyword_index import DamagedIndex

SCHEMA_VERSION: Final = 1
_AT_ONCE: Final = 500

_SCHEMA: Final = """
    CREATE TABLE fact (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE chunk (id INTEGER PRIMARY KEY AUTOINCREMENT, iri TEXT UNIQUE, document TEXT, start INTEGER,
        rows INTEGER, checksum INTEGER, title BLOB, spans TEXT);
    CREATE INDEX chunk_document ON chunk (document);
    CREATE TABLE subgraph (iri TEXT PRIMARY KEY, document TEXT) WITHOUT ROWID;
    CREATE INDEX subgraph_document ON subgraph (document);
    CREATE TABLE missing (document TEXT PRIMARY KEY, reason TEXT) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class StoredChunk:
    """A chunk whose sentences are rows `start` to `end`; `spans` are their places in its text, flattened.

    `title` is the digest of the title that is in their vectors.
    """

    id: int
    iri: str
    document: str
    start: int
    rows: int
    checksum: int
    title: bytes
    spans: str

    @property
    def end(self) -> int:
        return self.start + self.rows

    @property
    def places(self) -> list[tuple[int, int]]:
        numbers = [int(number) for number in self.spans.split()]
        return list(zip(numbers[::2], numbers[1::2], strict=True))


class SentenceLedger:
    """The ledger in a file. Raises `DamagedIndex` from every method when it cannot be read."""

    def __init__(self, path: Path) -> None:
        self._turn = threading.RLock()
        path.parent.mkdir(parents=True, exist_ok=True)
        with _damage_told():
            self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            self._db.execute("PRAGMA journal_mode = WAL")
            if not self._db.execute("SELECT 1 FROM sqlite_master").fetchone():
                self._db.executescript(_SCHEMA)
                self.tell("version", SCHEMA_VERSION)
        if self.told("version") != SCHEMA_VERSION:
            raise DamagedIndex(f"{path} is of another version")

    @contextmanager
    def change(self) -> Iterator[None]:
        """All that is written inside counts together, or not at all."""
        with self._turn, _damage_told():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                self._db.execute("ROLLBACK")
                raise

    def rewrite(self) -> None:
        """Leave nothing in the files of rows that were removed, nor in what they were written to first."""
        with self._turn, _damage_told():
            self._db.execute("VACUUM")
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        with self._turn:
            self._db.close()

    def told(self, name: str) -> int:
        found = self._all("SELECT value FROM fact WHERE name = ?", name)
        return int(found[0][0]) if found else 0

    def tell(self, name: str, value: int) -> None:
        self._db.execute("INSERT OR REPLACE INTO fact VALUES (?, ?)", (name, value))

    def subgraphs(self) -> set[str]:
        return {iri for (iri,) in self._all("SELECT iri FROM subgraph")}

    def documents_of(self, subgraphs: Sequence[str]) -> set[str]:
        found = self._in("SELECT document FROM subgraph WHERE iri IN ({})", list(subgraphs))
        return {document for (document,) in found}

    def chunks(self, iris: Sequence[str]) -> dict[str, StoredChunk]:
        found = self._in("SELECT * FROM chunk WHERE iri IN ({})", list(iris))
        return {row[1]: StoredChunk(*row) for row in found}

    def chunks_by_id(self, ids: Sequence[int]) -> dict[int, StoredChunk]:
        found = self._in("SELECT * FROM chunk WHERE id IN ({})", list(ids))
        return {row[0]: StoredChunk(*row) for row in found}

    def extents(self) -> list[tuple[int, int, int]]:
        """Of each chunk that has rows its number, the first of them and how many there are, by the first."""
        return self._all("SELECT id, start, rows FROM chunk WHERE rows > 0 ORDER BY start")

    def count(self) -> int:
        return int(self._all("SELECT count(*) FROM chunk")[0][0])

    def missing(self) -> dict[str, str]:
        """Documents that have no vectors because embedding failed, and why."""
        return dict(self._all("SELECT document, reason FROM missing"))

    # changes, inside of `change`

    def remove(self, documents: Iterable[str], but: Iterable[str] = ()) -> list[StoredChunk]:
        """Take out the documents; returns their chunks, which are gone but for those named."""
        kept, gone = set(but), []
        for document in documents:
            for row in self._all("SELECT * FROM chunk WHERE document = ?", document):
                chunk = StoredChunk(*row)
                if chunk.iri not in kept:
                    gone.append(chunk)
                    self._db.execute("DELETE FROM chunk WHERE id = ?", (chunk.id,))
            for table in ("subgraph", "missing"):
                self._db.execute(f"DELETE FROM {table} WHERE document = ?", (document,))
        return gone

    def put(self, chunks: Iterable[StoredChunk], subgraphs: Iterable[tuple[str, str]]) -> None:
        """The chunks get numbers of their own."""
        self._db.executemany(
            "INSERT OR REPLACE INTO chunk VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)",
            ((c.iri, c.document, c.start, c.rows, c.checksum, c.title, c.spans) for c in chunks),
        )
        self._db.executemany("INSERT OR REPLACE INTO subgraph VALUES (?, ?)", subgraphs)

    def move(self, starts: Iterable[tuple[int, int]]) -> None:
        """The first row of each chunk by its number."""
        self._db.executemany("UPDATE chunk SET start = ?2 WHERE id = ?1", starts)

    def miss(self, documents: Iterable[str], reason: str) -> None:
        self._db.executemany(
            "INSERT OR REPLACE INTO missing VALUES (?, ?)", ((document, reason) for document in documents)
        )

    def _all(self, query: str, *values: object) -> list[tuple]:  # type: ignore[type-arg]
        with self._turn, _damage_told():
            return self._db.execute(query, values).fetchall()

    def _in(self, query: str, values: Sequence[object]) -> list[tuple]:  # type: ignore[type-arg]
        """The rows for all values of a list, some hundred at a time."""
        found = []
        for at in range(0, len(values), _AT_ONCE):
            part = values[at : at + _AT_ONCE]
            found += self._all(query.format(", ".join("?" * len(part))), *part)
        return found


@contextmanager
def _damage_told() -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise DamagedIndex(str(error)) from error
