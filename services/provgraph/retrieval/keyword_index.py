"""A standing BM25 index on disk: tantivy, given terms that are cut already.

One document has a `key`, by which it is replaced; any number of exact values (`about`); terms in one or two
fields (`strong`, `weak`); and a JSON payload that comes back with it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import tantivy

HEAP_BYTES: Final = 30_000_000
STRONG_BOOST: Final = 2.0
ENTRIES_KEPT: Final = 5_000

Payload = dict[str, Any]


@dataclass(frozen=True)
class Entry:
    """What is indexed under a key."""

    key: str
    payload: Payload
    strong: Sequence[str] = ()
    weak: Sequence[str] = ()
    about: Sequence[str] = ()


@dataclass(frozen=True)
class Hit:
    """A document found, its BM25 score, and its payload."""

    key: str
    payload: Payload
    score: float


class DamagedIndex(Exception):
    """The files of an index cannot be read: it has to be made anew. Never leaves retrieval."""


class _Snapshot:
    """The index as of one commit, with the entries that were read from it last."""

    def __init__(self, index: tantivy.Index) -> None:
        self.searcher = index.searcher()
        self._read: dict[tuple[int, int], tuple[str, Payload]] = {}

    def hits(self, query: tantivy.Query, limit: int) -> list[Hit]:
        try:
            found = self.searcher.search(query, limit, count=False).hits
            return [Hit(*self._entry(address), score=float(score)) for score, address in found]
        except (ValueError, OSError, KeyError) as error:
            raise DamagedIndex(str(error)) from error

    def _entry(self, address: tantivy.DocAddress) -> tuple[str, Payload]:
        place = (address.segment_ord, address.doc)
        if (entry := self._read.get(place)) is None:
            stored = self.searcher.doc(address)
            entry = stored["key"][0], json.loads(bytes(stored["payload"][0]))
            if len(self._read) >= ENTRIES_KEPT:
                self._read.clear()
            self._read[place] = entry
        return entry


class KeywordIndex:
    """An index in a folder of its own; one that cannot be opened is made anew, empty."""

    def __init__(self, folder: Path) -> None:
        self._schema = _schema()
        self._index = _opened(self._schema, folder)
        self._index.register_tokenizer("terms", _whitespace())
        self._writer: tantivy.IndexWriter | None = None
        self._snapshot = _Snapshot(self._index)

    def put(self, entries: Iterable[Entry]) -> None:
        """Add the entries, each in place of what has its key; visible after `commit`."""
        writer = self._writing()
        for entry in entries:
            writer.delete_documents_by_term("key", entry.key)
            document = tantivy.Document()
            document.add_text("key", entry.key)
            document.add_text("strong", " ".join(entry.strong))
            document.add_text("weak", " ".join(entry.weak))
            for value in entry.about:
                document.add_text("about", value)
            document.add_bytes("payload", json.dumps(entry.payload, ensure_ascii=False).encode())
            writer.add_document(document)

    def commit(self) -> None:
        if self._writer:
            self._writer.commit()
            self._index.reload()
            self._snapshot = _Snapshot(self._index)

    def close(self) -> None:
        if self._writer:
            self._writer.wait_merging_threads()
            self._writer = None

    def __len__(self) -> int:
        return int(self._snapshot.searcher.num_docs)

    def document_frequency(self, term: str) -> int:
        """How many entries hold the term, in either field; of both the larger number."""
        searcher = self._snapshot.searcher
        return max(searcher.doc_freq("strong", term), searcher.doc_freq("weak", term))

    def holds(self, key: str) -> bool:
        return bool(self.get([key]))

    def get(self, keys: Sequence[str]) -> dict[str, Payload]:
        """The payloads of the keys that are there."""
        if not keys:
            return {}
        query = tantivy.Query.term_set_query(self._schema, "key", list(keys))
        return {hit.key: hit.payload for hit in self._hits(query, len(keys))}

    def search(self, weights: Mapping[str, float], limit: int) -> list[Hit]:
        """The best entries for weighted terms."""
        wanted = [(tantivy.Occur.Should, self._term_query(term, weight)) for term, weight in weights.items()]
        return self._hits(tantivy.Query.boolean_query(wanted), limit) if wanted else []

    def with_any(self, values: Sequence[str], limit: int) -> list[Hit]:
        """Entries with one of the exact values, in no order."""
        return (
            self._hits(tantivy.Query.term_set_query(self._schema, "about", list(values)), limit)
            if values
            else []
        )

    def count_about(self, value: str) -> int:
        """How many entries have this exact value; those that were replaced since may still count."""
        return int(self._snapshot.searcher.doc_freq("about", value))

    def search_about(
        self, values: Mapping[str, float], weights: Mapping[str, float], weak: float, limit: int
    ) -> list[Hit]:
        """The best entries of those with one of the exact values, by a plain sum of weights.

        A value counts its weight, a term its weight in the strong field and `weak` times that in the other.
        """
        parts = [self._has("about", value, weight) for value, weight in values.items()]
        among = tantivy.Query.term_set_query(self._schema, "about", list(values))
        wanted = [(tantivy.Occur.Must, tantivy.Query.const_score_query(among, 0.0))]
        parts += [
            tantivy.Query.disjunction_max_query(
                [self._has("strong", term, weight), self._has("weak", term, weight * weak)]
            )
            for term, weight in weights.items()
        ]
        wanted += [(tantivy.Occur.Should, part) for part in parts]
        return self._hits(tantivy.Query.boolean_query(wanted), limit) if values else []

    def term_scores(self, key: str, words: Mapping[str, float]) -> dict[str, float]:
        """What each word adds to the score of one entry, as the engine scores it alone."""
        found = {}
        for term, weight in words.items():
            exact = tantivy.Query.const_score_query(self._key_query(key), 0.0)
            query = tantivy.Query.boolean_query(
                [(tantivy.Occur.Must, exact), (tantivy.Occur.Must, self._term_query(term, weight))]
            )
            for hit in self._hits(query, 1):
                found[term] = hit.score
        return found

    def vocabulary(self, prefix: str) -> list[tuple[str, int]]:
        """The terms of the weak field that start with `prefix`, each with its document frequency; commonest first."""
        return list(self._snapshot.searcher.terms_with_prefix("weak", prefix))

    def _has(self, name: str, value: str, score: float) -> tantivy.Query:
        exact = tantivy.Query.term_query(self._schema, name, value, "basic")
        return tantivy.Query.const_score_query(exact, score)

    def _key_query(self, key: str) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, "key", key, "basic")

    def _term_query(self, term: str, weight: float) -> tantivy.Query:
        strong = tantivy.Query.term_query(self._schema, "strong", term, "freq")
        weak = tantivy.Query.term_query(self._schema, "weak", term, "freq")
        either = tantivy.Query.disjunction_max_query([tantivy.Query.boost_query(strong, STRONG_BOOST), weak])
        return tantivy.Query.boost_query(either, weight)

    def _hits(self, query: tantivy.Query, limit: int) -> list[Hit]:
        return self._snapshot.hits(query, limit)

    def _writing(self) -> tantivy.IndexWriter:
        if self._writer is None:
            self._writer = self._index.writer(HEAP_BYTES, 1)
        return self._writer


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("key", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("about", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("strong", tokenizer_name="terms", index_option="freq")
    builder.add_text_field("weak", tokenizer_name="terms", index_option="freq")
    builder.add_bytes_field("payload", stored=True)
    return builder.build()


def _opened(schema: tantivy.Schema, folder: Path) -> tantivy.Index:
    folder.mkdir(parents=True, exist_ok=True)
    try:
        return tantivy.Index(schema, str(folder))
    except ValueError:
        shutil.rmtree(folder)
        folder.mkdir(parents=True)
        return tantivy.Index(schema, str(folder))


def _whitespace() -> tantivy.TextAnalyzer:
    return tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
