"""Who is let in: Host, Origin and token are checked before anything else sees a request.

A service on a person's own machine can be reached by every web page in that person's browser. So a request must
name a host that this service has (against DNS rebinding), and one that a browser sends for another site's page
is refused, whether it says so by `Origin` or by `Sec-Fetch-Site`.
"""

from __future__ import annotations

import asyncio
import hmac
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final

from starlette.datastructures import Headers, QueryParams
from starlette.types import ASGIApp, Receive, Scope, Send

from provgraph.access.principals import Principal
from provgraph.access.rights import required_right
from provgraph.errors import Forbidden, InvalidInput, ProvGraphError, Unauthorized
from provgraph.gateway.auditing import Auditing
from provgraph.gateway.connections.admission import tell_admitted
from provgraph.gateway.problems import problem_response
from provgraph.wire.addresses import DESCRIPTION_PATH, PROOF_PATH, REFERENCE_PATH, is_loopback

_HOST: Final = re.compile(r"(?P<name>[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?")
LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
OPEN_PATHS: Final = frozenset({"/", "/health", "/ready", PROOF_PATH, REFERENCE_PATH, DESCRIPTION_PATH})
PAGE: Final = "/web/"
"""The page's own files hold nothing of anyone's, and the page is what asks a person for the token."""
KNOWN: Final = "provgraph.known"
"""In the scope of a request that needs no token: whether it could have brought one that opens the service."""
OPENED: Final = "provgraph.opened"
"""In the scope of a WebSocket that a token has opened: gives what that opens at this moment, None where nothing."""

LEAST_TOKEN: Final = 16
FREE: Final = 100
_SLOWED_S: Final = 1.0
_FORGOTTEN_S: Final = 60.0
_MOST_ADDRESSES: Final = 10_000
ANY_ADDRESS: Final = frozenset({"0.0.0.0", "::"})


@dataclass(frozen=True)
class NamedAccess:
    """The `app` that a token opens, None for one that is nobody's; whether any token is asked for at all; and the name
    of whoever has this one."""

    app: ASGIApp | None
    is_asked_for: bool
    name: str = ""


async def _nobody(_: str) -> NamedAccess:
    return NamedAccess(None, is_asked_for=False)


@dataclass(frozen=True)
class AccessRules:
    """`hosts` that may stand in Host, or None for any; `origins` beside the service's own; a `token` or none, and
    what opens with the tokens of principals (`named`).

    Nobody needs a token to reach `late_paths`: a WebSocket whose own protocol brings it before anything else, or
    where clients that have none are told how to come by one.
    """

    hosts: frozenset[str] | None
    origins: frozenset[str]
    token: str
    late_paths: frozenset[str] = frozenset()
    named: Callable[[str], Awaitable[NamedAccess]] = _nobody
    auditing: Auditing | None = None

    def admits(self, token: str) -> bool:
        """Whether a token opens the service; any does where none is asked for."""
        return not self.token or hmac.compare_digest(
            token.encode(errors="surrogateescape"), self.token.encode()
        )


def access_rules(
    host: str,
    token: str,
    allowed_hosts: Iterable[str],
    allowed_origins: Iterable[str],
    late_paths: Iterable[str] = (),
) -> AccessRules:
    """Who may use a service bound to `host`.

    Raises `InvalidInput` when others could reach the service and no token is set.
    """
    if not is_loopback(host) and not token:
        raise InvalidInput(
            f"Bound to {host}, the service could be used by anyone who reaches this machine. "
            "Set PROVGRAPH_TOKEN to a secret of your choice, or bind it to 127.0.0.1."
        )
    if not is_loopback(host) and len(token) < LEAST_TOKEN:
        raise InvalidInput(
            f"PROVGRAPH_TOKEN has {len(token)} characters, which others who reach {host} could guess. "
            f"Set one of at least {LEAST_TOKEN}, such as: openssl rand -hex 16."
        )
    named = frozenset(name.casefold() for name in allowed_hosts)
    open_to_any = host in ANY_ADDRESS and not named
    hosts = None if open_to_any else named | LOOPBACK_NAMES | {host.casefold()}
    origins = frozenset(origin.rstrip("/").casefold() for origin in allowed_origins)
    return AccessRules(hosts, origins, token, frozenset(late_paths))


class Failures:
    """Attempts with a wrong token, by address: after `FREE` in a while each is answered later, by a second.

    Who has the right one waits for nobody.
    """

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._begun = time.monotonic()

    async def slow(self, scope: Scope) -> None:
        """Count one, and wait as long as it has to."""
        now, address = time.monotonic(), (scope.get("client") or ("", 0))[0]
        if now - self._begun > _FORGOTTEN_S or len(self._counts) > _MOST_ADDRESSES:
            self._counts.clear()
            self._begun = now
        self._counts[address] += 1
        if self._counts[address] > FREE:
            await asyncio.sleep(_SLOWED_S)


