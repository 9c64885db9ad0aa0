"""A standing full-text index on disk: tantivy, given terms that are cut already.

The only module that knows how tantivy is used: others pass its queries and addresses on. Every field is exact; a
field of terms is one that has several in a document.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import tantivy
from tantivy import Occur, Query

_HEAP_BYTES: Final = 30_000_000
_PAYLOAD: Final = "payload"

_KEPT_PAYLOADS: Final = 2_048
"""One question comes to the same entries again and again; what was read of them is kept until the next commit."""
_KEPT_FREQUENCIES: Final = 8_192
_KEPT_HOLDERS: Final = 512

K1: Final = 1.2
B: Final = 0.75
"""The constants of tantivy's BM25, which it does not let anybody set."""

Payload = dict[str, Any]


class Address(NamedTuple):
    """Where an entry is, until the next commit; in an index `as_it_is` for good."""

    segment: int
    entry: int


class DamagedIndex(Exception):
    """The files of an index cannot be read. It is derived data: throw it away and build it anew."""


@dataclass(frozen=True)
class Entry:
    """What is indexed together. `keys` are whole values by field, `terms` those of a text by field."""

    payload: Payload
    keys: Mapping[str, Sequence[str]] = field(default_factory=dict)
    terms: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Fields:
    """The fields of an index; `ranked` have frequencies and positions, as BM25 and phrases need them."""

    keys: tuple[str, ...]
    terms: tuple[str, ...] = ()
    ranked: tuple[str, ...] = ()


class KeywordIndex:
    """One index in a folder of its own, made when there is none. Raises `DamagedIndex` when it cannot be read."""

    def __init__(self, folder: Path, fields: Fields) -> None:
        self._schema = _schema(fields)
        folder.mkdir(parents=True, exist_ok=True)
        with _reporting_damage():
            self._index = tantivy.Index(self._schema, str(folder))
            self._search_in(self._index.searcher())
        self._writer: tantivy.IndexWriter | None = None
        self._excluded: tuple[Query, ...] = ()

    def as_it_is(self) -> KeywordIndex:
        """The index as it is now, for questions only: no commit changes it, and addresses stay what they are."""
        return copy(self)

    def without(self, name: str, values: Sequence[str]) -> KeywordIndex:
        """The index as it is now, for questions only, as if no entry had one of these keys."""
        narrowed = self.as_it_is()
        if values:
            narrowed._excluded = (*self._excluded, self.having_any(name, values))
        return narrowed

    # changes

    def add(self, entries: Iterable[Entry]) -> None:
        """Add entries; they are seen after `commit`."""
        writer = self._writing()
        with _reporting_damage():
            for entry in entries:
                writer.add_document(_document(entry))

    def remove(self, name: str, values: Iterable[str]) -> None:
        """Remove the entries that have one of these keys, also those added since the last commit."""
        writer = self._writing()
        with _reporting_damage():
            for value in values:
                writer.delete_documents_by_term(name, value)

    def commit(self) -> None:
        with _reporting_damage():
            if self._writer:
                self._writer.commit()
            self._index.reload()
            self._search_in(self._index.searcher())

    def rollback(self) -> None:
        """Forget all changes since the last commit."""
        if self._writer:
            self._writer.rollback()

    def close(self) -> None:
        """Give up the folder, after merges that are under way."""
        if self._writer:
            self._writer.wait_merging_threads()
            self._writer = None

    # questions

    def __len__(self) -> int:
        return self._counted(Query.all_query()) if self._excluded else int(self._searcher.num_docs)

    def frequency(self, name: str, value: str) -> int:
        """How many entries have the value; entries removed lately may still count."""
        if self._excluded:
            return self._counted(self.having(name, value))
        return self._frequency(name, value)

    def count(self, name: str, value: str) -> int:
        """How many entries have the key, exactly."""
        return self._counted(self.having(name, value)) if self._searcher.doc_freq(name, value) else 0

    def values(self, name: str, prefix: str = "") -> list[str]:
        """All values of a key that begin so, in order."""
        with _reporting_damage():
            found = self._searcher.terms_with_prefix(name, prefix, Query.all_query(), None)
        return [value for value, _ in found]

    def search(self, query: Query, limit: int) -> list[tuple[float, Address]]:
        """Scores and addresses of the best entries."""
        if limit < 1:
            return []
        return _found(self._searcher, self._narrowed(query), limit)

    def all_having(self, name: str, value: str) -> list[Address]:
        """The addresses of all entries with a key."""
        return [address for _, address in self.search(self.having(name, value), self.count(name, value))]

    def first_having(self, name: str, values: tuple[str, ...], limit: int) -> Sequence[Address]:
        """The addresses of entries that have any of these keys, at most `limit`."""
        if self._excluded:
            return [address for _, address in self.search(self.having_any(name, values), limit)]
        return self._holders(name, values, limit)

    def payload(self, address: Address) -> Payload:
        """What is stored with an entry, for reading only: whoever asks for it again gets the same dictionary."""
        return self._payload(address)

    # queries

    def having(self, name: str, value: str, score: float = 0.0) -> Query:
        """Entries with a value, each of the same score."""
        return _having(self._schema, name, value, score)

    def having_any(self, name: str, values: Sequence[str]) -> Query:
        return any_of([self.having(name, value) for value in values])

    def ranking(self, name: str, term: str, weight: float = 1.0) -> Query:
        """BM25 of a term (Robertson & Zaragoza 2009; k₁ = 1.2, b = 0.75, tantivy's), times the weight."""
        return Query.boost_query(Query.term_query(self._schema, name, term, "freq"), weight)

    def near(self, name: str, value: str, edits: int) -> Query:
        """Entries with a value that is at most so many edits away, two at most; swapped neighbours are one."""
        return Query.fuzzy_term_query(self._schema, name, value, min(edits, 2), True, False)

    def phrase(self, name: str, terms: Sequence[str], score: float = 0.0) -> Query:
        """Entries in which the terms, two at least, follow one another, each of the same score."""
        return Query.const_score_query(Query.phrase_query(self._schema, name, list(terms)), score)

    def vocabulary(self, name: str, prefix: str) -> list[str]:
        """The terms of a field that start with `prefix`, the commonest first."""
        return [str(term) for term, _ in self._searcher.terms_with_prefix(name, prefix)]

    def _counted(self, query: Query) -> int:
        with _reporting_damage():
            found = self._searcher.search(self._narrowed(query), 1, count=True)
        return int(found.count)  # type: ignore[attr-defined]

    def _narrowed(self, query: Query) -> Query:
        if not self._excluded:
            return query
        return Query.boolean_query([(Occur.Must, query), *((Occur.MustNot, out) for out in self._excluded)])

    def _search_in(self, searcher: tantivy.Searcher) -> None:
        """Take a searcher for the index as it is now; what was read by the one before is forgotten."""
        self._searcher = searcher
        self._payload = _payloads(searcher)
        self._frequency = _frequencies(searcher)
        self._holders = _holders(searcher, self._schema)

    def _writing(self) -> tantivy.IndexWriter:
        if self._writer is None:
            with _reporting_damage():
                self._writer = self._index.writer(_HEAP_BYTES, 1)
        return self._writer


