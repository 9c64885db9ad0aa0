"""Routes that FastAPI analyses when they are first used.

A service has a hundred routes, and whatever runs it, as each command on a folder does, asks a few of them. To analyse a
route takes a millisecond or more (its parameters, its models); to know whether a request is for it takes only its path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property, partial
from threading import Lock
from typing import Any, Final

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, FastAPI
from starlette.datastructures import URLPath
from starlette.routing import BaseRoute, Match, NoMatchFound, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from provgraph.errors import ProvGraphError

_TAKEN: Final = "provgraph.taken"
"""In the scope of a request: the route of a group that takes it."""


class LateRouter(APIRouter):
    """`APIRouter` whose routes are late; WebSockets are as ever."""

    def __init__(self, **choices: Any) -> None:
        super().__init__(**choices)
        self.again: Callable[[], APIRouter] = partial(APIRouter, **choices)
        """Another router of the same prefix, tags and so on."""

    def add_api_route(self, path: str, endpoint: Callable[..., Any], **choices: Any) -> None:
        self.routes.append(LateRoute(self, path, endpoint, choices))


class LateRoute(BaseRoute):
    """Matches by path and method; FastAPI's route is made when a request is for it, and shows then what is wrong."""

    def __init__(
        self, router: LateRouter, path: str, endpoint: Callable[..., Any], choices: dict[str, Any]
    ) -> None:
        self._router, self._path, self._endpoint, self._choices = router, path, endpoint, choices
        methods, name = choices.get("methods"), choices.get("name")
        self._outline = Route(router.prefix + path, endpoint, methods=methods, name=name)

    @property
    def path(self) -> str:
        """The path with its parameters, by which metrics and spans name a request, also one that is passed on."""
        return self._outline.path

    @property
    def is_made(self) -> bool:
        return "made" in vars(self)

    @cached_property
    def made(self) -> BaseRoute:
        """The route as FastAPI makes it."""
        router = self._router.again()
        router.add_api_route(self._path, self._endpoint, **self._choices)
        return router.routes[-1]

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        match, _ = self._outline.matches(scope)
        return (match, {}) if match is Match.NONE else self.made.matches(scope)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.made.handle(scope, receive, send)

    def url_path_for(self, name: str, /, **path_params: Any) -> URLPath:
        return self._outline.url_path_for(name, **path_params)


class LateGroup(BaseRoute):
    """Routes that are made together, with all that is behind them, when a request comes that none before them takes."""

    def __init__(
        self, routers: Callable[[], Iterable[APIRouter]], place: int = 0, beginnings: tuple[str, ...] = ("/",)
    ) -> None:
        """`place` is its place among groups where the API is described; each of its paths has one of the
        `beginnings`, so that a request for another path does not make it."""
        self._routers, self.place, self.beginnings = routers, place, beginnings

    @property
    def is_made(self) -> bool:
        return "routes" in vars(self)

    @cached_property
    def routes(self) -> list[BaseRoute]:
        """Made when they are first asked for. Raises what `routers` does."""
        return [route for router in self._routers() for route in router.routes]

    def may_take(self, scope: Scope) -> bool:
        """Whether the path of a request begins as one of the group's does."""
        path: str = scope["path"]
        return path.removeprefix(scope.get("root_path", "")).startswith(self.beginnings)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        best: tuple[Match, Scope] = Match.NONE, {}
        for route in self.routes if self.may_take(scope) else ():
            match, child_scope = route.matches(scope)
            if match.value > best[0].value:
                best = match, {**child_scope, _TAKEN: route}
            if match is Match.FULL:
                break
        return best

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        await scope[_TAKEN].handle(scope, receive, send)

    def url_path_for(self, name: str, /, **path_params: Any) -> URLPath:
        raise NoMatchFound(name, path_params)


class GroupsMadeAside:
    """ASGI middleware: the group that takes a request is made in a thread, one at a time, and holds nobody else up."""

    def __init__(self, app: ASGIApp, groups: Sequence[LateGroup]) -> None:
        self._app, self._groups = app, groups
        self._making = CapacityLimiter(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket") and not self._is_ready(scope):
            with suppress(ProvGraphError):  # which is raised again where it is answered
                await to_thread.run_sync(self._make, scope, limiter=self._making)
        await self._app(scope, receive, send)

    def _is_ready(self, scope: Scope) -> bool:
        """Whether all groups are made that a request comes to before it is answered."""
        for group in self._groups:
            if not group.may_take(scope):
                continue
            if not group.is_made:
                return False
            if group.matches(scope)[0] is Match.FULL:
                return True
        return True

    def _make(self, scope: Scope) -> None:
        next((group for group in self._groups if group.matches(scope)[0] is Match.FULL), None)


def add_routers(app: FastAPI, routers: Iterable[APIRouter]) -> None:
    """Add all routes of the routers: `FastAPI.include_router` knows no routes but its own, and drops others."""
    add_routes(app, (route for router in routers for route in router.routes))


def add_routes(app: FastAPI, routes: Iterable[BaseRoute]) -> None:
    """Add routes, late ones as they are.

    The OpenAPI description of the app makes them first; it takes a third of a second, and may be asked for in a thread.
    """
    app.router.routes.extend(routes)
    describe, one_at_a_time = app.openapi, Lock()

    def openapi() -> dict[str, Any]:
        with one_at_a_time:
            app.router.routes[:] = list(_made(app.router.routes))
            return describe()

    app.openapi = openapi  # type: ignore[method-assign]  # as FastAPI's documentation extends it


def _made(routes: Iterable[BaseRoute]) -> Iterator[BaseRoute]:
    for route in sorted(
        routes, key=lambda late_group: late_group.place if isinstance(late_group, LateGroup) else -1
    ):
        if isinstance(route, LateGroup):
            yield from _made(route.routes)
        else:
            yield route.made if isinstance(route, LateRoute) else route
