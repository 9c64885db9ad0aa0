"""No request may bring more than a limit, whether it says its length beforehand or not.

Enforced while the bytes arrive, before any route, so that no body fills the memory or the disk.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from provgraph.errors import TooLarge
from provgraph.gateway.problems import problem_response

ARCHIVE_PATH: Final = "/api/v1/archive"


@dataclass(frozen=True)
class BodyLimits:
    """Bytes of any body, and of an archive, which goes to the disk as it comes."""

    upload: int
    archive: int

    def of(self, path: str) -> tuple[int, str]:
        """The limit for requests to a path, and the setting that raises it."""
        if path == ARCHIVE_PATH:
            return self.archive, "PROVGRAPH_MAX_ARCHIVE_MB"
        return self.upload, "PROVGRAPH_MAX_UPLOAD_MB"


class BodyLimit:
    """ASGI middleware: a body beyond the limit is answered by a problem, whatever the route made of it."""

    def __init__(self, app: ASGIApp, limits: BodyLimits) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit, setting = self._limits.of(scope["path"])
        declared = Headers(scope=scope).get("content-length", "")
        taken = int(declared) if declared.isascii() and declared.isdigit() else 0
        if taken > limit:
            await _refusal(taken, limit, setting)(scope, receive, send)
            return
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > limit:
                raise TooLarge("The body is beyond the limit. Send less.")
            return message

        async def answered(message: Message) -> None:
            if taken <= limit:
                await send(message)

        await self._app(scope, counted, answered)
        if taken > limit:
            await _refusal(taken, limit, setting)(scope, receive, send)


def _refusal(size: int, limit: int, setting: str) -> ASGIApp:
    return problem_response(
        TooLarge(
            f"The request has {size / 1e6:,.1f} MB or more and the limit is {limit / 1e6:,.0f} MB. "
            f"Split the file, or raise {setting} where the service is started."
        )
    )
