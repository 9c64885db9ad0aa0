"""The service of a folder for the length of one command, on a socket that only this user can open."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx2
import uvicorn

from provgraph.assembly import assemble
from provgraph.errors import Unavailable
from provgraph.settings import Settings

START_TIMEOUT_S: Final = 30.0


@contextmanager
def private_service(settings: Settings, data: Path) -> Iterator[httpx2.HTTPTransport]:
    """A transport to it. Raises `Unavailable` when the folder cannot be opened or the service does not start."""
    app = assemble(settings, data, lasting=False).app()
    with tempfile.TemporaryDirectory(prefix="provgraph-") as folder:
        socket = str(Path(folder) / "socket")
        server = uvicorn.Server(
            uvicorn.Config(app, uds=socket, log_level="critical", lifespan="on", ws="none")
        )
        thread = threading.Thread(target=server.run, name="provgraph-service", daemon=True)
        thread.start()
        try:
            _await_start(server, thread)
            yield httpx2.HTTPTransport(uds=socket, verify=False)
        finally:
            server.should_exit = True
            thread.join()


def _await_start(server: uvicorn.Server, thread: threading.Thread) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while not server.started:
        if not thread.is_alive() or time.monotonic() > deadline:
            raise Unavailable(
                "The service in this process did not start. Run the command again with --verbose."
            )
        time.sleep(0.002)
