"""The chain of records in a store: its end, whether it holds, and what of it is to be forgotten."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import AsyncGenerator, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from provgraph.attestation.records import (
    NO_RECORD,
    Head,
    Record,
    RecordKind,
    fingerprint,
    is_signed,
    leaf,
    leaf_of,
    read_record,
    root,
    struck,
)
from provgraph.ports.quad_store import QuadPattern, QuadStore, StoreReader
from provgraph.provenance.records import RECORDS, record_iri, record_marker, record_number, record_quads
from provgraph.rdf import literals
from provgraph.rdf.graphs import kind_of_graph
from provgraph.rdf.terms import NamedNode, Quad, text_of
from provgraph.rdf.vocabulary import RDF, TG

_DESCRIBED: Final = f"SELECT DISTINCT ?subject {{ GRAPH {RECORDS} {{ ?subject ?p ?o }} }}"
_AT_ONCE: Final = 200
_QUADS_AT_ONCE: Final = 5_000
_MOST_ENTRIES: Final = 10_000_000


def last_head(reader: StoreReader) -> Head | None:
    """The end of the chain; None without records."""
    record = last_record(reader)
    return record.head if record else None


def last_record(reader: StoreReader) -> Record | None:
    """Found by doubling and halving: as many looks as the number has bits. None without records."""
    if not _there(reader, 0):
        return None
    above = 1
    while _there(reader, above):
        above *= 2
    below = above // 2
    while above - below > 1:
        middle = (above + below) // 2
        below, above = (middle, above) if _there(reader, middle) else (below, middle)
    (quads,) = reader.match([QuadPattern(record_iri(below), graph=RECORDS)])
    return _record(below, quads)


def _there(reader: StoreReader, number: int) -> bool:
    return reader.contains([record_marker(number)])[0]


def _record(number: int, quads: Sequence[Quad]) -> Record:
    said = [text_of(quads, term) for term in (TG.record_statement, TG.record_signature, TG.record_entries)]
    if set(quads) != set(record_quads(number, *said)):
        return Record(number, said[0], b"", ())
    return read_record(number, *said)


async def record_numbers(store: QuadStore) -> list[int]:
    (quads,) = await store.match([QuadPattern(None, RDF.type, TG.Record, RECORDS)])
    return sorted(number for quad in quads if (number := record_number(quad.subject)) is not None)


async def stored_records(store: QuadStore, numbers: Sequence[int]) -> AsyncGenerator[Record]:
    for start in range(0, len(numbers), _AT_ONCE):
        some = numbers[start : start + _AT_ONCE]
        found = await store.match([QuadPattern(record_iri(number), graph=RECORDS) for number in some])
        for number, quads in zip(some, found, strict=True):
            yield _record(number, quads)


@dataclass(frozen=True)
class Flaw:
    """Something that does not hold: `subject` is the IRI of a record or a statement."""

    subject: str
    sentence: str


@dataclass(frozen=True)
class Trust:
    """What whoever checks knows from elsewhere: fingerprints of keys beside the one that began the chain, and the
    hash of a statement that was once the last."""

    keys: frozenset[str] = frozenset()
    head: str = ""


@dataclass
class ChainCheck:
    """Sees all records in their order, then all statements; tells the flaws of each, the first record's first."""

    trust: Trust
    head: Head | None = None
    records: int = 0
    began: str = ""
    found: int = 0
    keys: dict[str, bytes] = field(default_factory=dict)
    _trusted: set[str] = field(default_factory=set)
    _expected: int = 0
    _is_head_known: bool = False
    _struck: dict[int, set[int]] = field(default_factory=dict)
    _state: dict[str, dict[bytes, int]] = field(default_factory=dict)

    def note_struck(self, record: Record) -> None:
        """Of a record of erasure; all must be noted before the first record is seen."""
        listed = record.statement.get("struck")
        if record.kind == RecordKind.ERASED and isinstance(listed, dict):
            for number, ranges in listed.items():
                if number.isdecimal():
                    self._struck.setdefault(int(number), set()).update(places(str(ranges)))

    def struck_of(self, record: Record) -> set[int]:
        return self._struck.get(record.number, set())

    def see(self, record: Record) -> Iterator[Flaw]:
        self.records += 1
        yield from (Flaw(record_iri(record.number).value, sentence) for sentence in self._flaws(record))
        self._apply(record)
        self.head = record.head
        self._expected = record.number + 1
        self._is_head_known |= self.trust.head == self.head.digest

    def at_the_end(self) -> Iterator[Flaw]:
        """Of all records together."""
        if not self.records:
            sentence = (
                "The store has no signed records: it is from before and was not written to since, it is on a server, "
                "or they were removed."
            )
            yield Flaw(RECORDS.value, sentence)
        elif self.trust.head and not self._is_head_known:
            yield Flaw(
                record_iri(self.head.number if self.head else 0).value,
                f"No record has the hash {self.trust.head}: the records that followed it, or all, were exchanged "
                "or taken back.",
            )

    def statement(self, quad: Quad) -> Flaw | None:
        """Of a statement of the store; each is to be shown once."""
        graph = self._state.get(str(getattr(quad.graph_name, "value", "")), {})
        if graph.pop(leaf(quad), None) is None:
            sentence = "The statement is in the store, and no record added it: it was forged or altered."
            return Flaw(str(quad.triple), sentence)
        return None

    def missing(self) -> Iterator[Flaw]:
        """What is left when every statement of the store was shown."""
        left = Counter((number, graph) for graph, leaves in self._state.items() for number in leaves.values())
        for (number, graph), count in sorted(left.items()):
            yield Flaw(
                record_iri(number).value,
                f"{count:,} of the statements that this record added to {graph} are gone or altered, and no record "
                "removed them.",
            )

    def _flaws(self, record: Record) -> Iterator[str]:
        said, head = record.statement, self.head
        if record.number != self._expected:
            gap = record.number - self._expected
            yield f"{gap} record(s) before it were removed, from number {self._expected} on."
        if not said:
            yield "What it says is not what any record says: it was altered."
            return
        if said.get("record") != record.number:
            yield f"It was signed as number {said.get('record')}: the records were reordered."
        before = head.digest if head else NO_RECORD
        if record.number == self._expected and said.get("previous") != before:
            yield "It does not follow the record before it: one of the two was exchanged or altered."
        yield from self._flaws_of_signature(record)
        gone = self.struck_of(record)
        if len(record.placed()) != len(record.entries) or root(record.entries, gone) != said.get("entries"):
            yield "Its entries are not those that it signed: they were altered."

    def _flaws_of_signature(self, record: Record) -> Iterator[str]:
        key = str(record.statement.get("key", ""))
        if (introduced := record.public_key) and fingerprint(introduced) == key:
            self.keys.setdefault(key, introduced)
            if record.number == 0 and not self.trust.keys:
                self._trusted.add(key)
        public = self.keys.get(key)
        if public is None or not is_signed(record.text.encode(), record.signature, public):
            yield "Its signature is not that of its key: it was altered or forged."
        elif key not in self._trusted | self.trust.keys:
            self._trusted.add(key)  # told once
            yield (
                f"From here on another key signs, {key}. If it is yours, name it and the one before with --key."
            )

    def _apply(self, record: Record) -> None:
        if record.number == 0:
            self.began = record.at
        for graph in record.statement.get("cleared", ()):
            self._state.pop(str(graph), None)
        gone = self.struck_of(record)
        self.found += len(record.entries) if record.kind == RecordKind.FOUND else 0
        for place, (entry, (graph, is_added)) in enumerate(
            zip(record.entries, record.placed(), strict=False)
        ):
            if place in gone:
                continue
            leaves = self._state.setdefault(graph, {})
            if is_added:
                leaves.setdefault(leaf_of(entry), record.number)
            else:
                leaves.pop(leaf_of(entry), None)


