"""How tools reach the service: its own routes, called with the rights of the client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol

import httpx2
from starlette.types import ASGIApp

from provgraph.errors import ProvGraphError

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


class OwnRoutes:
    """The routes of the app that the tools are served from."""

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
        own = {name: value for name, value in (headers or {}).items() if name.lower() in _PASSED_ON}
        async with httpx2.AsyncClient(
            transport=self._transport, base_url="http://localhost", timeout=None
        ) as client:
            reply = await client.request(method, path, json=body, params=query, headers=own)
        if reply.is_error:
            raise ProvGraphError(_detail(reply))
        return reply.json() if reply.content else None


def _detail(reply: httpx2.Response) -> str:
    """What a problem says."""
    try:
        return str(reply.json()["detail"])
    except (ValueError, KeyError, TypeError):
        return f"The service answered with the status {reply.status_code}."
