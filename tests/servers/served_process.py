"""A program that listens on a port of this machine, which a test may kill and start again."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final, TypeVar

_PAUSE_S: Final = 0.02


@dataclass
class ServedProcess:
    """`command` listens on `port`; each start of it is waited for `patience_s` seconds."""

    command: Sequence[str | Path]
    port: int
    environment: Mapping[str, str] | None = None
    log: IO[bytes] | int = subprocess.DEVNULL
    patience_s: float = 30
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    @property
    def running(self) -> subprocess.Popen[bytes]:
        """The process, which has been started."""
        assert self._process is not None
        return self._process

    def start(self, wait: bool = True) -> None:
        self._process = subprocess.Popen(self.command, env=self.environment, stdout=self.log, stderr=self.log)
        if wait:
            self.until_it_answers()

    def kill(self) -> None:
        """End it as a power cut does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def until_it_answers(self) -> None:
        assert self._process is not None
        until = time.monotonic() + self.patience_s
        while time.monotonic() < until and self._process.poll() is None:
            if self.answers():
                return
            time.sleep(_PAUSE_S)
        why = "" if isinstance(self.log, int) else f"; see {self.log.name}"
        raise AssertionError(f"{' '.join(map(str, self.command))} did not start{why}")

    def answers(self) -> bool:
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0


Server = TypeVar("Server", bound=ServedProcess)


@contextmanager
def started(server: Server) -> Iterator[Server]:
    """It has started, and is killed in the end."""
    try:
        server.start()
        yield server
    finally:
        server.kill()


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port
