"""In which store a decision is made: it reads and changes one, since two have no transaction in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pyoxigraph import Quad

from provgraph.adapters.divided_store.placement import MAIN, Placement, several_stores
from provgraph.ports.quad_store import QuadPattern, StoreChange, StoreReader

T = TypeVar("T")

Decide = Callable[[StoreReader], StoreChange[T]]


class _Reads(Exception):
    """What a decision asks for first has told where it is made."""

    def __init__(self, part: int) -> None:
        self.part = part


def store_of_decision(decide: Decide[T], placement: Placement) -> int:
    """The store that has the graph which a decision reads first, or, where it reads none, what it changes; the main one
    for what says nothing of a collection.

    `decide` is begun, and left where it first reads: a decision may be made again (`QuadStore.transact`).
    """
    try:
        change = decide(_Scout(placement))
    except _Reads as reading:
        return reading.part
    part = placement.of_quads([*change.removed, *change.added])
    return MAIN if part is None else part


def decided(decide: Decide[T], reader: StoreReader, part: int, placement: Placement) -> StoreChange[T]:
    """What `decide` makes of one store. Raises `NotProvided` where it reads or changes another one's graphs."""
    change = decide(_OfOneStore(reader, part, placement))
    if placement.of_quads([*change.removed, *change.added]) not in (None, part):
        raise several_stores()
    return change


@dataclass(frozen=True)
class _Scout:
    """Reads nothing, and ends whatever reads."""

    placement: Placement

    def match(
        self,
        patterns: Sequence[QuadPattern],
        limit: int | None = None,  # noqa: ARG002
    ) -> list[list[Quad]]:
        return self._end(bool(patterns), self.placement.of_graphs(pattern.graph for pattern in patterns))

    def contains(self, quads: Sequence[Quad]) -> list[bool]:
        return self._end(bool(quads), self.placement.of_quads(quads))

    def _end(self, reads: bool, part: int | None) -> list[T]:
        if reads:
            raise _Reads(MAIN if part is None else part)
        return []


@dataclass(frozen=True)
class _OfOneStore:
    reader: StoreReader
    part: int
    placement: Placement

    def match(self, patterns: Sequence[QuadPattern], limit: int | None = None) -> list[list[Quad]]:
        self._require_own(self.placement.of_graphs(pattern.graph for pattern in patterns))
        return self.reader.match(patterns, limit)

    def contains(self, quads: Sequence[Quad]) -> list[bool]:
        self._require_own(self.placement.of_quads(quads))
        return self.reader.contains(quads)

    def _require_own(self, part: int | None) -> None:
        if part not in (None, self.part):
            raise several_stores()
