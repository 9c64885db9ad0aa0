"""Which addresses are of this machine alone, and where a service there proves which folder it has open."""

from __future__ import annotations

import ipaddress
from typing import Final

PROOF_PATH: Final = "/internal/folder-proof"
REFERENCE_PATH: Final = "/docs"
DESCRIPTION_PATH: Final = "/openapi.json"


def is_loopback(host: str) -> bool:
    if host.casefold() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
