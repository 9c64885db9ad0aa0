"""Where a SPARQL server is, and how long it is waited for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import httpx2

from provgraph.errors import InvalidInput

_ROLES: Final = 3


@dataclass(frozen=True)
class StoreAddress:
    """The endpoints of one server, the seconds that a call is tried again while it cannot be reached, and the setting
    that names it."""

    query: httpx2.URL
    update: httpx2.URL
    graphs: httpx2.URL
    patience_s: float = 30.0
    setting: str = "PROVGRAPH_STORE_URL"
    waits_again: bool = True
    """Whether a call waits though the one before has waited in vain; not where others are held up by it."""

    @property
    def told(self) -> str:
        """For messages: without the password that a URL may hold."""
        return str(self.query.copy_with(username=None, password=None, path="/", query=None)).rstrip("/")


def store_address(
    url: str, paths: str, patience_s: float, setting: str = StoreAddress.setting
) -> StoreAddress:
    """The address that settings name; `paths` are those of queries, of updates and of the Graph Store Protocol.

    Raises `InvalidInput` for what is no address.
    """
    names = paths.replace(",", " ").split()
    if len(names) != _ROLES:
        raise InvalidInput(
            f"PROVGRAPH_STORE_PATHS is {paths!r}, which is not three paths. Oxigraph's are 'query update store'."
        )
    try:
        base = httpx2.URL(url.rstrip("/") + "/")
    except (httpx2.InvalidURL, TypeError) as error:
        raise _no_address(url, setting) from error
    if base.scheme not in ("http", "https") or not base.host:
        raise _no_address(url, setting)
    query, update, graphs = (base.join(name.lstrip("/")) for name in names)
    return StoreAddress(query, update, graphs, patience_s, setting)


def _no_address(url: str, setting: str) -> InvalidInput:
    return InvalidInput(
        f"{setting} has {url!r}, which is not an address such as http://127.0.0.1:7878. Correct it."
    )
