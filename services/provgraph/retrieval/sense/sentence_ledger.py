"""Which rows are which sentences: SQLite, one transaction for each change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.retrieval.ledger_file import LedgerFile

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


class SentenceLedger(LedgerFile):
    """The ledger in a file. Raises `DamagedIndex` from every method when it cannot be read."""

    schema = _SCHEMA

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
