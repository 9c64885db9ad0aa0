"""Which connections are kept: limits in all and for each address, and who goes when another one comes.

A connection is *idle* until it has brought a whole request, or a token where it is a WebSocket, and again after its
response; else it is *busy*. Where there are too many, the one that has been idle longest goes, so whoever opens
connections and sends nothing loses them to those who ask something; one that was answered before goes after those that
never asked. Only where all are busy is a new one refused.
"""

from __future__ import annotations

import resource
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final, Protocol

from starlette.types import Scope

_FILES_FOR_OTHERS: Final = 256
"""File descriptors that store, indexes and children need beside connections."""


FIRST_FRAME: Final = 4096
"""Bytes of the frame of a WebSocket that brings a token."""
ADMITTED: Final = "provgraph.admitted"
"""Among the extensions of a WebSocket's scope (ASGI 3, `extensions`): called by the app when a token was accepted."""


@dataclass(frozen=True)
class ConnectionLimits:
    """`in_all` and `per_address` connections; `idle_s` until one that is idle is closed; a body that is under way
    brings at least `body_bytes` in each `body_s` seconds, and who is sent one takes as much."""

    in_all: int = 1000
    per_address: int = 500
    idle_s: float = 10.0
    body_s: float = 20.0
    body_bytes: int = 4096


def tell_admitted(scope: Scope) -> None:
    """Let the server know that a token was accepted, where it asks for that."""
    admitted = scope.get("extensions", {}).get(ADMITTED)
    if admitted:
        admitted()


class Admitted(Protocol):
    """A connection, as admission knows it."""

    @property
    def address(self) -> str: ...

    def leave(self) -> None:
        """Close, because another one needs the place."""
        ...


@dataclass
class Admission:
    """Counts the connections of one process."""

    limits: ConnectionLimits = ConnectionLimits()
    _new: dict[Admitted, None] = field(default_factory=dict)
    _idle: dict[Admitted, None] = field(default_factory=dict)
    _busy: set[Admitted] = field(default_factory=set)
    _by_address: Counter[str] = field(default_factory=Counter)

    def open(self, connection: Admitted) -> bool:
        """Whether there is a place for a new connection, which is idle; another may have to leave for it."""
        if self._by_address[connection.address] >= self.limits.per_address:
            is_free = self._made_room(connection.address)
        else:
            is_free = len(self) < self.limits.in_all or self._made_room()
        if is_free:
            self._new[connection] = None
            self._by_address[connection.address] += 1
        return is_free

    def busy(self, connection: Admitted) -> None:
        if connection in self._idle or connection in self._new:
            self._idle.pop(connection, None)
            self._new.pop(connection, None)
            self._busy.add(connection)

    def idle(self, connection: Admitted) -> None:
        if connection in self._busy:
            self._busy.discard(connection)
            self._idle[connection] = None

    def closed(self, connection: Admitted) -> None:
        """It may have been told before."""
        if connection in self._busy or connection in self._idle or connection in self._new:
            self._busy.discard(connection)
            self._idle.pop(connection, None)
            self._new.pop(connection, None)
            self._by_address -= Counter([connection.address])

    def __len__(self) -> int:
        return len(self._new) + len(self._idle) + len(self._busy)

    def _made_room(self, address: str | None = None) -> bool:
        longest = next(self._idle_of(address), None)
        if longest is None:
            return False
        self.closed(longest)
        longest.leave()
        return True

    def _idle_of(self, address: str | None) -> Iterator[Admitted]:
        return (each for each in chain(self._new, self._idle) if address in (None, each.address))


def limits_of_process(limits: ConnectionLimits = ConnectionLimits()) -> ConnectionLimits:
    """The limits that this process can keep: its soft limit of open files is raised as far as it may be."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = max(soft, min(hard, limits.in_all + 4 * _FILES_FOR_OTHERS))
    if files > soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    in_all = max(16, min(limits.in_all, files - _FILES_FOR_OTHERS))
    return replace(limits, in_all=in_all, per_address=min(limits.per_address, max(8, in_all // 2)))
