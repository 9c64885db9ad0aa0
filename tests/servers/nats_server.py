"""A real NATS server with JetStream on a free port of this machine, which a test may kill and start again."""

from __future__ import annotations

import asyncio
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import nats

from servers.oxigraph_server import free_port

PROGRAM: Final = shutil.which("nats-server") or shutil.which("nats-server", path="/usr/sbin:/usr/local/bin")
_PATIENCE_S: Final = 30


@dataclass
class NatsServer:
    """`nats-server -js` over a folder."""

    folder: Path
    port: int
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    def start(self, wait: bool = True) -> None:
        assert PROGRAM is not None, "nats-server is not installed (Debian has it in a package of that name)"
        self._process = subprocess.Popen(
            [PROGRAM, "-js", "-sd", self.folder, "-a", "127.0.0.1", "-p", str(self.port)],
            stdout=subprocess.DEVNULL,
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

    def empty(self) -> None:
        """Forget every stream."""

        async def forget() -> None:
            client = await nats.connect(self.url)
            streams = client.jetstream()
            for stream in await streams.streams_info():
                await streams.delete_stream(stream.config.name or "")
            await client.close()

        asyncio.run(forget())

    def _until_it_answers(self) -> None:
        assert self._process is not None
        until = time.monotonic() + _PATIENCE_S
        while time.monotonic() < until and self._process.poll() is None:
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        raise AssertionError("the NATS server did not start")


@contextmanager
def nats_server(folder: Path) -> Iterator[NatsServer]:
    """A server that has started, and is killed in the end."""
    server = NatsServer(folder, free_port())
    server.start()
    try:
        yield server
    finally:
        server.kill()
