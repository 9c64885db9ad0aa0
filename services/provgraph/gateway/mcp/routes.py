"""`/mcp`: the Model Context Protocol over streamable HTTP. Each request stands by itself."""

from __future__ import annotations

from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from anyio import to_thread
from fastapi import APIRouter
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from provgraph.errors import NotProvided
from provgraph.gateway.mcp.api import OwnRoutes
from provgraph.gateway.problems import problem_response

if TYPE_CHECKING:  # slow to import, and not installed everywhere
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
    router.routes.append(
        Route(PATH, McpEndpoint(), methods=["GET", "POST", "DELETE"], include_in_schema=False)
    )
    return router
