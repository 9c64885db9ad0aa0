"""An app for each principal that comes, over what it may see at this moment."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from starlette.types import ASGIApp, Receive, Scope, Send

from provgraph.access.principals import Principal
from provgraph.access.scope import AccessScope, Scopes
from provgraph.assembly.principal_services import PrincipalServices
from provgraph.assembly.views import OpenViews, View, ViewKey

if TYPE_CHECKING:  # an assembly makes its apps here
    from provgraph.assembly.process import Assembly

MOST_APPS: Final = 64
LINGERS_S: Final = 10.0
"""How long an app that is replaced is kept for a request that has just been given it."""


@dataclass(eq=False)
class PrincipalApp:
    """One principal's app, and how many requests it is answering."""

    principal: Principal
    scope: AccessScope
    views: Mapping[ViewKey, View]
    services: PrincipalServices
    app: ASGIApp
    requests: int = 0
    given_at: float = 0.0
    hub_is_kept: bool = False
    """Whether another app of the principal goes on with its sessions."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self.answering():
            await self.app(scope, receive, send)

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Nothing of the app is closed meanwhile."""
        self.requests += 1
        try:
            yield
        finally:
            self.requests -= 1

    def is_over(self, principal: Principal, scope: AccessScope, keys: list[ViewKey]) -> bool:
        return (self.principal, self.scope, list(self.views)) == (principal, scope, keys)

    def is_busy(self, now: float) -> bool:
        return self.requests > 0 or self.services.is_answering or now - self.given_at < LINGERS_S

    async def close(self) -> None:
        if "hub" in vars(self.services) and not self.hub_is_kept:
            await self.services.hub.close()

    def hand_on(self, to: PrincipalApp) -> None:
        """Let streams that are broken off be resumed in the app that takes the place of this one, where that shows all
        that this one shows."""
        if to.principal == self.principal and to.scope.holds(self.scope):
            to.services.hub = self.services.hub
            self.hub_is_kept = True


@dataclass
class PrincipalApps:
    """The apps of one process. One whose rights or documents have changed is replaced, and ends when it has answered
    what it was asked."""

    main: Assembly
    _open: dict[str, PrincipalApp] = field(default_factory=dict)
    _replaced: list[PrincipalApp] = field(default_factory=list)
    _opening: dict[str, asyncio.Lock] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.views = OpenViews(self.main, self.main.folder.views)
        self._scopes = Scopes(self.main.collections)

    async def of(self, principal: Principal) -> PrincipalApp:
        """The app of a principal, over what it may see now."""
        async with self._opening.setdefault(principal.name, asyncio.Lock()):
            scope = await self._scopes.of(principal)
            keys = [self.views.key(name, documents) for name, documents in sorted(scope.documents.items())]
            known = self._open.get(principal.name)
            app = known if known and known.is_over(principal, scope, keys) else None
            if app is None:
                app = await self._opened(principal, scope, keys)
                self._replace(known, app)
            self._open.pop(principal.name, None)
            self._open[principal.name] = app  # the last one used is the last one in the order
            app.given_at = time.monotonic()
            await self._end_unused()
            return app

    def _replace(self, known: PrincipalApp | None, app: PrincipalApp) -> None:
        if known and self._open.get(known.principal.name) is known:
            self._replaced.append(known)
            known.hand_on(app)

    async def forget(self) -> None:
        """Replace every app, and drop what views hold; an app that is answering keeps its own until it has answered."""
        self._replaced += self._open.values()
        self._open.clear()
        for app in self._replaced:
            app.given_at = 0.0
        await self._end_unused()
        await self.views.forget()

    async def close(self) -> None:
        for app in (*self._open.values(), *self._replaced):
            await app.close()
        await self.views.close()

    async def _opened(self, principal: Principal, scope: AccessScope, keys: list[ViewKey]) -> PrincipalApp:
        views = {key: await self.views.enter(key) for key in keys}
        services = PrincipalServices(
            self.main, principal, scope, {key[0]: view for key, view in views.items()}
        )
        return PrincipalApp(principal, scope, views, services, services.app())

    async def _end_unused(self) -> None:
        while len(self._open) > MOST_APPS:
            self._replaced.append(self._open.pop(next(iter(self._open))))
        now = time.monotonic()
        unused = [app for app in self._replaced if not app.is_busy(now)]
        self._replaced = [app for app in self._replaced if app not in unused]
        for principal_app in unused:
            await principal_app.close()
            for view in principal_app.views.values():
                await self.views.leave(view)
