"""Questions take turns: some at once, address by address, and not too many of them wait."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from provgraph.gateway.request_time import RequestTime
from provgraph.gateway.request_turns import FairTurns, RequestTurns, TurnLimits

GET = {"type": "http", "method": "GET", "path": "/api/v1/graph-rag", "client": ("a", 1), "headers": []}


async def nothing() -> Message:
    return {"type": "http.request", "body": b"{}", "more_body": False}


async def test_each_address_has_its_turn() -> None:
    turns, order = FairTurns(1), list[str]()

    async def ask(address: str, name: str) -> None:
        await turns.take(address)
        order.append(name)
        await asyncio.sleep(0)
        turns.give_back()

    many = [asyncio.create_task(ask("many", f"many {number}")) for number in range(5)]
    await asyncio.sleep(0)
    await asyncio.gather(*many, ask("one", "one"))
    assert order.index("one") < 4


async def test_who_leaves_while_waiting_takes_no_turn() -> None:
    turns = FairTurns(1)
    await turns.take("a")
    left, stays = asyncio.create_task(turns.take("a")), asyncio.create_task(turns.take("a"))
    await asyncio.sleep(0)
    left.cancel()
    turns.give_back()
    await asyncio.wait_for(stays, 1)
    turns.give_back()
    await asyncio.wait_for(turns.take("b"), 1)


async def test_a_turn_that_comes_while_its_owner_leaves_is_passed_on() -> None:
    turns = FairTurns(1)
    await turns.take("a")
    leaves = asyncio.create_task(turns.take("a"))
    await asyncio.sleep(0)
    turns.give_back()
    leaves.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaves
    await asyncio.wait_for(turns.take("b"), 1)


@dataclass
class Work:
    """An app whose requests read their bodies and then work until they are `released`."""

    released: asyncio.Event = field(default_factory=asyncio.Event)
    begun: list[str] = field(default_factory=list)
    heard: list[Message] = field(default_factory=list)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        self.begun.append(scope["path"])
        await self.released.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def send(self, message: Message) -> None:
        self.heard.append(message)

    def asked(self, app: ASGIApp, path: str, receive: Receive = nothing) -> asyncio.Task[None]:
        async def ask() -> None:
            await app({**GET, "method": "POST", "path": path}, receive, self.send)

        return asyncio.create_task(ask())


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("path", "most_waiting"), [("/api/v1/graph-rag", 256), ("/api/v1/verify", 64), ("/api/v1/extract", 64)]
)
async def test_who_finds_too_many_waiting_is_told_to_come_again(path: str, most_waiting: int) -> None:
    work = Work()
    asked = RequestTurns(work, TurnLimits(questions=1))
    waiting = [work.asked(asked, path) for _ in range(1 + most_waiting)]
    await settled()
    assert not work.heard
    await work.asked(asked, path)
    start, body = work.heard
    headers = {name.decode(): value.decode() for name, value in start["headers"]}
    assert (start["status"], headers["retry-after"]) == (429, "5")
    assert headers["content-type"] == "application/problem+json"
    assert json.loads(body["body"])["type"] == "urn:provgraph:problem:too-many-requests"
    work.released.set()
    await asyncio.gather(*waiting)
    assert len(work.begun) == 1 + most_waiting


async def test_questions_do_not_wait_for_claims_and_texts_which_are_worked_at_one_by_one() -> None:
    work = Work()
    asked = RequestTurns(work, TurnLimits(questions=3))
    paths = ["/api/v1/verify"] * 16 + ["/api/v1/extract"] * 16 + ["/api/v1/graph-rag"] * 16
    waiting = [work.asked(asked, path) for path in paths]
    await settled()
    assert sorted(work.begun) == ["/api/v1/extract", *["/api/v1/graph-rag"] * 3, "/api/v1/verify"]
    work.released.set()
    await asyncio.gather(*waiting)
    assert sorted(work.begun) == sorted(paths)


async def test_models_that_judge_elsewhere_judge_several_claims() -> None:
    work = Work()
    asked = RequestTurns(work, TurnLimits(claims=4))
    waiting = [work.asked(asked, "/api/v1/verify") for _ in range(9)]
    await settled()
    assert len(work.begun) == 4
    work.released.set()
    await asyncio.gather(*waiting)


async def test_whoever_hangs_up_while_waiting_is_never_worked_for() -> None:
    """Nothing of its body is read by the app, and the turn goes to the next one."""
    work = Work()
    asked = RequestTime(RequestTurns(work), seconds=60)
    first = work.asked(asked, "/api/v1/extract", _staying())
    await settled()
    hung_up = asyncio.Event()
    gone = [work.asked(asked, "/api/v1/extract", _staying(hung_up)) for _ in range(45)]
    last = work.asked(asked, "/api/v1/extract", _staying())
    await settled()
    hung_up.set()
    await asyncio.gather(*gone)
    assert len(work.begun) == 1
    work.released.set()
    await asyncio.gather(first, last)
    assert len(work.begun) == 2


def _staying(hung_up: asyncio.Event | None = None) -> Receive:
    """What comes from a client that has sent its whole body, and stays until it hangs up."""
    messages = [{"type": "http.request", "body": b"{}", "more_body": False}]

    async def received() -> Message:
        if messages:
            return messages.pop()
        await (hung_up or asyncio.Event()).wait()
        return {"type": "http.disconnect"}

    return received