class AccessControl:
    """ASGI middleware that refuses a request with a problem response, or lets it through untouched."""

    def __init__(self, app: ASGIApp, rules: AccessRules) -> None:
        self._app = app
        self._rules = rules
        self._failures = Failures()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        try:
            app, name = await self._opened(scope)
        except ProvGraphError as error:
            headers = {"WWW-Authenticate": "Bearer"} if isinstance(error, Unauthorized) else None
            if isinstance(error, Unauthorized):
                await self._failures.slow(scope)
            await problem_response(error, headers)(scope, receive, send)
            return
        if self._rules.auditing:
            await self._rules.auditing.answer(app, name, scope, receive, send)
        else:
            await app(scope, receive, send)

    async def _opened(self, scope: Scope) -> tuple[ASGIApp, str]:
        """The app for this request, and who asks: one of its own for each principal, and the whole service for its one
        token, or for everybody where no token is asked for."""
        headers, path = Headers(scope=scope), scope["path"]
        host = headers.get("host", "")
        if self._rules.hosts is not None and _hostname(host) not in self._rules.hosts:
            raise Forbidden(
                f"This service does not answer to the host {host[:100]!r}. "
                "Use its own address, or add the name to PROVGRAPH_ALLOWED_HOSTS."
            )
        self._check_origin(headers, host, path)
        if path in OPEN_PATHS or path.startswith(PAGE):
            scope[KNOWN] = await self._is_known(_bearer(headers))
            return self._app, ""
        is_socket = scope["type"] == "websocket"
        token = _bearer(headers) or (QueryParams(scope["query_string"]).get("token", "") if is_socket else "")
        app, name = await self._app_of(token)
        is_late = path in self._rules.late_paths
        if app is None and not (is_late and (self._rules.token or not is_socket)):
            raise Unauthorized("This service asks for a token. Send it as 'Authorization: Bearer …'.")
        if is_socket and app:
            scope[OPENED] = partial(self._app_now, token)
        if is_socket and not is_late:
            tell_admitted(scope)
        return app or self._app, name

    async def _app_now(self, token: str) -> ASGIApp | None:
        return (await self._app_of(token))[0]

    async def _app_of(self, token: str) -> tuple[ASGIApp | None, str]:
        """What a token opens, and whose it is; None for one that opens nothing."""
        if self._rules.token and self._rules.admits(token):
            return self._app, ""
        named = await self._rules.named(token)
        if named.app is None and not (self._rules.token or named.is_asked_for):
            return self._app, ""
        return named.app, named.name

    async def _is_known(self, token: str) -> bool:
        """Also where the store is away, in which principals are looked up."""
        try:
            return (await self._app_of(token))[0] is not None
        except ProvGraphError:
            return False

    def _check_origin(self, headers: Headers, host: str, path: str) -> None:
        origin = headers.get("origin", "").casefold()
        if origin:
            own = {f"{scheme}://{host.casefold()}" for scheme in ("http", "https")}
            foreign = origin not in own | self._rules.origins
        else:
            site = headers.get("sec-fetch-site", "none")
            foreign = site not in ("none", "same-origin") and path.startswith(
                ("/api", "/internal", "/sparql", "/v1/", "/mcp")
            )
        if foreign:
            raise Forbidden(
                f"A page of another site ({origin[:100] or 'unnamed'}) may not use this service. "
                "Add its origin to PROVGRAPH_ALLOWED_ORIGINS if it should."
            )


class GrantedRoutes:
    """ASGI middleware of one principal's app: routes that its role does not include are refused."""

    def __init__(self, app: ASGIApp, principal: Principal) -> None:
        self._app = app
        self._principal = principal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            method = "WS" if scope["type"] == "websocket" else scope["method"]
            right = required_right(method, scope["path"])
            if not self._principal.may(right):
                refusal = Forbidden(
                    f"This asks for the right to {right}, which the role {self._principal.role} does not include. "
                    "Ask whoever keeps this service."
                )
                await problem_response(refusal)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _bearer(headers: Headers) -> str:
    """The token of an Authorization header: the bytes as they came, which ASGI reads as Latin-1."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    sent = token.strip().encode("latin-1").decode(errors="surrogateescape")
    return sent if scheme.casefold() == "bearer" else ""


def _hostname(host: str) -> str:
    """The name in a Host header without its port, or nothing where it is malformed."""
    match = _HOST.fullmatch(host)
    return match["name"].strip("[]").casefold() if match else ""
