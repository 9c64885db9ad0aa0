"""A real Oxigraph server on a free port of this machine, which a test may kill and start again."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import httpx2

PROGRAM: Final = Path(sys.executable).parent / "oxigraph"
_PATIENCE_S: Final = 30


@dataclass
class OxigraphServer:
    """`oxigraph serve` over a folder."""

    folder: Path
    port: int
    options: tuple[str, ...] = ()
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def running(self) -> subprocess.Popen[bytes]:
        """The process, which has been started."""
        assert self._process is not None
        return self._process

    def start(self, wait: bool = True) -> None:
        self._process = subprocess.Popen(
            [PROGRAM, "serve", "--location", self.folder, "--bind", f"127.0.0.1:{self.port}", *self.options],
            stderr=subprocess.DEVNULL,
        )
        if wait:
            self._until_it_answers()

    def kill(self) -> None:
        """End it as a power cut does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def update(self, text: str) -> None:
        httpx2.post(f"{self.url}/update", data={"update": text}, trust_env=False).raise_for_status()

    def _until_it_answers(self) -> None:
        assert self._process is not None
        until = time.monotonic() + _PATIENCE_S
        while time.monotonic() < until and self._process.poll() is None:
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        raise AssertionError("the Oxigraph server did not start")


@contextmanager
def oxigraph_server(folder: Path, *options: str) -> Iterator[OxigraphServer]:
    """A server that has started, and is killed in the end."""
    server = OxigraphServer(folder, free_port(), options)
    server.start()
    try:
        yield server
    finally:
        server.kill()


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port
