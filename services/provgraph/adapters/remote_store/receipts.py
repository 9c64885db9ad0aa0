"""Writes whose reply was lost are neither lost nor done twice: each carries a receipt, and one can look it up.

A receipt that nobody will ask for any more goes with the next write.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime
from threading import Lock
from typing import Final
from uuid import uuid4

from pyoxigraph import Literal, NamedNode, Quad

from provgraph.adapters.remote_store.connection import ReplyLost, StoreConnection
from provgraph.errors import ProvGraphError, Unavailable
from provgraph.rdf.vocabulary import XSD
from provgraph.sparql.quad_data import quad_data

CLAIMS: Final = NamedNode("urn:provgraph:claims")
BEATS: Final = NamedNode("urn:provgraph:beats")
WRITTEN: Final = NamedNode("urn:provgraph:written")


def receipt() -> Quad:
    """A new receipt: it stands in the store when the write that carries it does."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Quad(_node("receipt"), WRITTEN, Literal(now, datatype=XSD.date_time))


def claim_node() -> NamedNode:
    """A new claim to the turn."""
    return _node("claim")


def _node(kind: str) -> NamedNode:
    return NamedNode(f"urn:provgraph:{kind}:{uuid4().hex}")


logger = logging.getLogger(__name__)

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
        left, settled = receipt(), self._take_settled()
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
            f"The store at {self._connection.address.told} answers no writes. See its log, then run the same again: "
            "what has been written is not written twice."
        )
