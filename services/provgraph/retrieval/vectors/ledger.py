"""What the rows of vector files are: SQLite, one transaction for each change, so that a crash leaves all of it or none.

An *item* is a chunk, an entity by one of its labels, or a type, as one chunk of one document has it; items of equal
text share a vector. The only module that knows SQL.
"""

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
    CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE vector (kind TEXT, text BLOB, place INTEGER, checksum INTEGER, PRIMARY KEY (kind, text)) WITHOUT ROWID;
    CREATE INDEX vector_place ON vector (kind, place);
    CREATE TABLE item (kind TEXT, text BLOB, iri TEXT, label TEXT, chunk TEXT, document TEXT);
    CREATE INDEX item_text ON item (kind, text);
    CREATE INDEX item_document ON item (document);
    CREATE TABLE subgraph (iri TEXT PRIMARY KEY, document TEXT) WITHOUT ROWID;
    CREATE INDEX subgraph_document ON subgraph (document);
    CREATE TABLE missing (document TEXT PRIMARY KEY, reason TEXT) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class Item:
    """`text` is the digest of what is embedded; `label` is how the thing is shown."""

    kind: str
    text: bytes
    iri: str
    label: str
    chunk: str
    document: str


@dataclass(frozen=True)
class VectorRow:
    """A vector: where it lies in the file of its kind, and the checksum of the row."""

    kind: str
    text: bytes
    row: int
    checksum: int


class Ledger:
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

    # small facts: the dimension, the generations of files

    def told(self, name: str) -> int:
        found = self._all("SELECT value FROM fact WHERE name = ?", name)
        return int(found[0][0]) if found else 0

    def tell(self, name: str, value: int) -> None:
        self._db.execute("INSERT OR REPLACE INTO fact VALUES (?, ?)", (name, str(value)))

    # what is there

    def subgraphs(self) -> set[str]:
        return {iri for (iri,) in self._all("SELECT iri FROM subgraph")}

    def documents_of(self, subgraphs: Sequence[str]) -> set[str]:
        found = self._in("SELECT document FROM subgraph WHERE iri IN ({})", (), list(subgraphs))
        return {document for (document,) in found}

    def known(self, kind: str, texts: Sequence[bytes]) -> set[bytes]:
        """The texts that have a vector."""
        found = self._in("SELECT text FROM vector WHERE kind = ? AND text IN ({})", (kind,), list(texts))
        return {text for (text,) in found}

    def places(self, kind: str, every: int = 1) -> list[VectorRow]:
        """The vectors of a kind in the order of their rows; those only whose row is a multiple of `every`."""
        query = "SELECT text, place, checksum FROM vector WHERE kind = ? AND place % ? = 0 ORDER BY place"
        found = self._all(query, kind, every)
        return [VectorRow(kind, text, row, checksum) for text, row, checksum in found]

    def extent(self, kind: str) -> tuple[int, int]:
        """How many rows the file of a kind has, and how many of them are vectors."""
        ((last, count),) = self._all("SELECT max(place), count(*) FROM vector WHERE kind = ?", kind)
        return (0 if last is None else last + 1), count

    def items_at(self, kind: str, row: int) -> tuple[int, list[Item]]:
        """The checksum that a row must have, and its items; none for a row that was erased."""
        found = self._all("SELECT text, checksum FROM vector WHERE kind = ? AND place = ?", kind, row)
        if not found:
            return 0, []
        text, checksum = found[0]
        items = self._all(
            "SELECT iri, label, chunk, document FROM item WHERE kind = ? AND text = ?", kind, text
        )
        return checksum, [Item(kind, text, *values) for values in items]

    def rows_of_documents(self, kind: str) -> list[tuple[str, int]]:
        """Each document with a row for each item of the kind that it has; in an order that every replica has alike."""
        return self._all(
            "SELECT item.document, vector.place FROM item JOIN vector ON vector.kind = item.kind AND "
            "vector.text = item.text WHERE item.kind = ? ORDER BY item.document, item.text",
            kind,
        )

    def missing(self) -> dict[str, str]:
        """Documents that have no vectors yet because embedding failed, and why."""
        return dict(self._all("SELECT document, reason FROM missing"))

    # changes, inside of `change`

    def put(self, items: Iterable[Item], subgraphs: Iterable[tuple[str, str]]) -> None:
        self._db.executemany(
            "INSERT INTO item VALUES (?, ?, ?, ?, ?, ?)",
            ((i.kind, i.text, i.iri, i.label, i.chunk, i.document) for i in items),
        )
        self._db.executemany("INSERT OR REPLACE INTO subgraph VALUES (?, ?)", subgraphs)

    def remove(self, documents: Iterable[str]) -> set[tuple[str, bytes]]:
        """Take out the documents; returns the kinds and texts that their items had."""
        texts: set[tuple[str, bytes]] = set()
        for document in documents:
            texts.update(self._all("SELECT kind, text FROM item WHERE document = ?", document))
            for table in ("item", "subgraph", "missing"):
                self._db.execute(f"DELETE FROM {table} WHERE document = ?", (document,))
        return texts

    def orphans(self, texts: Iterable[tuple[str, bytes]]) -> list[VectorRow]:
        """Take out the vectors of those texts that no item has any more; returns where they were."""
        gone: list[VectorRow] = []
        for kind, text in texts:
            if not self._all("SELECT 1 FROM item WHERE kind = ? AND text = ? LIMIT 1", kind, text):
                found = self._all(
                    "SELECT place, checksum FROM vector WHERE kind = ? AND text = ?", kind, text
                )
                gone += [VectorRow(kind, text, row, checksum) for row, checksum in found]
                self._db.execute("DELETE FROM vector WHERE kind = ? AND text = ?", (kind, text))
        return gone

    def place(self, places: Iterable[VectorRow]) -> None:
        self._db.executemany(
            "INSERT OR REPLACE INTO vector VALUES (?, ?, ?, ?)",
            ((place.kind, place.text, place.row, place.checksum) for place in places),
        )

    def replace(self, kind: str, places: Iterable[VectorRow]) -> None:
        """These are all vectors of the kind."""
        self._db.execute("DELETE FROM vector WHERE kind = ?", (kind,))
        self.place(places)

    def miss(self, documents: Iterable[str], reason: str) -> None:
        self._db.executemany(
            "INSERT OR REPLACE INTO missing VALUES (?, ?)", ((document, reason) for document in documents)
        )

    def _all(self, query: str, *values: object) -> list[tuple]:  # type: ignore[type-arg]
        with self._turn, _damage_told():
            return self._db.execute(query, values).fetchall()

    def _in(self, query: str, fixed: tuple[object, ...], values: list[object]) -> list[tuple]:  # type: ignore[type-arg]
        """The rows for all values of a list, some hundred at a time."""
        found = []
        for at in range(0, len(values), _AT_ONCE):
            part = values[at : at + _AT_ONCE]
            found += self._all(query.format(", ".join("?" * len(part))), *fixed, *part)
        return found


@contextmanager
def _damage_told() -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise DamagedIndex(str(error)) from error