def places(ranges: str) -> Iterator[int]:
    """`0-2,7` is 0, 1, 2 and 7; nothing for what is no list of ranges."""
    for part in ranges.split(","):
        first, _, last = part.partition("-")
        if first.isdecimal() and (not last or last.isdecimal()):
            yield from range(int(first), min(int(last or first), _MOST_ENTRIES) + 1)


def ranges_of(numbers: Collection[int]) -> str:
    """The opposite of `places`."""
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join(f"{first}-{last}" if last > first else str(first) for first, last in parts)


async def checked_chain(store: QuadStore, check: ChainCheck) -> AsyncGenerator[Flaw]:
    """Every flaw, that of the first record first. Takes some 150 bytes of memory for each statement."""
    numbers = await record_numbers(store)
    async for record in stored_records(store, numbers):
        check.note_struck(record)
    async for record in stored_records(store, numbers):
        for flaw in check.see(record):
            yield flaw
    for flaw in [*await _strangers(store, numbers), *check.at_the_end()]:
        yield flaw
    if not check.records:
        return
    async for batch in _statements(store):
        for found in filter(None, map(check.statement, batch)):
            yield found
    for flaw in check.missing():
        yield flaw


async def _strangers(store: QuadStore, numbers: Sequence[int]) -> list[Flaw]:
    known = {record_iri(number) for number in numbers}
    nodes = [row["subject"] for row in await store.select(_DESCRIBED)]
    sentence = "It stands among the records and is none: it was forged."
    return [Flaw(str(node), sentence) for node in nodes if node not in known]


async def _statements(store: QuadStore) -> AsyncGenerator[list[Quad]]:
    """All that stands in graphs of collections."""
    for graph in await store.graph_names():
        if kind_of_graph(graph):
            async for batch in store.scan(QuadPattern(graph=graph), _QUADS_AT_ONCE):
                yield batch


async def erased_entries(store: QuadStore) -> tuple[list[Quad], list[Quad], Mapping[str, str]]:
    """What records hold of statements that are gone: their quads, those in their place, and which entries to strike."""
    numbers = await record_numbers(store)
    check = ChainCheck(Trust())
    async for record in stored_records(store, numbers):
        check.note_struck(record)
    standing: set[bytes] = set()
    async for batch in _statements(store):
        standing.update(map(leaf, batch))
    gone: list[Quad] = []
    come: list[Quad] = []
    listed: dict[str, str] = {}
    async for record in stored_records(store, numbers):
        before = check.struck_of(record)
        dead = {
            place
            for place, entry in enumerate(record.entries)
            if place not in before and leaf_of(entry) not in standing
        }
        if dead:
            kept = b"".join(
                struck(entry) if place in dead else entry for place, entry in enumerate(record.entries)
            )
            node = record_iri(record.number)
            gone.append(_entries_quad(node, b"".join(record.entries)))
            come.append(_entries_quad(node, kept))
            listed[str(record.number)] = ranges_of(dead)
    return gone, come, listed


def _entries_quad(node: NamedNode, entries: bytes) -> Quad:
    return Quad(node, TG.record_entries, literals.text(base64.b64encode(entries).decode()), RECORDS)
