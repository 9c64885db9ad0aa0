"""`provgraph serve` on a free port of this machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from subprocess import DEVNULL
from typing import IO, Final

import httpx2

from servers.direct import DIRECT
from servers.served_process import ServedProcess, free_port

PROGRAM: Final = Path(sys.executable).parent / "provgraph"
_PATIENCE_S: Final = 240


class ProvGraphServer(ServedProcess):
    """The whole, or one of the roles in which it serves apart; with the settings given and no others."""

    def __init__(
        self,
        data: Path,
        role: str = "",
        settings: Mapping[str, str] | None = None,
        log: IO[bytes] | int = DEVNULL,
        port: int | None = None,
    ) -> None:
        port = port or free_port()
        words: list[str | Path] = [
            PROGRAM,
            "serve",
            *filter(None, [role]),
            "--port",
            str(port),
            "--data",
            data,
        ]
        own = {name: value for name, value in os.environ.items() if not name.startswith("PROVGRAPH_")}
        super().__init__(words, port, {**own, **(settings or {})}, log, _PATIENCE_S)
        self.url = f"http://127.0.0.1:{port}"

    def answers(self) -> bool:
        try:
            return httpx2.get(f"{self.url}/health", **DIRECT).is_success
        except httpx2.HTTPError:
            return False
