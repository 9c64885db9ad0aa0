"""A ledger of what lies in vector files: SQLite, one transaction for each change, so that a crash leaves all of it or
none: small facts, which subgraphs of which documents are in them, which documents are not, and what each kind adds."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar, Final

from provgraph.retrieval.keyword_index import DamagedIndex

SCHEMA_VERSION: Final = 1
_AT_ONCE: Final = 500


class LedgerFile:
    """`schema` makes the tables `fact`, `subgraph` and `missing`, and those of the kind. Raises `DamagedIndex` from
    every method when the file cannot be read."""

    schema: ClassVar[str]

    def __init__(self, path: Path) -> None:
        self._turn = threading.RLock()
        path.parent.mkdir(parents=True, exist_ok=True)
        with _reporting_damage():
            self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            self._db.execute("PRAGMA journal_mode = WAL")
            if not self._db.execute("SELECT 1 FROM sqlite_master").fetchone():
                self._db.executescript(self.schema)
                self.tell("version", SCHEMA_VERSION)
        if self.told("version") != SCHEMA_VERSION:
            raise DamagedIndex(f"{path} is of another version")

    @contextmanager
    def change(self) -> Iterator[None]:
        """All that is written inside counts together, or not at all."""
        with self._turn, _reporting_damage():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                self._db.execute("ROLLBACK")
                raise

    def rewrite(self) -> None:
        """Leave nothing in the files of rows that were removed, nor in what they were written to first."""
        with self._turn, _reporting_damage():
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
        self._db.execute("INSERT OR REPLACE INTO fact VALUES (?, ?)", (name, value))

    # what is there

    def subgraphs(self) -> set[str]:
        return {iri for (iri,) in self._all("SELECT iri FROM subgraph")}

    def documents_of(self, subgraphs: Sequence[str]) -> set[str]:
        found = self._in("SELECT document FROM subgraph WHERE iri IN ({})", list(subgraphs))
        return {document for (document,) in found}

    def missing(self) -> dict[str, str]:
        """Documents that have no vectors yet because embedding failed, and why."""
        return dict(self._all("SELECT document, reason FROM missing"))

    # changes, inside of `change`

    def miss(self, documents: Iterable[str], reason: str) -> None:
        self._db.executemany(
            "INSERT OR REPLACE INTO missing VALUES (?, ?)", ((document, reason) for document in documents)
        )

    def _all(self, query: str, *values: object) -> list[tuple]:  # type: ignore[type-arg]
        with self._turn, _reporting_damage():
            return self._db.execute(query, values).fetchall()

    def _in(self, query: str, values: Sequence[object], *fixed: object) -> list[tuple]:  # type: ignore[type-arg]
        """The rows for all values of a list, some hundred at a time, after values that stand before them."""
        found = []
        for at in range(0, len(values), _AT_ONCE):
            part = values[at : at + _AT_ONCE]
            found += self._all(query.format(", ".join("?" * len(part))), *fixed, *part)
        return found


@contextmanager
def _reporting_damage() -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise DamagedIndex(str(error)) from error
