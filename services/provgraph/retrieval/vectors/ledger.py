"""What the rows of vector files are: SQLite, one transaction for each change, so that a crash leaves all of it or none.

An *item* is a chunk, an entity by one of its labels, or a type, as one chunk of one document has it; items of equal
text share a vector.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.retrieval.ledger_file import LedgerFile

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


class Ledger(LedgerFile):
    """The ledger in a file. Raises `DamagedIndex` from every method when it cannot be read."""

    schema = _SCHEMA

    def known(self, kind: str, texts: Sequence[bytes]) -> set[bytes]:
        """The texts that have a vector."""
        found = self._in("SELECT text FROM vector WHERE kind = ? AND text IN ({})", list(texts), kind)
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
