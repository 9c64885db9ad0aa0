"""Where the services are reached: one WebSocket for all of them, and each by REST.

The published client reads an error from a body of status 200 and shows of any other status only its number, so that
is how these routes tell errors.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, Final

from fastapi import APIRouter, Request, WebSocket

from provgraph.errors import InvalidInput, ProvGraphError
from provgraph.gateway.trustgraph.connection import Connection
from provgraph.gateway.trustgraph.fields import Body
from provgraph.gateway.trustgraph.services import Call, Services, told, unforeseen

logger = logging.getLogger(__name__)

SOCKET: Final = "/api/v1/socket"


def service_router(services: Services, admits: Callable[[str], bool]) -> APIRouter:
    """`admits` tells whether a token opens the service; other routes have a keeper at their door."""
    router = APIRouter(tags=["trustgraph"], include_in_schema=False)

    @router.websocket(SOCKET)
    async def socket(socket: WebSocket) -> None:
        await Connection(socket, services, admits).serve()

    @router.post("/api/v1/flow/{flow}/service/{service}")
    async def of_flow(flow: str, service: str, request: Request) -> Mapping[str, Any]:
        return await _answered(services, request, service, flow)

    for name in (*services.of_workspace, *services.absent):
        router.post(f"/api/v1/{name}")(_workspace_route(services, name))

    @router.post("/api/v1/auth/{operation}")
    async def auth(operation: str, request: Request) -> Mapping[str, Any]:
        return await _answered(services, request, "iam", "")

    return router


def _workspace_route(services: Services, name: str) -> Callable[[Request], Any]:
    async def of_workspace(request: Request) -> Mapping[str, Any]:
        return await _answered(services, request, name, "")

    return of_workspace


async def _answered(services: Services, request: Request, service: str, flow: str) -> Mapping[str, Any]:
    try:
        return await services.only_reply(Call(service, flow, await _body(request)))
    except ProvGraphError as error:
        return {"error": told(error)}
    except Exception as error:
        logger.exception("a request failed in a way that nobody foresaw")
        return {"error": told(unforeseen(error))}


async def _body(request: Request) -> Body:
    """The request without `streaming`, which REST does not do."""
    try:
        body = await request.json()
    except (ValueError, RecursionError) as error:
        raise InvalidInput("The body is not JSON. Send one JSON object.") from error
    if not isinstance(body, dict):
        raise InvalidInput("The body is not a JSON object. Send one.")
    return {**body, "streaming": False}
