"""Where the services are reached: one WebSocket for all of them, each by REST, and the few routes beside them.

The published client reads an error from a body of status 200 and shows of any other status only its number, so that
is how the services' routes tell errors.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from fastapi import APIRouter, Request, Response, WebSocket

from provgraph.errors import InvalidInput, ProvGraphError
from provgraph.gateway.document_routes import DOWNLOAD
from provgraph.gateway.trustgraph.connection import Connection, Opened
from provgraph.gateway.trustgraph.fields import Body
from provgraph.gateway.trustgraph.services import FLOW, ServiceCall, Services, told, unforeseen
from provgraph.late_routes import LateRouter
from provgraph.rdf.iris import given_iri
from provgraph.rdf.terms import NamedNode
from provgraph.wire.addresses import LOGIN, SOCKET

logger = logging.getLogger(__name__)

PROCESSORS: Final = "processor_info"


def service_router(services: Services, admits: Callable[[str], bool], opened: Opened) -> APIRouter:
    """`admits` tells whether a token opens the service; other routes are guarded by the service. `opened` gives the
    services of what a token opens at this moment."""
    router = LateRouter(tags=["trustgraph"], include_in_schema=False)

    @router.websocket(SOCKET)
    async def socket(socket: WebSocket) -> None:
        await Connection(socket, services, admits, opened).serve()

    @router.post("/api/v1/flow/{flow}/service/{service}")
    async def of_flow(flow: str, service: str, request: Request) -> Mapping[str, Any]:
        return await _answered(services, request, service, flow)

    for name in (*services.of_workspace, *services.absent):
        router.post(f"/api/v1/{name}")(_workspace_route(services, name))
    router.post("/api/v1/auth/change-password")(_workspace_route(services, "iam"))

    async def login() -> Mapping[str, Any]:
        return await _answered(services, None, "iam", "")

    for path in LOGIN:
        router.post(path)(login)
    return router


def side_router(content: Callable[[NamedNode], Awaitable[bytes]], processors: Mapping[str, str]) -> APIRouter:
    """The bytes of a document, and which parts of the service run (`processors`, with what each does)."""
    router = LateRouter(tags=["trustgraph"], include_in_schema=False)

    @router.get("/api/v1/document-stream")
    async def document(request: Request) -> Response:
        wanted = request.query_params.get("document-id", "")
        if not wanted:
            raise InvalidInput("There is no document-id. Name the document.")
        return Response(
            await content(given_iri(wanted)), media_type="application/octet-stream", headers=DOWNLOAD
        )

    @router.get("/api/metrics/query")
    async def metrics(query: str = "") -> Mapping[str, Any]:
        """As Prometheus tells an instant query, for the two metrics that say what runs."""
        known = processors if query == PROCESSORS or _is_of_flow(query) else {}
        results = [
            {"metric": {"job": "provgraph", "processor": name, "does": does}, "value": [0, "1"]}
            for name, does in known.items()
        ]
        return {"status": "success", "data": {"resultType": "vector", "result": results}}

    return router


def _is_of_flow(query: str) -> bool:
    return query.startswith("consumer_state{") and f'flow="{FLOW}"' in query


def _workspace_route(services: Services, name: str) -> Callable[[Request], Any]:
    async def of_workspace(request: Request) -> Mapping[str, Any]:
        return await _answered(services, request, name, "")

    return of_workspace


async def _answered(
    services: Services, request: Request | None, service: str, flow: str
) -> Mapping[str, Any]:
    """The answer to what the body of a request asks, or where there is none, to an empty one."""
    try:
        body = await _body(request) if request else {}
        return await services.only_reply(ServiceCall(service, flow, body))
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
