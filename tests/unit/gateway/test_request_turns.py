"""Questions take turns: some at once, address by address, and not too many of them wait."""

from __future__ import annotations

import asyncio

import pytest
from starlette.types import Message, Receive, Scope, Send

from provgraph.gateway.request_time import MOST_WAITING, FairTurns, RequestTurns

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


async def test_only_so_many_wait() -> None:
    done, heard = asyncio.Event(), list[Message]()

    async def app(_scope: Scope, _receive: Receive, _send: Send) -> None:
        await done.wait()

    async def send(message: Message) -> None:
        heard.append(message)

    asked = RequestTurns(app, at_once=1)
    waiting = [asyncio.create_task(asked(GET, nothing, send)) for _ in range(1 + MOST_WAITING)]
    await asyncio.sleep(0)
    await asked(GET, nothing, send)
    assert heard[0]["status"] == 503
    done.set()
    await asyncio.gather(*waiting)


async def test_questions_beyond_the_limit_wait_and_all_are_answered() -> None:
    at_work = most = 0

    async def app(_scope: Scope, receive: Receive, _send: Send) -> None:
        nonlocal at_work, most
        await receive()
        at_work += 1
        most = max(most, at_work)
        await asyncio.sleep(0.01)
        at_work -= 1

    async def send(_: Message) -> None: ...

    asked = RequestTurns(app, at_once=3)
    await asyncio.gather(*(asked({**GET, "method": "POST"}, nothing, send) for _ in range(20)))
    assert most == 3
