"""`/mcp`: the Model Context Protocol over streamable HTTP, and how its tools reach the service's own routes.

Each request stands by itself, and calls with the rights of its client. So a GET or DELETE is answered by 405, as the
specification has it of a server that offers no stream of its own messages (Streamable HTTP, "Listening for Messages
from the Server"): there would be none to send, and each stream would keep a connection as long as its client likes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, Protocol

import httpx2
from anyio import CancelScope, to_thread
from fastapi import APIRouter
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from provgraph.errors import NotProvided, ProvGraphError
from provgraph.gateway.problems import problem_response
from provgraph.gateway.request_time import only_asks

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer


PATH: Final = "/mcp"
MISSING: Final = "The Model Context Protocol needs another package: pip install 'provgraph[mcp]'."


class McpEndpoint:
    """ASGI app over the routes of the app that has it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if find_spec("mcp") is None:
            await problem_response(NotProvided(MISSING))(scope, receive, send)
            return
        from mcp.server.transport_security import TransportSecuritySettings

        if "server" not in vars(self):
            self._app = scope["app"]
        server = await to_thread.run_sync(lambda: self.server)  # its schemas take a moment
        served = server.streamable_http_app(
            streamable_http_path=PATH,
            stateless_http=True,
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )  # hosts and origins are checked before it is reached
        async with served.router.lifespan_context(served):
            await served(scope, receive, send)

    @cached_property
    def server(self) -> MCPServer:
        from provgraph.gateway.mcp.server import mcp_server

        return mcp_server(OwnRoutes(self._app), files=False)


def mcp_router() -> APIRouter:
    router = APIRouter()
    router.routes.append(Route(PATH, McpEndpoint(), methods=["POST"], include_in_schema=False))
    return router


_PASSED_ON: Final = ("authorization", "host")


class ServiceApi(Protocol):
    """Routes of the service by method and path."""

    async def json(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """The reply to one request; `headers` are those of the client. Raises `ProvGraphError` with the detail of a
        problem."""

    async def text(self, path: str, query: Mapping[str, str], headers: Mapping[str, str] | None) -> str:
        """The plain text that a route replies with. Raises as `json` does."""


class OwnRoutes:
    """The routes of the app that the tools are served from. What changes something goes on to its end, though the
    client of the tool is gone."""

    def __init__(self, app: ASGIApp) -> None:
        self._transport = httpx2.ASGITransport(app, raise_app_exceptions=False)

    async def json(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        reply = await self._reply(method, path, body, query, headers)
        return reply.json() if reply.content else None

    async def text(self, path: str, query: Mapping[str, str], headers: Mapping[str, str] | None) -> str:
        return (await self._reply("GET", path, None, query, headers)).text

    async def _reply(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None,
        query: Mapping[str, str] | None,
        headers: Mapping[str, str] | None,
    ) -> httpx2.Response:
        own = {name: value for name, value in (headers or {}).items() if name.lower() in _PASSED_ON}
        async with httpx2.AsyncClient(
            transport=self._transport, base_url="http://localhost", timeout=None
        ) as client:
            with CancelScope(shield=not only_asks(method, path)):
                reply = await client.request(method, path, json=body, params=query, headers=own)
        if reply.is_error:
            raise ProvGraphError(_detail(reply))
        return reply


def _detail(reply: httpx2.Response) -> str:
    """What a problem says."""
    try:
        return str(reply.json()["detail"])
    except (ValueError, KeyError, TypeError):
        return f"The service answered with the status {reply.status_code}."
