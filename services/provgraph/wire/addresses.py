"""Which addresses are of this machine alone, and the paths that are treated in a way of their own."""

from __future__ import annotations

import ipaddress
from typing import Final

PROOF_PATH: Final = "/internal/folder-proof"
REFERENCE_PATH: Final = "/docs"
DESCRIPTION_PATH: Final = "/openapi.json"
SOCKET: Final = "/api/v1/socket"
LOGIN: Final = tuple(f"/api/v1/auth/{operation}" for operation in ("login", "bootstrap", "bootstrap-status"))
"""Where a client that has no token asks for one. It is told that none is given, and nothing that it sends is read."""


def is_loopback(host: str) -> bool:
    if host.casefold() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
