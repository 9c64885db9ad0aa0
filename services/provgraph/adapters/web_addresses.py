"""Machines of the web that may be talked to: none of a private network, unless that is allowed."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urlsplit

import httpx2

from provgraph.errors import Forbidden, InvalidInput, Unavailable

_PORTS: Final = {"http": 80, "https": 443}


@dataclass(frozen=True)
class WebAddress:
    """An address of the web as it is asked: the `url` of the machine that was checked, with the headers and extensions
    of a request that name the host."""

    url: httpx2.URL
    headers: dict[str, str]
    extensions: dict[str, str]

    @staticmethod
    def checked(address: str, allow_private: bool) -> WebAddress:
        """Raises `InvalidInput` for an address that is none, and what `checked_address` raises."""
        parts = require_web_address(address)
        host = parts.hostname or ""
        ip = checked_address(host, parts.port or _PORTS[parts.scheme.casefold()], allow_private)
        named = {"Host": parts.netloc.rpartition("@")[2]}
        return WebAddress(httpx2.URL(address).copy_with(host=ip), named, {"sni_hostname": host})


def require_web_address(address: str) -> SplitResult:
    """The parts of an address. Raises `InvalidInput` where it is none of the web."""
    try:
        parts = urlsplit(address)
        is_of_web = parts.scheme.casefold() in _PORTS and parts.port != 0
        (parts.hostname or "").encode("idna")
    except ValueError:  # brackets that are none, a port beyond all ports, a name that no host can have
        is_of_web = False
    if not is_of_web or not parts.hostname:
        raise InvalidInput(
            f"{address[:200]} is not an address of the web. It begins with http:// or https://, and names a host."
        )
    return parts


def checked_address(host: str, port: int, allow_private: bool) -> str:
    """The address of a host that may be connected to: who connects to the name again could be sent elsewhere.

    Raises `Forbidden` for one of this machine or a private network, and `Unavailable` for a name that is not known.
    """
    try:
        found = _written(host) or [
            str(each[4][0]) for each in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        ]
    except OSError as error:
        raise Unavailable(
            f"The host {host} is not known here ({error.strerror}). Check the address."
        ) from error
    if not allow_private and not all(_is_public(each) for each in found):
        raise Forbidden(
            f"{host} is a machine of a private network, which is not used unless you say so: --allow-private."
        )
    return min(found, key=lambda each: ":" in each)  # IPv4 first: it is the one that works everywhere


def _written(host: str) -> list[str]:
    """The host itself where it is the address of a machine."""
    with suppress(ValueError):
        return [str(ipaddress.ip_address(host))]
    return []


def _is_public(address: str) -> bool:
    ip = ipaddress.ip_address(address.partition("%")[0])
    mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
    return (mapped or ip).is_global and not ip.is_multicast
