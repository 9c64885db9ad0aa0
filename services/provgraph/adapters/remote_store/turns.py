"""One process at a time decides: whoever reads the store in order to write to it holds the turn meanwhile.

Oxigraph's server evaluates two updates side by side, each on the store as it was when it began, and compares nothing
in the end: a condition inside an update is no lock. What it gives is that a write is seen whole by every read that
begins after it. That is enough: a process writes its claim, then looks. Of two claims the later one is written
before its owner looks, so that its owner sees the earlier one; who sees no other claim has the turn.

A claim whose owner was killed is put aside by who has watched it for long enough without a sign of life.

Writes whose reply was lost are neither lost nor done twice: each carries a receipt, and one can look it up. A receipt
that nobody will ask for any more goes with the next write.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from threading import Event, Lock, Thread
from typing import Final
from uuid import uuid4

from pyoxigraph import DefaultGraph, Literal, NamedNode, Quad

from provgraph.adapters.remote_store.connection import ReplyLost, StoreAddress, StoreConnection
from provgraph.errors import ProvGraphError, Unavailable
from provgraph.rdf.vocabulary import XSD
from provgraph.sparql.quad_data import quad_data

logger = logging.getLogger(__name__)

CLAIMS: Final = NamedNode("urn:provgraph:claims")
BEATS: Final = NamedNode("urn:provgraph:beats")

_SHORTEST_LOOK_S: Final = 0.002
_LONGEST_LOOK_S: Final = 0.05
_SIGNS: Final = 4
_LOOK: Final = f"?claim {CLAIMS} ?order OPTIONAL {{ ?claim {BEATS} ?beat }}"

NOTES: Final = NamedNode("urn:provgraph:writers")
"""The graph of claims and receipts where a store may have no default graph that can be written."""

_Signs = tuple[str, str]
"""The order of a claim, and the last sign of life of its owner."""


@dataclass
class Turn:
    """A turn that is held, or waited for. `over` says that the update which used it has taken the claim away."""

    claim: NamedNode
    order: str
    put_aside_after_s: float
    alive_at: float
    address: StoreAddress
    beats: int = 0
    over: bool = False

    @property
    def condition(self) -> str:
        """What holds in the store while the claim stands, as a pattern of SPARQL."""
        return in_notes(f"{self.claim} {CLAIMS} ?order .", self.address)

    @property
    def is_sure(self) -> bool:
        """Whether nobody can have put the claim aside yet: others must have watched it for longer."""
        return time.monotonic() - self.alive_at < self.put_aside_after_s / 2


@dataclass
class _Watch:
    """Claims of others, and since when each has given no other sign of life."""

    put_aside_after_s: float
    since: dict[tuple[str, _Signs], float] = field(default_factory=dict)

    def dead(self, others: dict[str, _Signs]) -> list[str]:
        now = time.monotonic()
        self.since = {item: self.since.get(item, now) for item in others.items()}
        return [claim for (claim, _), since in self.since.items() if now - since > self.put_aside_after_s]


def in_notes(pattern: str, address: StoreAddress) -> str:
    """A pattern over what writers note for each other: in the default graph, or in one that has a name."""
    return f"GRAPH {NOTES} {{ {pattern} }}" if address.is_rdf_1_1 else pattern


class Turns:
    """Turns at the store of one connection.

    A claim that gives no sign for `put_aside_after_s` is taken for that of a process which is no more.
    """

    def __init__(self, connection: StoreConnection, put_aside_after_s: float = 10.0) -> None:
        self._connection = connection
        self._put_aside_after_s = put_aside_after_s
        self._left: list[str] = []
        """Own claims that are not used and may stand in the store, where others would watch them for long."""

    @contextmanager
    def turn(self) -> Iterator[Turn]:
        """The turn, when it has come. Raises `Unavailable` where the store cannot be reached."""
        turn = self._taken()
        stop = Event()
        beating = Thread(target=self._beat, args=(turn, stop), name="turn", daemon=True)
        beating.start()
        try:
            yield turn
        finally:
            stop.set()
            beating.join()
            self._give_up(turn)

    def stands(self, turn: Turn) -> bool:
        """Whether the claim is still in the store."""
        return self._connection.holds(f"ASK {{ {turn.condition} }}")

    def _taken(self) -> Turn:
        self._withdraw_left()
        order, watch, pause = f"{time.time_ns():020d}", _Watch(self._put_aside_after_s), _SHORTEST_LOOK_S
        while True:
            turn = Turn(
                claim_node(), order, self._put_aside_after_s, time.monotonic(), self._connection.address
            )
            self._left.append(turn.claim.value)
            self._write(f"INSERT DATA {{ {self._in_notes(f'{turn.claim} {CLAIMS} {Literal(order)}')} }}")
            others = self._others(turn, watch)
            while others and turn.is_sure and all(order < other for other, _ in others.values()):
                pause = self._waited(pause)
                others = self._others(turn, watch)
            if not others and turn.is_sure:
                self._left.remove(turn.claim.value)
                return turn
            self._withdraw_left()
            while self._others(turn, watch):
                pause = self._waited(pause)

    def _withdraw_left(self) -> None:
        while self._left:
            self._write(self._withdrawal(self._left[-1]))
            self._left.pop()

    def _others(self, turn: Turn, watch: _Watch) -> dict[str, _Signs]:
        """The claims of others; those of the dead are put aside."""
        while True:
            others = {}
            for row in self._connection.solutions(
                f"SELECT ?claim ?order ?beat WHERE {{ {self._in_notes(_LOOK)} }}"
            ):
                others[row["claim"].value] = row["order"].value, str(row["beat"])
            others.pop(turn.claim.value, None)
            dead = watch.dead(others)
            if not dead:
                return others
            for claim in dead:
                logger.warning(
                    "a process that held the store's lock no longer responds; its lock is released"
                )
                self._write(self._withdrawal(claim))

    def _waited(self, pause: float) -> float:
        self._connection.pause(pause * random.uniform(0.5, 1.5))
        return min(pause * 1.5, _LONGEST_LOOK_S)

    def _beat(self, turn: Turn, stop: Event) -> None:
        """Give signs of life. They stand beside the claim, so that they never bring one back that has gone."""
        while not stop.wait(self._put_aside_after_s / _SIGNS):
            begun, sign = time.monotonic(), f"{turn.claim} {BEATS}"
            turn.beats += 1
            try:
                self._connection.update(
                    f"DELETE WHERE {{ {self._in_notes(f'{sign} ?beat')} }} ; "
                    f"INSERT DATA {{ {self._in_notes(f'{sign} {turn.beats}')} }}",
                    patience_s=0,
                )
                if turn.is_sure or self.stands(turn):
                    turn.alive_at = begun
            except (ReplyLost, ProvGraphError):
                logger.debug("a sign of life did not arrive", exc_info=True)

    def _give_up(self, turn: Turn) -> None:
        """Take away what is left of the claim; where that cannot be done, others put it aside in time."""
        if turn.over and not turn.beats:
            return
        try:
            self._connection.update(self._withdrawal(turn.claim.value), patience_s=0)
        except (ReplyLost, ProvGraphError):
            logger.warning("a claim could not be withdrawn yet; others put it aside in time", exc_info=True)
            self._left.append(turn.claim.value)

    def _write(self, text: str) -> None:
        """Carry out what may be done twice."""
        until = time.monotonic() + self._connection.address.patience_s
        while True:
            try:
                self._connection.update(text)
                return
            except ReplyLost as error:
                if time.monotonic() > until:
                    raise Unavailable(
                        f"The store at {self._connection.address.shown} answers no writes. See its log, then try again."
                    ) from error

    def _withdrawal(self, claim: str) -> str:
        return f"DELETE WHERE {{ {self._in_notes(f'<{claim}> ?link ?state')} }}"

    def _in_notes(self, pattern: str) -> str:
        return in_notes(pattern, self._connection.address)


WRITTEN: Final = NamedNode("urn:provgraph:written")


def receipt(address: StoreAddress) -> Quad:
    """A new receipt: it stands in the store when the write that carries it does."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    graph = NOTES if address.is_rdf_1_1 else DefaultGraph()
    return Quad(_node("receipt"), WRITTEN, Literal(now, datatype=XSD.date_time), graph)


