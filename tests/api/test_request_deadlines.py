"""Every route of the whole service, whatever it does: its work ends in time, and with the client that asked."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import Message, Receive, Scope, Send

from api.running import assembled
from provgraph.gateway.request_time import only_asks
from provgraph.gateway.request_turns import AT_ONCE
from provgraph.late_routes import LateGroup, LateRoute

ANSWERS_WITHIN_S: Final = 0.3
_PARAMETER: Final = re.compile(r"\{[^}]*\}")


class Endless:
    """Takes the place of what a route does: it reads its body and never ends by itself."""

    def __init__(self) -> None:
        self.begun, self.let_end, self.outcome = asyncio.Event(), asyncio.Event(), ""

    async def __call__(self, _: Scope, receive: Receive, __: Send) -> None:
        self.begun.set()
        try:
            while (await receive()).get("more_body"):
                pass
            await self.let_end.wait()
            self.outcome = "finished"
        except asyncio.CancelledError:
            self.outcome = "cancelled"
            raise


class Client:
    """Sends an empty body, and leaves when it is told to."""

    def __init__(self) -> None:
        self.leaves, self.statuses = asyncio.Event(), list[int]()
        self._has_sent = False

    async def receive(self) -> Message:
        if not self._has_sent:
            self._has_sent = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.leaves.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.statuses.append(message["status"])


def all_routes(found: Sequence[BaseRoute]) -> Iterator[tuple[BaseRoute, str, str]]:
    """Each route with its methods and its path, without WebSockets, whose sessions have deadlines of their own."""
    for route in found:
        if isinstance(route, LateGroup):
            yield from all_routes(route.routes)
        elif not isinstance(route, WebSocketRoute):
            made = route.made if isinstance(route, LateRoute) else route
            assert isinstance(made, Route | APIRoute)
            for method in sorted(made.methods or ()):
                yield route, method, _PARAMETER.sub("1", made.path)


def requests_of(data: Path, seconds: float) -> tuple[FastAPI, list[tuple[BaseRoute, str, str]]]:
    app = assembled(data, request_timeout_s=seconds).app()
    first: dict[tuple[str, str], BaseRoute] = {}
    for route, method, path in all_routes(app.router.routes):
        first.setdefault((method, path), route)
    return app, [(route, *asked) for asked, route in first.items()]


def scope(app: FastAPI, method: str, path: str) -> dict[str, Any]:
    return {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "scheme": "http",
        "http_version": "1.1",
        "query_string": b"",
        "headers": [(b"host", b"localhost"), (b"content-length", b"0")],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "app": app,
    }


@pytest.mark.parametrize("path", ["/mcp", "/v1/responses", "/api/v1/tokens", "/sparql", "/health"])
def test_these_are_among_all_routes(tmp_path: Path, path: str) -> None:
    _, routes = requests_of(tmp_path / "data", 1)
    assert path in {each for _, _, each in routes}


@pytest.mark.slow
async def test_each_route_answers_after_its_deadline(tmp_path: Path) -> None:
    app, routes = requests_of(tmp_path / "data", ANSWERS_WITHIN_S)

    async def late(route: BaseRoute, method: str, path: str) -> None:
        endless, client = Endless(), Client()
        vars(route)["handle"] = endless
        await app(scope(app, method, path), client.receive, client.send)
        assert endless.begun.is_set(), (method, path)
        assert client.statuses == [504], (method, path)
        assert endless.outcome == ("cancelled" if only_asks(method, path) else ""), (method, path)
        endless.let_end.set()

    methods = {method for _, method, _ in routes}
    by_method = [[each for each in routes if each[1] == method] for method in methods]
    for together in (
        same[start : start + AT_ONCE] for same in by_method for start in range(0, len(same), AT_ONCE)
    ):
        await asyncio.wait_for(asyncio.gather(*(late(*each) for each in together)), 10)


async def test_each_route_that_only_asks_ends_with_its_client(tmp_path: Path) -> None:
    app, routes = requests_of(tmp_path / "data", 60)
    for route, method, path in routes:
        endless, client = Endless(), Client()
        vars(route)["handle"] = endless
        request = asyncio.create_task(app(scope(app, method, path), client.receive, client.send))
        await asyncio.wait_for(endless.begun.wait(), 10)
        client.leaves.set()
        if not only_asks(method, path):
            await asyncio.sleep(0)
            endless.let_end.set()
        await asyncio.wait_for(request, 10)
        assert endless.outcome == ("cancelled" if only_asks(method, path) else "finished"), (method, path)
