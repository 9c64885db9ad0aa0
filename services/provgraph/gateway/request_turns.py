"""Questions are worked at some at a time, and those who wait get their turns address by address: whoever asks very many
questions at once waits for them, and nobody else waits for all of these."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from provgraph.errors import Unavailable
from provgraph.gateway.problems import problem_response
from provgraph.gateway.request_time import ASKING

MOST_WAITING: Final = 256
AT_ONCE: Final = 16
QUESTIONS: Final = ASKING - {
    "/sparql",
    "/api/v1/attribution",
    "/api/v1/check",
    "/api/v1/extract",
    "/api/v1/verify",
}
"""Paths of what takes turns here; what else is asked (SPARQL, extraction, verdicts) has turns of its own."""


class RequestTurns:
    """ASGI middleware: a turn begins when the body of a question is whole, and ends with its response."""

    def __init__(self, app: ASGIApp, at_once: int = AT_ONCE) -> None:
        self._app = app
        self._turns = FairTurns(at_once)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] not in QUESTIONS:
            await self._app(scope, receive, send)
            return
        if self._turns.waiting >= MOST_WAITING:
            full = Unavailable(
                f"{MOST_WAITING} questions wait for their turn. Send yours again in a few seconds."
            )
            await problem_response(full)(scope, receive, send)
            return
        turn = _Turn(self._turns, (scope.get("client") or ("", 0))[0])
        try:
            if scope["method"] != "POST":
                await turn.begin()
            await self._app(scope, turn.receiving(receive), send)
        finally:
            turn.end()


class _Turn:
    """That of one request."""

    def __init__(self, turns: FairTurns, address: str) -> None:
        self._turns, self._address = turns, address
        self._has_begun = False

    async def begin(self) -> None:
        if not self._has_begun:
            await self._turns.take(self._address)
            self._has_begun = True

    def end(self) -> None:
        if self._has_begun:
            self._has_begun = False
            self._turns.give_back()

    def receiving(self, receive: Receive) -> Receive:
        async def received() -> Message:
            message = await receive()
            if message["type"] == "http.request" and not message.get("more_body", False):
                await self.begin()
            return message

        return received


class FairTurns:
    """So many at once; of those who wait, each address in turn, and within it the first come first."""

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def waiting(self) -> int:
        return sum(map(len, self._waiting.values()))

    async def take(self, address: str) -> None:
        if self._free > 0:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.give_back()
            raise

    def give_back(self) -> None:
        while self._waiting:
            address, waiting = self._waiting.popitem(last=False)
            turn = waiting.popleft()
            if waiting:
                self._waiting[address] = waiting  # behind all others
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
