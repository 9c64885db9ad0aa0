"""Every error under `/v1/` in the shape that OpenAI's clients know, wherever it arises."""

from __future__ import annotations

import json
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from provgraph.wire.problem import MEDIA_TYPE

PREFIX: Final = "/v1/"
_KINDS: Final = {
    401: ("authentication_error", "invalid_api_key"),
    403: ("permission_error", None),
    404: ("invalid_request_error", "not_found"),
    429: ("rate_limit_error", None),
}
_NOT_PROVIDED: Final = 501
"""Told as 400: these clients take any other for a fault that passes, and ask again."""


class OpenAIErrors:
    """ASGI middleware: a problem response to a request under `/v1/` is told as OpenAI's API tells errors."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(PREFIX):
            await self._app(scope, receive, send)
            return
        await self._app(scope, receive, _Translation(send))


class _Translation:
    """Passes on messages; a problem is held until it is whole."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None
        self._body = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            if headers.get("content-type", "").startswith(MEDIA_TYPE):
                if message["status"] == _NOT_PROVIDED:
                    message["status"] = 400
                self._start = message
                return
        if self._start is None:
            await self._send(message)
            return
        self._body += message.get("body", b"")
        if not message.get("more_body", False):
            body = _translated(self._body, self._start["status"])
            headers = MutableHeaders(scope=self._start)
            headers["content-type"], headers["content-length"] = "application/json", str(len(body))
            await self._send(self._start)
            await self._send({"type": "http.response.body", "body": body})


def _translated(problem: bytes, status: int) -> bytes:
    from provgraph.gateway.openai.replies import error_body  # slow to import: flows come with it

    kind, code = _KINDS.get(status, ("server_error" if status >= 500 else "invalid_request_error", None))
    detail = json.loads(problem).get("detail", "")
    return json.dumps(error_body(detail, kind, code)).encode()
