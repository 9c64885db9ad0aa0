"""A proxy before an S3 server: a bucket that takes no more, on demand, and says so as one or another server does."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import httpx2

from servers.direct import DIRECT

_OF_THE_CONNECTION: Final = {"connection", "content-length", "transfer-encoding", "host", "content-encoding"}


@dataclass(frozen=True)
class Refusal:
    """The answer to a write: a status, and the code and the sentence of the error's XML, or no body without a code."""

    status: int
    code: str = ""
    sentence: str = ""

    def body(self) -> bytes:
        if not self.code:
            return b""
        said = f"<Error><Code>{self.code}</Code><Message>{self.sentence}</Message><RequestId>1</RequestId></Error>"
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{said}'.encode()


@dataclass
class BoundedBucket:
    """While `refusal` is there no object is put, but for those below a prefix with `/but_for/` in its key."""

    target: str
    url: str = ""
    refusal: Refusal | None = None
    but_for: str = ""

    def refuses(self, path: str) -> Refusal | None:
        return None if self.but_for and f"/{self.but_for}/" in path else self.refusal


class _Passing(BaseHTTPRequestHandler):
    bucket: BoundedBucket
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self._pass()

    def do_GET(self) -> None:
        self._pass()

    def do_PUT(self) -> None:
        self._pass()

    def do_POST(self) -> None:
        self._pass()

    def do_DELETE(self) -> None:
        self._pass()

    def _pass(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.command == "PUT" and (refusal := self.bucket.refuses(self.path)):
            self._answer(refusal.status, {"Content-Type": "application/xml"}, refusal.body())
            return
        done = httpx2.request(
            self.command,
            self.bucket.target + self.path,
            content=body,
            headers=_passed(self.headers),
            **DIRECT,
        )
        self._answer(
            done.status_code, _passed(done.headers), done.content, done.headers.get("Content-Length", "")
        )

    def _answer(self, status: int, headers: dict[str, str], body: bytes, length: str = "") -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", length or str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def bounded_bucket(target: str) -> Iterator[BoundedBucket]:
    """It has room."""
    bucket = BoundedBucket(target)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Passing", (_Passing,), {"bucket": bucket}))
    server.daemon_threads = True
    bucket.url = f"http://127.0.0.1:{server.server_address[1]}"
    serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    serving.start()
    try:
        yield bucket
    finally:
        server.shutdown()
        server.server_close()
        serving.join()


def _passed(headers: Any) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name.lower() not in _OF_THE_CONNECTION}
