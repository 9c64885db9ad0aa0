"""A proxy before a real server that loses, delays and cuts off on demand, as networks and servers do."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx2

from servers.direct import DIRECT


class Fault(Enum):
    NONE = "none"
    REQUEST_LOST = "the connection breaks before the server has the request"
    REPLY_LOST = "the server does it, and the connection breaks before its reply"
    CUT_OFF = "the reply is whole for HTTP and ends in the middle, as one that a time limit cut"
    BUSY = "503"


@dataclass
class FaultyProxy:
    """Faults come in the order in which they are given, one a request, and none after them."""

    target: str
    url: str = ""
    _faults: list[Fault] = field(default_factory=list)
    _only: str = ""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def fail(self, faults: Iterable[Fault], only: str = "") -> None:
        """The next requests, or those to the path `only`, fail so."""
        with self._lock:
            self._faults, self._only = list(faults), only

    def next_fault(self, path: str) -> Fault:
        with self._lock:
            if not self._faults or (self._only and not path.startswith(self._only)):
                return Fault.NONE
            return self._faults.pop(0)


@contextmanager
def faulty_proxy(target: str) -> Iterator[FaultyProxy]:
    proxy = FaultyProxy(target)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            fault = proxy.next_fault(self.path)
            if fault is Fault.REQUEST_LOST:
                self._break()
                return
            if fault is Fault.BUSY:
                self._answer(503, b"busy", "text/plain")
                return
            headers = {
                name: self.headers[name] for name in ("Content-Type", "Accept") if name in self.headers
            }
            done = httpx2.post(
                target + self.path,
                content=body,
                headers=headers,
                timeout=60,
                **DIRECT,
            )
            if fault is Fault.REPLY_LOST:
                self._break()
                return
            content = done.content[: len(done.content) // 2] if fault is Fault.CUT_OFF else done.content
            self._answer(done.status_code, content, done.headers.get("Content-Type", ""))

        def _answer(self, status: int, content: bytes, media_type: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def _break(self) -> None:
            self.close_connection = True
            with suppress(OSError):
                self.connection.shutdown(2)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    proxy.url = f"http://127.0.0.1:{server.server_address[1]}"
    serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    serving.start()
    try:
        yield proxy
    finally:
        server.shutdown()
        server.server_close()
        serving.join()
