"""Requests that only ask end with their client, and in time; what changes something goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from starlette.types import Message, Receive, Scope, Send

from provgraph.gateway.request_time import MOST_CHANGES, RequestTime, only_asks

BODY: Message = {"type": "http.request", "body": b"{}", "more_body": False}
GONE: Message = {"type": "http.disconnect"}


class Client:
    """Sends these messages, the last when `leaves` is set; keeps what it hears."""

    def __init__(self, *messages: Message) -> None:
        self._messages = list(messages)
        self.leaves = asyncio.Event()
        self.heard: list[Message] = []

    async def receive(self) -> Message:
        if len(self._messages) == 1:
            await self.leaves.wait()
        return self._messages.pop(0)

    async def send(self, message: Message) -> None:
        self.heard.append(message)


class Work:
    """An app that reads its body and works until `done`."""

    def __init__(self) -> None:
        self.begun, self.done, self.ended = asyncio.Event(), asyncio.Event(), ""

    async def __call__(self, _: Scope, receive: Receive, send: Send) -> None:
        assert (await receive())["type"] == "http.request"
        self.begun.set()
        try:
            await self.done.wait()
            self.ended = "done"
        except asyncio.CancelledError:
            self.ended = "cancelled"
            raise
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def scope(method: str, path: str) -> Scope:
    return {"type": "http", "method": method, "path": path, "headers": [], "query_string": b""}


async def left(method: str, path: str) -> Work:
    """Work whose client leaves in its midst."""
    work, client = Work(), Client(BODY, GONE)
    asked = asyncio.create_task(RequestTime(work, 60)(scope(method, path), client.receive, client.send))
    await work.begun.wait()
    client.leaves.set()
    await asyncio.sleep(0.05)
    work.done.set()
    await asyncio.wait_for(asked, 5)
    return work


@pytest.mark.parametrize(("method", "path"), [("GET", "/api/v1/export"), ("POST", "/api/v1/graph-rag")])
async def test_who_asks_and_hangs_up_is_worked_for_no_longer(method: str, path: str) -> None:
    assert (await left(method, path)).ended == "cancelled"


@pytest.mark.parametrize(("method", "path"), [("DELETE", "/api/v1/documents"), ("POST", "/api/v1/import")])
async def test_a_change_goes_on_to_its_end(method: str, path: str) -> None:
    assert (await left(method, path)).ended == "done"


async def test_who_waits_for_a_change_too_long_is_told_so_and_it_goes_on() -> None:
    work, client = Work(), Client(BODY, GONE)
    app = RequestTime(work, 0.1)
    await asyncio.wait_for(app(scope("POST", "/api/v1/import"), client.receive, client.send), 5)
    assert client.heard[0]["status"] == 504
    assert b"goes on to its end" in client.heard[1]["body"]
    assert work.ended == ""
    work.done.set()
    await asyncio.sleep(0.05)
    assert work.ended == "done"
    assert len(client.heard) == 2


async def test_only_so_many_changes_are_under_way() -> None:
    work = Work()
    app = RequestTime(work, 60)
    waiting = [Client(BODY, GONE) for _ in range(MOST_CHANGES)]
    under_way = [
        asyncio.create_task(app(scope("POST", "/api/v1/import"), each.receive, each.send)) for each in waiting
    ]
    await asyncio.sleep(0.05)
    another = Client(BODY, GONE)
    await app(scope("POST", "/api/v1/import"), another.receive, another.send)
    assert another.heard[0]["status"] == 503
    work.done.set()
    await asyncio.gather(*under_way)
    assert {each.heard[0]["status"] for each in waiting} == {200}


async def test_an_answer_that_does_not_begin_in_time_is_given_up() -> None:
    work, client = Work(), Client(BODY, GONE)
    await RequestTime(work, 0.05)(scope("GET", "/api/v1/entities"), client.receive, client.send)
    assert work.ended == "cancelled"
    assert client.heard[0]["status"] == 504
    assert b"PROVGRAPH_REQUEST_TIMEOUT_S" in client.heard[1]["body"]


async def test_what_has_begun_may_take_as_long_as_its_client_takes_it() -> None:
    async def slow(_: Scope, __: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.sleep(0.1)
        await send({"type": "http.response.body", "body": b"all", "more_body": False})

    client = Client(BODY, GONE)
    await RequestTime(slow, 0.05)(scope("GET", "/api/v1/archive"), client.receive, client.send)
    assert client.heard[-1]["body"] == b"all"


async def test_the_client_that_goes_with_the_last_byte_cuts_nothing_off() -> None:
    ended: list[Callable[[], bool]] = []

    async def tidy(_: Scope, __: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"", "more_body": False})
        client.leaves.set()
        await asyncio.sleep(0.05)
        ended.append(lambda: True)

    client = Client(BODY, GONE)
    await RequestTime(tidy, 60)(scope("GET", "/health"), client.receive, client.send)
    assert ended


def test_a_post_that_asks_is_known() -> None:
    assert only_asks("POST", "/api/v1/verify")
    assert not only_asks("POST", "/api/v1/verify/other")
