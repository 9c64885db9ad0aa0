"""Records: what one transaction added and removed, chained to the record before and signed.

The statement of a record is JSON, signed as it is written:

    {"record": 17, "at": "2026-01-02T03:04:05Z", "kind": "written", "software": "0.1.0", "key": "…", "previous": "…",
     "graphs": {"urn:graph:source": [120, 0]}, "entries": "…"}

`graphs` counts the entries of each graph, those added before those removed; the entries come in this order. `previous`
is the SHA-256 of the statement before, `entries` the root of the entries. A record of kind `begun` or `key` names a
public key, one of kind `erased` which entries of earlier records were struck.

Statements as entries of a record: 24 bytes each, which can be forgotten one by one without breaking the record.

An entry is 8 random bytes and the first 16 bytes of the SHA-256 of the statement's canonical line. The record signs the
hash of the hashes of its entries. So an entry that has to be forgotten is replaced by its hash: the record still holds,
and without the random bytes nobody can find out by guessing what the statement was.

Signatures of Ed25519, and the short names of keys. The library behind them is imported when one is verified.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

from provgraph import __version__
from provgraph.ports.signer import Signer
from provgraph.provenance.records import record_quads
from provgraph.rdf.graphs import kind_of_graph
from provgraph.rdf.terms import NamedNode, Quad

_FINGERPRINT_HEX: Final = 32


def fingerprint(public_key: bytes) -> str:
    """The first 32 hexadecimal digits of the SHA-256 of the 32 bytes of a public key."""
    return hashlib.sha256(public_key).hexdigest()[:_FINGERPRINT_HEX]


def is_signed(message: bytes, signature: bytes, public_key: bytes) -> bool:
    """Whether the signature is that of the key (RFC 8032, section 5.1.7); also false for what is no key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


ENTRY_BYTES: Final = 24
_SALT_BYTES: Final = 8
_LEAF_BYTES: Final = 16


def leaf(quad: Quad) -> bytes:
    """16 bytes that stand for a statement: of the SHA-256 of its line of canonical N-Quads (RDF 1.2), without the end.

    Nothing stored has a blank node, so the sorted lines of a batch are its canonical form (RDFC-1.0, section 4.4.3); a
    triple term is written where it stands, `<<( s p o )>>`.
    """
    return hashlib.sha256(str(quad).encode()).digest()[:_LEAF_BYTES]


def entries_of(quads: Collection[Quad]) -> bytes:
    """One entry after another, in the order of the quads."""
    salts = os.urandom(_SALT_BYTES * len(quads))
    places = range(0, len(salts), _SALT_BYTES)
    sha256 = hashlib.sha256
    return b"".join(
        salts[at : at + _SALT_BYTES] + sha256(str(quad).encode()).digest()[:_LEAF_BYTES]
        for at, quad in zip(places, quads, strict=True)
    )


def split(entries: bytes) -> Iterator[bytes]:
    for at in range(0, len(entries), ENTRY_BYTES):
        yield entries[at : at + ENTRY_BYTES]


def leaf_of(entry: bytes) -> bytes:
    """Of one that is not struck."""
    return entry[_SALT_BYTES:]


def struck(entry: bytes) -> bytes:
    """What stands in the place of an entry that was forgotten."""
    return hashlib.sha256(entry).digest()[:ENTRY_BYTES]


def root(entries: Iterable[bytes], is_struck: Collection[int] = ()) -> str:
    """What the record signs: the SHA-256 of all entries as they are when struck, in hexadecimal digits."""
    hashed = hashlib.sha256()
    for place, entry in enumerate(entries):
        hashed.update(entry if place in is_struck else struck(entry))
    return hashed.hexdigest()


NO_RECORD: Final = "0" * 64


class RecordKind(StrEnum):
    """`FOUND` is what a store held before its records began; a `CLEARED` graph holds nothing of what it held."""

    BEGUN = "begun"
    KEY = "key"
    FOUND = "found"
    WRITTEN = "written"
    CLEARED = "cleared"
    ERASED = "erased"


@dataclass(frozen=True)
class Head:
    """The last record of a chain: its number, the hash of its statement, and the key that signed it."""

    number: int
    digest: str
    key: str


