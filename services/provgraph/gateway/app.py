"""The app: routes of all services behind one access control, and what its process does before, beside and after."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from fastapi import FastAPI
from starlette.datastructures import MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from provgraph import __version__
from provgraph.access.principals import Principal
from provgraph.gateway.access_control import AccessControl, AccessRules, GrantedRoutes
from provgraph.gateway.body_limit import BodyLimit, BodyLimits
from provgraph.gateway.metrics import Metrics, RequestMeter
from provgraph.gateway.openai.errors import OpenAIErrors
from provgraph.gateway.problems import add_problem_responses
from provgraph.gateway.request_time import RequestTime
from provgraph.gateway.request_turns import RequestTurns, TurnLimits
from provgraph.late_routes import LateGroup, add_routes

if TYPE_CHECKING:
    from provgraph.gateway.forwarding import Forwarded


Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


_POLICY: Final = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


class FrameProtection:
    """ASGI middleware: HTML that says nothing itself of what it may load loads nothing, and nothing is shown
    inside a page of somebody else."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("X-Frame-Options", "DENY")
                if headers.get("content-type", "").startswith("text/html"):
                    headers.setdefault("Content-Security-Policy", _POLICY)
                    headers.setdefault("X-Content-Type-Options", "nosniff")
            await send(message)

        await self._app(scope, receive, protected)


@dataclass(frozen=True)
class RequestLimits:
    """Bytes of bodies, which give way while `is_answering`, `seconds` until an answer begins, and how many
    requests have their `turns` at once."""

    bodies: BodyLimits
    seconds: float
    turns: TurnLimits = TurnLimits()
    is_answering: Callable[[], bool] = lambda: False


def make_app(
    groups: Iterable[LateGroup],
    metrics: Metrics,
    access: AccessRules | Principal,
    limits: RequestLimits,
    lifespan: Lifespan | None = None,
    forwarded: Sequence[Forwarded] = (),
) -> FastAPI:
    """An app of the given groups of routes, of which some are `forwarded` to other services; all of it for whoever the
    rules let in, or the part that one principal may use.

    `lifespan` opens and closes what lies behind them.
    """
    app = FastAPI(
        title="ProvGraph",
        version=__version__,
        summary="Answers from documents, each proved down to the characters it was read from.",
        openapi_url=None,
        lifespan=lifespan,
        telemetry={"tracing": False},  # spans are our own, which know the routes that are passed on
    )
    add_routes(app, groups)
    add_problem_responses(app)
    if forwarded:
        from provgraph.gateway.forwarding import Forwarding  # what only a gateway needs

        app.add_middleware(Forwarding, forwarded=forwarded)
    app.add_middleware(BodyLimit, limits=limits.bodies, is_answering=limits.is_answering)
    if not forwarded:  # what questions are passed on to has turns of its own
        app.add_middleware(RequestTurns, limits=limits.turns)
    app.add_middleware(RequestTime, seconds=limits.seconds)
    app.add_middleware(RequestMeter, metrics=metrics)
    if isinstance(access, Principal):  # whose token was looked at before this app was chosen
        app.add_middleware(GrantedRoutes, principal=access)
        return app
    app.add_middleware(AccessControl, rules=access)
    app.add_middleware(OpenAIErrors)
    if access.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=sorted(access.origins),
            allow_methods=["*"],
            allow_headers=["*"],
            expose_headers=["*"],
        )
    app.add_middleware(FrameProtection)
    return app


_LET_WAIT_S: Final = 2.0
"""How long what is ending may wait for a server that does not answer."""


def _nobody_waits() -> None:
    """Nothing outside this process is waited for."""


@dataclass(frozen=True)
class ServiceLifespan:
    """`begin` and `end` one after another; what stands in `beside` runs until the end begins.

    `hurry` lets nobody wait any longer for what lies outside this process; called where the end takes a while.
    """

    begin: Sequence[Callable[[], Awaitable[object]]]
    beside: Sequence[Callable[[], Coroutine[Any, Any, None]]]
    end: Sequence[Callable[[], Awaitable[None]]]
    hurry: Callable[[], None] = _nobody_waits

    @asynccontextmanager
    async def lifespan(self, _: FastAPI) -> AsyncIterator[None]:
        for step in self.begin:
            await step()
        running = [asyncio.create_task(each()) for each in self.beside]
        try:
            yield
        finally:
            hurrying = asyncio.get_running_loop().call_later(_LET_WAIT_S, self.hurry)
            for each in running:
                each.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            for close in self.end:
                await close()
            hurrying.cancel()
