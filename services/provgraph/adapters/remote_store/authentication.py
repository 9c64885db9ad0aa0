"""Name and password of a store's address, as its server asks for them: Basic (RFC 7617) or Digest (RFC 7616)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

import httpx2

_DENIED: Final = (401, 403)


class StoreAuth(httpx2.Auth):
    """Nothing until the server asks, then what it has asked for. One for all threads of a client.

    Virtuoso answers a Basic header that it has not asked for with 401, and does not say that it wants Digest.
    """

    def __init__(self, name: str, password: str) -> None:
        self._name, self._password = name, password
        self._asked_for: httpx2.Auth | None = None

    def auth_flow(self, request: httpx2.Request) -> Generator[httpx2.Request, httpx2.Response]:
        if self._asked_for is None:
            response = yield request
            if response.status_code not in _DENIED:
                return
            is_digest = "digest" in response.headers.get("WWW-Authenticate", "").lower()
            scheme = httpx2.DigestAuth if is_digest else httpx2.BasicAuth
            self._asked_for = scheme(self._name, self._password)
        yield from self._asked_for.auth_flow(request)


def store_auth(url: httpx2.URL) -> StoreAuth | None:
    """What an address says, or None where it names nobody."""
    return StoreAuth(url.username, url.password) if url.username or url.password else None
