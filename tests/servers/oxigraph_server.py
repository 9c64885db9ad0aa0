"""A real Oxigraph server on a free port of this machine."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

import httpx2

from servers.direct import DIRECT
from servers.served_process import ServedProcess, free_port, started

PROGRAM: Final = Path(sys.executable).parent / "oxigraph"


class OxigraphServer(ServedProcess):
    """`oxigraph serve` over a folder."""

    def __init__(self, folder: Path, port: int, options: tuple[str, ...] = ()) -> None:
        place = f"127.0.0.1:{port}"
        super().__init__([PROGRAM, "serve", "--location", folder, "--bind", place, *options], port)
        self.url = f"http://{place}"

    def update(self, text: str) -> None:
        httpx2.post(f"{self.url}/update", data={"update": text}, **DIRECT).raise_for_status()


def oxigraph_server(folder: Path, *options: str) -> AbstractContextManager[OxigraphServer]:
    """A server that has started, and is killed in the end."""
    return started(OxigraphServer(folder, free_port(), options))