def any_of(queries: Sequence[Query], required: Sequence[Query] = ()) -> Query:
    """Entries that meet all of the required queries and any of the others, whose scores are summed.

    Where there are required ones the others only add to the score.
    """
    return Query.boolean_query(
        [*((Occur.Must, query) for query in required), *((Occur.Should, query) for query in queries)]
    )


def best_of(queries: Sequence[Query]) -> Query:
    """Entries that meet any of the queries, with the best of their scores."""
    return Query.disjunction_max_query(list(queries))


def _payloads(searcher: tantivy.Searcher) -> Callable[[Address], Payload]:
    """Reads payloads by address, and keeps those that were read last."""

    @lru_cache(_KEPT_PAYLOADS)
    def payload(address: Address) -> Payload:
        with _reporting_damage():
            content = searcher.doc(tantivy.DocAddress(*address)).get_first(_PAYLOAD)
        stored: Payload = json.loads(bytes(content or b"{}").decode())
        return stored

    return payload


def _frequencies(searcher: tantivy.Searcher) -> Callable[[str, str], int]:
    """Counts the entries of a value, and keeps what was counted last."""

    @lru_cache(_KEPT_FREQUENCIES)
    def frequency(name: str, value: str) -> int:
        return int(searcher.doc_freq(name, value))

    return frequency


def _holders(
    searcher: tantivy.Searcher, schema: tantivy.Schema
) -> Callable[[str, tuple[str, ...], int], Sequence[Address]]:
    """Finds the entries that have any of some keys, and keeps what was found last."""

    @lru_cache(_KEPT_HOLDERS)
    def holders(name: str, values: tuple[str, ...], limit: int) -> Sequence[Address]:
        query = any_of([_having(schema, name, value) for value in values])
        return [address for _, address in _found(searcher, query, limit)]

    return holders


def _having(schema: tantivy.Schema, name: str, value: str, score: float = 0.0) -> Query:
    return Query.const_score_query(Query.term_query(schema, name, value, "basic"), score)


def _found(searcher: tantivy.Searcher, query: Query, limit: int) -> list[tuple[float, Address]]:
    with _reporting_damage():
        hits = searcher.search(query, limit, count=False).hits
    return [(score, Address(at.segment_ord, at.doc)) for score, at in hits]


@contextmanager
def _reporting_damage() -> Iterator[None]:
    try:
        yield
    except (ValueError, OSError) as error:
        raise DamagedIndex(str(error)) from error


def _document(entry: Entry) -> tantivy.Document:
    document = tantivy.Document()
    for name, values in entry.keys.items():
        for value in values:
            document.add_text(name, value)
    for name, terms in entry.terms.items():
        document.add_text(name, " ".join(terms))
    document.add_bytes(_PAYLOAD, json.dumps(entry.payload, ensure_ascii=False).encode())
    return document


def _schema(fields: Fields) -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    for name in fields.keys:
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in fields.terms:
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="basic")
    for name in fields.ranked:
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="position")
    builder.add_bytes_field(_PAYLOAD, stored=True)
    return builder.build()
