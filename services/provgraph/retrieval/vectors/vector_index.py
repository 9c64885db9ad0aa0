"""The vectors of one collection by one model: items put in and taken out with their documents, and the nearest found.

Vectors are kept by the digest of their text, so what is embedded once is not embedded again as long as anything has
that text. Written first are the vectors, then the ledger, in one transaction: a crash in between leaves rows that
nothing names, and they are written over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from provgraph.retrieval.keyword_index import DamagedIndex
from provgraph.retrieval.vectors.items import KINDS, VectorChanges
from provgraph.retrieval.vectors.ledger import Item, Ledger, VectorRow
from provgraph.retrieval.vectors.vector_file import VectorFile

if TYPE_CHECKING:
    from provgraph.ports.embedder import Vectors

EXACT_UP_TO: Final = 50_000
"""Above so many vectors of a kind they are kept in lists, and a search reads the nearest lists only."""

REGROUP_SHARE: Final = 0.25
LEAST_REWRITTEN: Final = 1_000
CHECKED_AT_OPENING: Final = 2_000


@dataclass(frozen=True)
class Near:
    """An item and the inner product of its vector with the question's, in 0…1."""

    item: Item
    score: float


class VectorIndex:
    """The vectors in `folder`. Raises `DamagedIndex` when its files do not agree with one another."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ledger = Ledger(folder / "ledger.sqlite")
        self._files: dict[str, VectorFile] = {}
        self._living: dict[str, int] = {}
        if self._ledger.told("dimension"):
            self._open_files()
            self._check()

    @property
    def dimension(self) -> int:
        """0 until there is a vector."""
        return self._ledger.told("dimension")

    def subgraphs(self) -> set[str]:
        return self._ledger.subgraphs()

    def documents_of(self, subgraphs: Sequence[str]) -> set[str]:
        return self._ledger.documents_of(subgraphs)

    def missing(self) -> Mapping[str, str]:
        """Documents without vectors because embedding them failed, and why."""
        return self._ledger.missing()

    def wanted(self, changes: VectorChanges) -> list[tuple[str, bytes]]:
        """The kinds and digests of texts that have no vector yet."""
        found = []
        for kind in KINDS:
            texts = [text for of, text in changes.texts if of == kind]
            known = self._ledger.known(kind, texts)
            found += [(kind, text) for text in texts if text not in known]
        return found

    def put(self, changes: VectorChanges, wanted: Sequence[tuple[str, bytes]], vectors: Vectors) -> None:
        """Take the documents for what they are now; row i of `vectors` is the one of `wanted[i]`."""
        if len(vectors) and not self._files:
            with self._ledger.change():
                self._ledger.tell("dimension", vectors.shape[1])
            self._open_files()
        if len(vectors) and vectors.shape[1] != self.dimension:
            raise DamagedIndex(f"vectors of {vectors.shape[1]} numbers, where {self.dimension} were")
        places = self._append(wanted, vectors)
        with self._ledger.change():
            texts = self._ledger.remove(changes.documents)
            self._ledger.put(changes.items, changes.subgraphs)
            self._ledger.place(places)
            gone = self._ledger.orphans(texts)
        self._erase(gone)
        for kind in {place.kind for place in (*places, *gone)}:
            self._living[kind] += sum(place.kind == kind for place in places)
            self._living[kind] -= sum(place.kind == kind for place in gone)
            self._tidy(kind)

    def remove(self, documents: Sequence[str]) -> None:
        self.put(VectorChanges(list(documents)), (), np.zeros((0, self.dimension), np.float32))

    def miss(self, documents: Sequence[str], reason: str) -> None:
        """Note that the documents have no vectors, and why."""
        with self._ledger.change():
            self._ledger.miss(documents, reason)

    def nearest(self, kind: str, query: Vectors, limit: int, exact: bool = False) -> list[Near]:
        """The items most like the query, at most `limit` vectors of them, best first; ties by IRI.

        Exact up to `EXACT_UP_TO` vectors, and above that if asked.
        """
        while file := self._files.get(kind):
            rows = file.search(query, limit, exact)
            told = [(score, row, *self._ledger.items_at(kind, row)) for row, score in rows]
            if file is not self._files.get(kind):
                continue  # rewritten in between: the rows may mean something else
            if any(items and file.checksum(row) != checksum for _, row, checksum, items in told):
                raise DamagedIndex(f"a row of {kind} vectors is not what was written")
            nears = [Near(item, min(score, 1.0)) for score, _, _, items in told for item in items]
            return sorted(nears, key=lambda near: (-near.score, near.item.iri, near.item.chunk))
        return []

    def means(self, kind: str) -> tuple[list[str], Vectors]:
        """Each document that has items of a kind, by IRI, and the mean of their vectors, a row for each."""
        file = self._files.get(kind)
        rows = self._ledger.rows_of_documents(kind) if file else []
        documents = list(dict.fromkeys(document for document, _ in rows))
        means = np.zeros((len(documents), self.dimension), np.float32)
        at = {document: row for row, document in enumerate(documents)}
        counts = np.zeros((len(documents), 1), np.float32)
        for document, row in rows:
            assert file is not None
            means[at[document]] += file.rows[row]
            counts[at[document]] += 1
        return documents, (means / np.maximum(counts, 1)).astype(np.float32)

    def rewrite(self) -> None:
        """Write all files anew: what was removed is in none of them."""
        for kind in self._files:
            self._rewrite(kind, in_lists=self._living[kind] > EXACT_UP_TO)
        self._ledger.rewrite()

    def close(self) -> None:
        self._files.clear()
        self._ledger.close()

    def _open_files(self) -> None:
        for kind in KINDS:
            count, self._living[kind] = self._ledger.extent(kind)
            self._files[kind] = VectorFile(self._path(kind), self.dimension, count)

    def _path(self, kind: str, later: int = 0) -> Path:
        return self._folder / f"{kind}-{self._ledger.told(f'generation {kind}') + later}.f32"

    def _check(self) -> None:
        """Compare some of the rows, or all where they are few, with their checksums; erase what a crash left."""
        for kind, file in self._files.items():
            for place in self._ledger.places(kind, every=file.count // CHECKED_AT_OPENING + 1):
                if file.checksum(place.row) != place.checksum:
                    raise DamagedIndex(f"row {place.row} of {kind} vectors is not what was written")
            if file.count > self._living[kind]:
                living = [place.row for place in self._ledger.places(kind)]
                dead = np.setdiff1d(np.arange(file.count), living)
                file.erase([int(row) for row in dead if file.rows[row].any()])

    def _append(self, wanted: Sequence[tuple[str, bytes]], vectors: Vectors) -> list[VectorRow]:
        placed = []
        for kind in KINDS:
            rows = [at for at, (of, _) in enumerate(wanted) if of == kind]
            if rows:
                file = self._files[kind]
                first = file.count
                file.append(vectors[rows])
                placed += [
                    VectorRow(kind, wanted[at][1], first + place, file.checksum(first + place))
                    for place, at in enumerate(rows)
                ]
        return placed

    def _erase(self, gone: Sequence[VectorRow]) -> None:
        for kind in {place.kind for place in gone}:
            self._files[kind].erase([place.row for place in gone if place.kind == kind])

    def _tidy(self, kind: str) -> None:
        """Write the file anew where many rows are erased, or too many are in no list."""
        file, living = self._files[kind], self._living[kind]
        in_lists = living > EXACT_UP_TO
        erased = file.count - living
        if (in_lists and file.ungrouped > REGROUP_SHARE * living) or erased > max(LEAST_REWRITTEN, living):
            self._rewrite(kind, in_lists)

    def _rewrite(self, kind: str, in_lists: bool) -> None:
        """Another generation of the file, which takes the place of this one with the ledger's transaction."""
        old, places = self._files[kind], self._ledger.places(kind)
        by_row = {place.row: place for place in places}
        path = self._path(kind, later=1)
        order = old.rewritten(path, np.array([place.row for place in places], np.int64), in_lists)
        moved = [
            VectorRow(kind, by_row[row].text, new, by_row[row].checksum)
            for new, row in enumerate(order.tolist())
        ]
        with self._ledger.change():
            self._ledger.replace(kind, moved)
            self._ledger.tell(f"generation {kind}", self._ledger.told(f"generation {kind}") + 1)
        self._files[kind] = VectorFile(path, self.dimension, len(moved))
        old.remove()