def claim_node() -> NamedNode:
    """A new claim to the turn."""
    return _node("claim")


def _node(kind: str) -> NamedNode:
    return NamedNode(f"urn:provgraph:{kind}:{uuid4().hex}")


Wording = Callable[[Quad, list[Quad]], str]
"""An update's text, with the receipt that it is to leave and those that it is to take away."""


class ReceiptedWrites:
    """Sends updates through a connection until it is known what became of them."""

    def __init__(self, connection: StoreConnection) -> None:
        self._connection = connection
        self._settled: list[Quad] = []
        self._changing = Lock()

    def carry_out(self, wording: Wording) -> None:
        """Carry out an update that nothing can hinder. Raises `Unavailable` where that is not to be had."""
        self._sent(wording, lambda: True)

    def carry_out_if(
        self, wording: Wording, is_open: Callable[[], bool], is_sure: Callable[[], bool]
    ) -> bool:
        """Carry out an update with a condition; whether it held.

        `is_open` asks whether it may still hold; while `is_sure`, an update that was answered needs no proof.
        """
        left = self._sent(wording, is_open)
        return left is not None and (is_sure() or self._is_there(left))

    def settle_all(self) -> None:
        """Leave no receipt behind, where the server can be reached at once."""
        settled = self._take_settled()
        if not settled:
            return
        try:
            self._connection.update(f"DELETE DATA {{ {quad_data(settled)} }}", patience_s=0)
        except (ReplyLost, ProvGraphError):
            logger.debug("receipts were left in the store", exc_info=True)

    def _sent(self, wording: Wording, is_open: Callable[[], bool]) -> Quad | None:
        """The receipt that the update was to leave, or None where it has become impossible."""
        left, settled = receipt(self._connection.address), self._take_settled()
        try:
            is_done = self._pressed(wording(left, settled), left, is_open)
        except ProvGraphError:
            self._settle(settled)
            raise
        self._settle([left] if is_done else settled)
        return left if is_done else None

    def _pressed(self, text: str, left: Quad, is_open: Callable[[], bool]) -> bool:
        until = time.monotonic() + self._connection.address.patience_s
        while True:
            try:
                self._connection.update(text)
                return True
            except ReplyLost as error:
                if self._is_there(left):
                    return True
                if not is_open():
                    return False
                if time.monotonic() > until:
                    raise self._lost() from error

    def _settle(self, receipts: list[Quad]) -> None:
        with self._changing:
            self._settled += receipts

    def _take_settled(self) -> list[Quad]:
        with self._changing:
            settled, self._settled = self._settled, []
        return settled

    def _is_there(self, left: Quad) -> bool:
        return self._connection.holds(f"ASK {{ {quad_data([left])} }}")

    def _lost(self) -> Unavailable:
        return Unavailable(
            f"The store at {self._connection.address.shown} answers no writes. See its log, then run the same again: "
            "what has been written is not written twice."
        )
