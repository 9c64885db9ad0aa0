"""Statements as entries of a record: 24 bytes each, which can be forgotten one by one without breaking the record.

An entry is 8 random bytes and the first 16 bytes of the SHA-256 of the statement's canonical line. The record signs the
hash of the hashes of its entries. So an entry that has to be forgotten is replaced by its hash: the record still holds,
and without the random bytes nobody can find out by guessing what the statement was.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from provgraph.rdf.terms import Quad

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
