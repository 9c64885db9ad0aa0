"""The vectors of a collection's sentences by one model: put in and taken out with their documents, and the nearest.

Rows are written first, then the ledger, in one transaction: a crash in between leaves rows that nothing names, and they
are written over. A chunk is named by its text, so one that is known is not embedded again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from provgraph.retrieval.keyword_index import DamagedIndex
from provgraph.retrieval.sense.sentence_ledger import SentenceLedger, StoredChunk
from provgraph.retrieval.sense.sentence_rows import SentenceRows
from provgraph.retrieval.sense.sentences import SentenceChanges, SentenceKey

if TYPE_CHECKING:
    from provgraph.ports.embedder import Vectors

ROWS_OF_A_CHUNK: Final = 4
"""How many of the nearest rows are looked at for each chunk that is wanted: some chunks have several of them."""

LEAST_REWRITTEN: Final = 1_000
_NEW: Final = 0


@dataclass(frozen=True)
class _Extents:
    """The rows, and of each chunk that has some its number and where they are; all of one moment."""

    rows: SentenceRows
    ids: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


class SentenceIndex:
    """The vectors in `folder`. Raises `DamagedIndex` when its files do not agree with one another."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ledger = SentenceLedger(folder / "sentences.sqlite")
        self._now = self._read()
        self._erase_leftovers()

    def count(self) -> int:
        """How many chunks there are, those without a sentence too."""
        return self._ledger.count()

    def subgraphs(self) -> set[str]:
        return self._ledger.subgraphs()

    def documents_of(self, subgraphs: Sequence[str]) -> set[str]:
        return self._ledger.documents_of(subgraphs)

    def missing(self) -> Mapping[str, str]:
        """Documents without vectors because embedding them failed, and why."""
        return self._ledger.missing()

    def wanted(self, changes: SentenceChanges) -> list[SentenceKey]:
        """The texts that have to be embedded, each once: those of chunks that are new or have another title now."""
        known = self._ledger.chunks(list(changes.chunks))
        new = [
            chunk
            for iri, chunk in changes.chunks.items()
            if chunk.spans and (iri not in known or known[iri].title != _digest(chunk.title))
        ]
        return list(dict.fromkeys(key for chunk in new for key in changes.keys_of(chunk)))

    def put(self, changes: SentenceChanges, wanted: Sequence[SentenceKey], vectors: Vectors) -> None:
        """Take the documents for what they are now; row i of `vectors` is the one of `wanted[i]`."""
        by_key = dict(zip(wanted, vectors, strict=True))
        new = {iri for iri, number in wanted if number >= 0}
        coming = [chunk for chunk in changes.chunks.values() if chunk.iri in new or not chunk.spans]
        made = [changes.vectors_of(chunk, by_key) for chunk in coming if chunk.spans]
        rows = self._now.rows
        start = rows.count
        if made:
            rows = self._with_dimension(made[0].shape[1]).appended(np.concatenate(made))
        stored = []
        for chunk in coming:
            end = start + len(chunk.spans)
            spans = " ".join(str(number) for span in chunk.spans for number in span)
            checksum = rows.checksum(start, end) if chunk.spans else 0
            title = _digest(chunk.title)
            stored.append(
                StoredChunk(_NEW, chunk.iri, chunk.document, start, end - start, checksum, title, spans)
            )
            start = end
        with self._ledger.change():
            kept = [iri for iri in changes.chunks if iri not in {chunk.iri for chunk in coming}]
            gone = self._ledger.remove(changes.documents, kept)
            self._ledger.put(stored, changes.subgraphs)
            if made:
                self._ledger.tell("dimension", rows.dimension)
        for stored_chunk in gone:
            if stored_chunk.rows:
                rows.erase(stored_chunk.start, stored_chunk.end)
        self._now = self._read()
        if self._dead > max(LEAST_REWRITTEN, self._living):
            self.rewrite()

    def remove(self, documents: Sequence[str]) -> None:
        self.put(SentenceChanges(list(documents)), (), np.zeros((0, self._now.rows.dimension), np.float32))

    def miss(self, documents: Sequence[str], reason: str) -> None:
        """Note that the documents have no vectors, and why."""
        with self._ledger.change():
            self._ledger.miss(documents, reason)

    def nearest(self, query: Vectors, limit: int) -> dict[str, float]:
        """The chunks with the sentences most like the query, at most `limit`, best first, each with its best likeness
        in 0…1; ties by IRI."""
        now = self._now
        if not len(now.ids):
            return {}
        rows, scores = now.rows.nearest(query, limit * ROWS_OF_A_CHUNK)
        at = np.searchsorted(now.starts, rows, side="right") - 1
        best: dict[int, float] = {}
        for place, row, score in zip(at.tolist(), rows.tolist(), scores.tolist(), strict=True):
            if score > 0 and place >= 0 and row < now.ends[place]:
                best.setdefault(int(now.ids[place]), min(score, 1.0))
        chunks = self._ledger.chunks_by_id(list(best)[:limit])
        found = {chunk.iri: best[id_] for id_, chunk in chunks.items()}
        return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))

    def likeness(self, query: Vectors, chunks: Sequence[str]) -> dict[str, list[tuple[int, int, float]]]:
        """Of each of these chunks that has vectors, its sentences by their places in its text, and how like the query
        each is."""
        rows = self._now.rows
        found = {}
        for iri, chunk in self._ledger.chunks(chunks).items():
            if not chunk.rows or chunk.end > rows.count:
                continue
            if rows.checksum(chunk.start, chunk.end) != chunk.checksum:
                raise DamagedIndex(f"the vectors of {iri} are not what was written")
            scores = rows.likeness(query, slice(chunk.start, chunk.end))
            found[iri] = [
                (start, end, float(score)) for (start, end), score in zip(chunk.places, scores, strict=True)
            ]
        return found

    def rewrite(self) -> None:
        """Write all files anew: what was removed is in none of them."""
        now = self._now
        generation = self._ledger.told("generation") + 1
        spans = list(zip(now.starts.tolist(), now.ends.tolist(), strict=True))
        now.rows.copied(self._path(generation), spans)
        lengths = now.ends - now.starts
        starts = np.cumsum(lengths) - lengths
        with self._ledger.change():
            self._ledger.move(zip(now.ids.tolist(), starts.tolist(), strict=True))
            self._ledger.tell("generation", generation)
        self._now = self._read()
        now.rows.remove()
        self._ledger.rewrite()

    def close(self) -> None:
        self._ledger.close()

    @property
    def _living(self) -> int:
        return int((self._now.ends - self._now.starts).sum())

    @property
    def _dead(self) -> int:
        return self._now.rows.count - self._living

    def _path(self, generation: int) -> Path:
        return self._folder / f"sentences-{generation}"

    def _read(self) -> _Extents:
        extents = np.array(self._ledger.extents(), np.int64).reshape(-1, 3)
        ids, starts, ends = extents[:, 0], extents[:, 1], extents[:, 1] + extents[:, 2]
        path = self._path(self._ledger.told("generation"))
        rows = SentenceRows(path, self._ledger.told("dimension"), int(ends[-1]) if len(ends) else 0)
        return _Extents(rows, ids, starts, ends)

    def _with_dimension(self, dimension: int) -> SentenceRows:
        rows = self._now.rows
        if not rows.dimension:
            return SentenceRows(rows.path, dimension, 0)
        if rows.dimension != dimension:
            raise DamagedIndex(f"vectors of {dimension} numbers, where {rows.dimension} were")
        return rows

    def _erase_leftovers(self) -> None:
        """Rows that a crash left between a change and the erasing of what it took out."""
        now = self._now
        now.rows.cut()
        ends = np.concatenate(([0], now.ends))
        starts = np.append(now.starts, now.rows.count)
        for start, end in zip(ends.tolist(), starts.tolist(), strict=True):
            if start < end and now.rows.holds(start, end):
                now.rows.erase(start, end)


def _digest(title: str) -> bytes:
    return sha256(title.encode()).digest()[:8]
