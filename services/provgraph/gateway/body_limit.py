"""No request may bring more than a limit, whether it says its length beforehand or not.

Enforced while the bytes arrive, before any route, so that no body fills the memory or the disk.
"""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from provgraph.errors import TooLarge
from provgraph.gateway.problems import problem_response


class BodyLimit:
    """ASGI middleware: a body beyond `limit_bytes` is answered by a problem, whatever the route made of it."""

    def __init__(self, app: ASGIApp, limit_bytes: int) -> None:
        self._app = app
        self._limit_bytes = limit_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = Headers(scope=scope).get("content-length", "")
        taken = int(declared) if declared.isascii() and declared.isdigit() else 0
        if taken > self._limit_bytes:
            await self._refuse(taken, scope, receive, send)
            return
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self._limit_bytes:
                raise TooLarge("The body is beyond the limit. Send less.")
            return message

        async def answered(message: Message) -> None:
            if taken <= self._limit_bytes:
                await send(message)

        await self._app(scope, counted, answered)
        if taken > self._limit_bytes:
            await self._refuse(taken, scope, receive, send)

    async def _refuse(self, size: int, scope: Scope, receive: Receive, send: Send) -> None:
        error = TooLarge(
            f"The request has {size / 1e6:,.1f} MB or more and the limit is {self._limit_bytes / 1e6:,.0f} MB. "
            "Split the file, or raise PROVGRAPH_MAX_UPLOAD_MB where the service is started."
        )
        await problem_response(error)(scope, receive, send)
