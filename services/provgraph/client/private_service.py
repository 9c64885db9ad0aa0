"""The service of a folder that nobody serves, in this process, on a socket that only this user can open.

In one process a folder has one such service, which all its clients share: a notebook's cell may be run again.
"""

from __future__ import annotations

import atexit
import os
import tempfile
import threading
import time
from collections import deque
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
LONGEST_FOLDER: Final = 70
"""Bytes of the path of a folder for sockets: the path of a socket has 103 at most on every system."""
_THREAD: Final = "provgraph-service"


@contextmanager
def private_service(settings: Settings, data: Path) -> Iterator[httpx2.HTTPTransport]:
    """A transport to it. Raises `Unavailable` when the folder cannot be opened or the service does not start."""
    with private_socket(settings, data) as socket:
        yield httpx2.HTTPTransport(uds=socket, verify=False)


@contextmanager
def private_socket(settings: Settings, data: Path) -> Iterator[str]:
    """The path of its socket. Raises as `private_service` does."""
    app = assemble(settings, data, lasting=False).app()
    with tempfile.TemporaryDirectory(prefix="provgraph-", dir=_folder_of_sockets()) as folder:
        socket = str(Path(folder) / "socket")
        server = uvicorn.Server(
            uvicorn.Config(app, uds=socket, log_level="critical", lifespan="on", ws="none")
        )
        thread = threading.Thread(target=server.run, name=_THREAD, daemon=True)
        thread.start()
        try:
            _await_start(server, thread)
            yield socket
        finally:
            server.should_exit = True
            thread.join()


def _folder_of_sockets() -> str:
    """The folder for temporary files, or a shorter one where the path of a socket in it would be too long."""
    folders = (tempfile.gettempdir(), "/tmp", "/var/tmp")
    short = (
        folder
        for folder in folders
        if len(os.fsencode(folder)) <= LONGEST_FOLDER and os.access(folder, os.W_OK)
    )
    return next(short, folders[0])


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
    """The services of this process's clients, by folder; one ends when its last client leaves it.

    A client may be forgotten instead of closed, and be collected in any thread, at any line, the service's own among
    them: then it is only noted, and its service ends as soon as that can be waited for.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[Path, _Shared] = {}
        self._forgotten: deque[Path] = deque()

    def enter(self, settings: Settings, data: Path) -> str:
        """The socket of the folder's service, for one more client. Raises `Unavailable`."""
        folder = data.resolve()
        with self._lock:
            if folder not in self._open:
                with ExitStack() as opening:
                    socket = opening.enter_context(private_socket(settings, data))
                    self._open[folder] = _Shared(socket, opening.pop_all())
            self._open[folder].users += 1
            socket = self._open[folder].socket
        self._sweep()
        return socket

    def leave(self, data: Path) -> None:
        """One client is done with the folder."""
        self._forgotten.append(data.resolve())
        if threading.current_thread().name != _THREAD:
            self._sweep()

    def end(self) -> None:
        """Close what clients left open when the program ends."""
        with self._lock:
            while self._open:
                self._open.popitem()[1].ending.close()

    def _sweep(self) -> None:
        """Leave what was left. Whoever holds the lock does it for those who find it held, when he has let it go."""
        while self._forgotten and self._lock.acquire(blocking=False):
            try:
                self._leave_first()
            finally:
                self._lock.release()

    def _leave_first(self) -> None:
        folder = self._forgotten.popleft() if self._forgotten else None
        if folder and (shared := self._open.get(folder)):
            shared.users -= 1
            if not shared.users:
                del self._open[folder]
                shared.ending.close()


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
