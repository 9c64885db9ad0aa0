"""Which addresses are of this machine alone."""

from __future__ import annotations

import ipaddress


def is_loopback(host: str) -> bool:
    if host.casefold() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
