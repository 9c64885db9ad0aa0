"""The service of a folder that nobody serves, in this process, on a socket that only this user can open.

In one process a folder has one such service, which all its clients share: a notebook's cell may be run again.
"""

from __future__ import annotations

import atexit
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
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
    with private_socket(settings, data) as socket:
        yield httpx2.HTTPTransport(uds=socket, verify=False)


@contextmanager
def private_socket(settings: Settings, data: Path) -> Iterator[str]:
    """The path of its socket. Raises as `private_service` does."""
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
            yield socket
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


@dataclass
class _Shared:
    socket: str
    ending: ExitStack
    users: int = 0


class SharedServices:
    """The services of this process's clients, by folder; one ends when its last client leaves it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[Path, _Shared] = {}

    def enter(self, settings: Settings, data: Path) -> str:
        """The socket of the folder's service, for one more client. Raises `Unavailable`."""
        folder = data.resolve()
        with self._lock:
            if folder not in self._open:
                with ExitStack() as opening:
                    socket = opening.enter_context(private_socket(settings, data))
                    self._open[folder] = _Shared(socket, opening.pop_all())
            self._open[folder].users += 1
            return self._open[folder].socket

    def leave(self, data: Path) -> None:
        folder = data.resolve()
        with self._lock:
            if shared := self._open.get(folder):
                shared.users -= 1
                if not shared.users:
                    del self._open[folder]
                    shared.ending.close()

    def end(self) -> None:
        """Close what clients left open when the program ends."""
        with self._lock:
            while self._open:
                self._open.popitem()[1].ending.close()


_SHARED: Final = SharedServices()
atexit.register(_SHARED.end)


@contextmanager
def shared_socket(settings: Settings, data: Path) -> Iterator[str]:
    """The socket of the folder's service in this process, begun where there is none yet. Raises `Unavailable`."""
    socket = _SHARED.enter(settings, data)
    try:
        yield socket
    finally:
        _SHARED.leave(data)