@dataclass(frozen=True)
class RecordedChange:
    """What one transaction does to graphs of collections; bookkeeping of our own is not recorded."""

    added: Mapping[str, Sequence[Quad]]
    removed: Mapping[str, Sequence[Quad]]

    @classmethod
    def of(cls, added: Iterable[Quad], removed: Iterable[Quad] = ()) -> RecordedChange:
        return cls(_by_graph(added), _by_graph(removed))

    @property
    def is_empty(self) -> bool:
        return not self.added and not self.removed

    def counts(self) -> dict[str, list[int]]:
        return {
            graph: [len(self.added.get(graph, ())), len(self.removed.get(graph, ()))]
            for graph in sorted({*self.added, *self.removed})
        }

    def entries(self) -> bytes:
        quads = [
            quad
            for graph in sorted({*self.added, *self.removed})
            for side in (self.added, self.removed)
            for quad in side.get(graph, ())
        ]
        return entries_of(quads)


def _by_graph(quads: Iterable[Quad]) -> dict[str, list[Quad]]:
    by_graph: dict[str, list[Quad]] = {}
    known: dict[NamedNode, bool] = {}
    for quad in dict.fromkeys(quads):
        graph = quad.graph_name
        if not isinstance(graph, NamedNode):
            continue
        if graph not in known:
            known[graph] = kind_of_graph(graph) is not None
        if known[graph]:
            by_graph.setdefault(graph.value, []).append(quad)
    return by_graph


@dataclass(frozen=True)
class Signing:
    """Makes records with one key."""

    signer: Signer

    @property
    def key(self) -> str:
        return fingerprint(self.signer.public_key)

    def record(
        self, before: Head | None, kind: RecordKind, change: RecordedChange, **more: Any
    ) -> tuple[Head, list[Quad]]:
        """The record after `before`, as the new head of the chain, and the quads to write."""
        entries = change.entries()
        statement = {
            "record": before.number + 1 if before else 0,
            "at": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "kind": kind.value,
            "software": __version__,
            "key": self.key,
            "previous": before.digest if before else NO_RECORD,
            "graphs": change.counts(),
            "entries": root(split(entries)),
            **more,
        }
        text = json.dumps(statement, ensure_ascii=True, separators=(",", ":"))
        signature = self.signer.sign(text.encode())
        head = Head(statement["record"], statement_digest(text), self.key)
        return head, record_quads(head.number, text, _base64(signature), _base64(entries))

    def introduction(self, before: Head | None) -> tuple[Head, list[Quad]]:
        """The record that names the public key: the first of a chain, or the first of another key."""
        kind = RecordKind.KEY if before else RecordKind.BEGUN
        return self.record(before, kind, RecordedChange({}, {}), public_key=_base64(self.signer.public_key))


def statement_digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


@dataclass(frozen=True)
class Record:
    """A record as it is stored. Without a `statement` what is stored is none."""

    number: int
    text: str
    signature: bytes
    entries: tuple[bytes, ...]
    statement: Mapping[str, Any] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        return str(self.statement.get("kind", ""))

    @property
    def at(self) -> str:
        return str(self.statement.get("at", ""))

    @property
    def public_key(self) -> bytes | None:
        """The key that it introduces."""
        return _bytes(str(self.statement["public_key"])) if "public_key" in self.statement else None

    @property
    def head(self) -> Head:
        return Head(self.number, statement_digest(self.text), str(self.statement.get("key", "")))

    def placed(self) -> list[tuple[str, bool]]:
        """Of each entry, its graph and whether it was added; fewer or more than there are where the record is wrong."""
        return [
            (graph, is_added)
            for graph, counts in self.statement.get("graphs", {}).items()
            for is_added, count in zip((True, False), counts, strict=True)
            for _ in range(count)
        ]


def read_record(number: int, text: str, signature: str, entries: str) -> Record:
    """Whatever stands in the store; nothing raises."""
    try:
        statement = json.loads(text)
    except (ValueError, RecursionError):
        statement = {}
    kept, signed = _bytes(entries), _bytes(signature)
    is_whole = (
        (_base64(kept), _base64(signed)) == (entries, signature)
        and len(kept) % ENTRY_BYTES == 0
        and isinstance(statement, dict)
        and _is_statement(statement)
    )
    return Record(number, text, signed, tuple(split(kept)), statement if is_whole else {})


def _is_statement(statement: Mapping[str, Any]) -> bool:
    counts = statement.get("graphs")
    return isinstance(counts, dict) and all(
        isinstance(pair, list) and len(pair) == 2 and all(isinstance(n, int) and 0 <= n < 10**9 for n in pair)
        for pair in counts.values()
    )


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""
