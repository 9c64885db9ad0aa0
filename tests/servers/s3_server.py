"""An S3 server of this machine, with one bucket, `library`."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx2

from servers.oxigraph_server import free_port

PROGRAM: Final = Path(sys.executable).parent / "moto_server"
_PATIENCE_S: Final = 60


@contextmanager
def s3_server() -> Iterator[str]:
    """The address of the server, which has started and ends with the context."""
    port = free_port()
    process = subprocess.Popen(
        [PROGRAM, "-H", "127.0.0.1", "-p", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={name: value for name, value in os.environ.items() if not name.startswith("AWS_")},
    )
    url = f"http://127.0.0.1:{port}"
    try:
        _make_bucket(f"{url}/library", process)
        yield url
    finally:
        process.kill()
        process.wait()


def _make_bucket(url: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _PATIENCE_S
    while time.monotonic() < until and process.poll() is None:
        try:
            httpx2.put(url, trust_env=False, timeout=10).raise_for_status()
            return
        except httpx2.ConnectError:
            time.sleep(0.05)
    raise AssertionError("the S3 server did not start")
