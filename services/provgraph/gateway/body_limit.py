"""No request may bring more than a limit, whether it says its length beforehand or not.

Enforced while the bytes arrive, before any route, so that no body fills the memory or the disk.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from provgraph.errors import ProvGraphError, TooLarge, Unavailable
from provgraph.gateway.problems import problem_response

ARCHIVE_PATH: Final = "/api/v1/archive"
MOST_BRACKETS: Final = 500_000
MOST_COMMAS: Final = 4_000_000
"""What is parsed in a tenth of a second, and stands in 100 MB of prose."""

UNPACED: Final = 64_000
"""Bytes of a body that come at once. Of what is larger, pieces are taken one after another, whoever sends them: else
each step of a question would wait for a piece of every body that is under way."""

REST_S: Final = 0.005
"""Between two such pieces while questions are being answered: some 12 MB a second are left for all large bodies."""


@dataclass(frozen=True)
class BodyLimits:
    """Bytes of any body, and of an archive, which goes to the disk as it comes."""

    upload: int
    archive: int

    @property
    def in_flight(self) -> int:
        """Of all bodies together: two of the largest, or 64 MB."""
        return max(2 * self.upload, 64_000_000)

    def of(self, path: str) -> tuple[int, str]:
        """The limit for requests to a path, and the setting that raises it."""
        if path == ARCHIVE_PATH:
            return self.archive, "PROVGRAPH_MAX_ARCHIVE_MB"
        return self.upload, "PROVGRAPH_MAX_UPLOAD_MB"


def require_little_structure(text: str | bytes) -> None:
    """Raises `TooLarge` for JSON of more objects, lists and commas than are parsed in a moment."""
    content = text.encode(errors="surrogatepass") if isinstance(text, str) else text
    brackets = content.count(b"{") + content.count(b"[")
    if brackets > MOST_BRACKETS or content.count(b",") > MOST_COMMAS:
        raise too_structured()


def too_structured() -> TooLarge:
    return TooLarge(
        f"The JSON has more than {MOST_BRACKETS:,} objects and lists or {MOST_COMMAS:,} commas. "
        "Send less at once, or a document as a file (multipart/form-data)."
    )


@dataclass
class _Body:
    """What has come of one body, and whether it was refused."""

    limit: int
    setting: str
    is_json: bool
    taken: int = 0
    brackets: int = 0
    commas: int = 0
    refused: ProvGraphError | None = None

    def take(self, piece: bytes) -> None:
        """Raises `TooLarge` beyond a limit. Brackets and commas within texts are counted too: texts have few."""
        self.taken += len(piece)
        if self.is_json:
            self.brackets += piece.count(b"{") + piece.count(b"[")
            self.commas += piece.count(b",")
        if self.taken > self.limit:
            self.refused = too_long(self.taken, self.limit, self.setting)
        elif self.brackets > MOST_BRACKETS or self.commas > MOST_COMMAS:
            self.refused = too_structured()
        if self.refused:
            raise self.refused


class BodyLimit:
    """ASGI middleware: a body beyond a limit is answered by a problem, whatever the route made of it.

    Bodies that are in memory together may have no more than `limits.in_flight` bytes; who comes with more is told to
    come again. Of large bodies one piece is taken in each turn of the event loop, and fewer while `is_answering`.
    """

    def __init__(
        self, app: ASGIApp, limits: BodyLimits, is_answering: Callable[[], bool] = lambda: False
    ) -> None:
        self._app = app
        self._limits = limits
        self._is_answering = is_answering
        self._in_flight = 0
        self._pace = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit, setting = self._limits.of(scope["path"])
        headers = Headers(scope=scope)
        declared = headers.get("content-length", "")
        size = int(declared) if declared.isascii() and declared.isdigit() else 0
        if size > limit:
            await problem_response(too_long(size, limit, setting))(scope, receive, send)
            return
        body = _Body(limit, setting, "json" in headers.get("content-type", "json"))
        to_disk = scope["path"] == ARCHIVE_PATH

        async def counted() -> Message:
            message = await receive()
            piece = message.get("body", b"")
            body.take(piece)
            if not to_disk:
                self._in_flight += len(piece)
                if self._in_flight > self._limits.in_flight:
                    body.refused = Unavailable(
                        "The service takes in as much as it can hold at once. Send the request again in a moment."
                    )
                    raise body.refused
            if body.taken > UNPACED:
                async with self._pace:
                    await asyncio.sleep(REST_S if self._is_answering() else 0)
            return message

        async def answered(message: Message) -> None:
            if body.refused is None:
                await send(message)

        try:
            await self._app(scope, counted, answered)
        finally:
            self._in_flight -= 0 if to_disk else body.taken
        if body.refused:
            await problem_response(body.refused)(scope, receive, send)


def too_long(size: int, limit: int, setting: str) -> TooLarge:
    return TooLarge(
        f"The request has {size / 1e6:,.1f} MB or more and the limit is {limit / 1e6:,.0f} MB. "
        f"Split the file, or raise {setting} where the service is started."
    )
