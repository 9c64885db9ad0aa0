"""An S3 server of this machine, with one bucket, `library`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx2

from servers.direct import DIRECT
from servers.served_process import ServedProcess, free_port, started

PROGRAM: Final = Path(sys.executable).parent / "moto_server"
_PATIENCE_S: Final = 60


class S3Server(ServedProcess):
    def __init__(self) -> None:
        port = free_port()
        own = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
        super().__init__([PROGRAM, "-H", "127.0.0.1", "-p", str(port)], port, own, patience_s=_PATIENCE_S)
        self.url = f"http://127.0.0.1:{port}"

    def answers(self) -> bool:
        """It does when it has taken the bucket."""
        try:
            httpx2.put(f"{self.url}/library", timeout=10, **DIRECT).raise_for_status()
        except httpx2.ConnectError:
            return False
        return True


@contextmanager
def s3_server() -> Iterator[str]:
    """The address of the server, which has started and ends with the context."""
    with started(S3Server()) as server:
        yield server.url
