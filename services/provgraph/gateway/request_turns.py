"""Turns of what is asked: each kind of work has its own number of requests that are worked at at once.

Whoever asks a question waits for an answer of a second; claims that are judged and texts that are read take long, in
the same interpreter. So few of those are worked at at once that a question beside them has its share of it, however
many there are.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from dataclasses import dataclass
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from provgraph.errors import TooManyRequests
from provgraph.gateway.problems import problem_response
from provgraph.gateway.request_time import ASKING

AT_ONCE: Final = 16
CLAIMS: Final = frozenset({"/api/v1/verify"})
BULK: Final = frozenset({"/api/v1/attribution", "/api/v1/extract"})
QUESTIONS: Final = ASKING - CLAIMS - BULK - {"/mcp", "/sparql", "/api/v1/check"}
"""Paths of what takes turns here; what else is asked (SPARQL) has turns of its own, and what tools of `/mcp` ask comes
through here again."""
COME_AGAIN_S: Final = 5
"""What a client is told to wait for that finds too many before it."""


@dataclass(frozen=True)
class TurnLimits:
    """How many requests of each kind are worked at at once. Only models that judge claims elsewhere allow several."""

    questions: int = AT_ONCE
    claims: int = 1
    bulk: int = 1


@dataclass(frozen=True)
class _Lane:
    """Turns of one kind of work."""

    name: str
    turns: FairTurns
    most_waiting: int


class RequestTurns:
    """ASGI middleware: a turn begins when the body of a request is whole, and ends with its response.

    Nothing of a body is parsed before its turn, and whoever leaves while it waits has none.
    """

    def __init__(self, app: ASGIApp, limits: TurnLimits = TurnLimits()) -> None:
        self._app = app
        lanes = (
            (QUESTIONS, _Lane("questions", FairTurns(limits.questions), 256)),
            (CLAIMS, _Lane("claims", FairTurns(limits.claims), 64)),
            (BULK, _Lane("texts", FairTurns(limits.bulk), 64)),
        )
        self._lanes = {path: lane for paths, lane in lanes for path in paths}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        lane = self._lanes.get(scope["path"]) if scope["type"] == "http" else None
        if lane is None:
            await self._app(scope, receive, send)
            return
        if lane.turns.waiting >= lane.most_waiting:
            full = TooManyRequests(
                f"{lane.most_waiting} {lane.name} wait for their turn. Send yours again in a few seconds."
            )
            await problem_response(full, {"Retry-After": str(COME_AGAIN_S)})(scope, receive, send)
            return
        turn = _Turn(lane.turns, (scope.get("client") or ("", 0))[0])
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
