"""A service of ProvGraph in other processes: its replicas, who is asked next, and what their failures are called."""

from __future__ import annotations

import itertools
import json
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import httpx2

from provgraph.errors import InvalidInput, Unavailable, said_by
from provgraph.peers import spans
from provgraph.peers.calls import SILENCE_S, result_of, told_problem
from provgraph.roles import Role
from provgraph.tls import trusted

_CONNECT_S: Final = 10.0
"""Long enough for a machine that is taken: a dead process refuses at once, only a dead host says nothing."""
_KEPT: Final = httpx2.Limits(max_connections=None, max_keepalive_connections=100, keepalive_expiry=4.0)
"""A line at rest is dropped before uvicorn, which waits five seconds, drops it."""


@dataclass(frozen=True)
class PeerAddress:
    """`setting` is the variable that names the replicas; `token` opens them."""

    role: Role
    setting: str
    replicas: Sequence[str]
    token: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        """Raises `InvalidInput` where there is no replica, or one that is no address."""
        for url in self.replicas:
            try:
                parsed = httpx2.URL(url)
            except (httpx2.InvalidURL, TypeError):
                parsed = httpx2.URL("")
            if parsed.scheme not in ("http", "https") or not parsed.host:
                raise InvalidInput(
                    f"{self.setting} is {url!r}, which is not an address such as http://127.0.0.1:8890. Correct it."
                )
        if not self.replicas:
            raise InvalidInput(
                f"{self.setting} is not set, and this service asks the {self.role} service. Set it to that one's "
                f"address, where 'provgraph serve {self.role}' listens."
            )


def timeouts(silence_s: float) -> httpx2.Timeout:
    """A service may say nothing for so many seconds."""
    return httpx2.Timeout(silence_s, connect=_CONNECT_S, pool=None)


class PeerService:
    """Replicas are asked in turn; one that cannot be reached is passed over as long as another one answers."""

    def __init__(self, address: PeerAddress) -> None:
        self.address = address
        headers = {b"Authorization": f"Bearer {address.token}".encode()} if address.token else None
        self.client = httpx2.AsyncClient(
            headers=headers,
            timeout=timeouts(SILENCE_S),
            limits=_KEPT,
            trust_env=False,
            verify=trusted(),
            event_hooks={"request": [_of_this_trace]},
        )
        self._turn = itertools.count()

    def replicas(self) -> list[str]:
        """All replicas, the next in turn first."""
        known = self.address.replicas
        first = next(self._turn) % len(known)
        return [url.rstrip("/") for url in (*known[first:], *known[:first])]

    async def call(self, path: str, body: Any) -> Any:
        """The answer of one replica to a call that may be made twice.

        Raises what the service raises, and `Unavailable` where no replica answers.
        """
        replicas, silent = self.replicas(), set()
        # A line that was kept may have died since: the first is asked once more, on a new one.
        for url in (*replicas, replicas[0]):
            if url in silent:
                continue
            try:
                return await self._called(url, path, body)
            except httpx2.TransportError as error:
                failure = self.unreachable(url, error)
                if isinstance(error, httpx2.TimeoutException):
                    silent.add(url)
        raise failure

    async def results(self, path: str, body: Any) -> AsyncGenerator[Any]:
        """The results of one replica as they come. Raises as `call` does; close it to end the work."""
        (url, *_) = self.replicas()
        try:
            async with self.client.stream("POST", f"{url}{path}", json=body) as response:
                if response.is_error:
                    await response.aread()
                    raise self.refused(response)
                async for line in response.aiter_lines():
                    if line.strip():
                        yield result_of(line)
        except httpx2.TransportError as error:
            raise self.unreachable(url, error) from error

    async def call_each(self, path: str, body: Any) -> list[Unavailable]:
        """Make a call to every replica; gives the failures of those that could not be reached."""
        failures = []
        for url in self.replicas():
            try:
                await self._called(url, path, body)
            except httpx2.TransportError as error:
                failures.append(self.unreachable(url, error))
        return failures

    async def answers(self, seconds: float) -> None:
        """Raises `Unavailable` where no replica says within so many seconds that it is ready."""
        for url in self.replicas():
            try:
                response = await self.client.get(f"{url}/ready", timeout=seconds)
            except httpx2.TransportError as error:
                failure = self.unreachable(url, error)
                continue
            if response.is_success:
                return
            failure = Unavailable(f"The {self.address.role} service is not ready. {_detail(response)}")
        raise failure

    def unreachable(self, url: str, error: httpx2.TransportError) -> Unavailable:
        place = httpx2.URL(url).copy_with(username=None, password=None)
        return Unavailable(
            f"The {self.address.role} service at {place} cannot be reached ({said_by(error)}). "
            f"Start it with 'provgraph serve {self.address.role}', or correct {self.address.setting}."
        )

    async def close(self) -> None:
        await self.client.aclose()

    async def _called(self, url: str, path: str, body: Any) -> Any:
        response = await self.client.post(f"{url}{path}", json=body)
        if response.is_error:
            raise self.refused(response)
        return result_of(response.content)

    def refused(self, response: httpx2.Response) -> Exception:
        """What is told where a service turns its own peer away; no client is to blame for that."""
        role = self.address.role
        if response.status_code == httpx2.codes.UNAUTHORIZED:
            return Unavailable(
                f"The {role} service does not take the token. Give all services the same PROVGRAPH_TOKEN."
            )
        if response.status_code in (httpx2.codes.FORBIDDEN, httpx2.codes.NOT_FOUND):
            return Unavailable(
                f"At {response.url} is no {role} service that takes calls. {_detail(response)}"
            )
        return told_problem(response.json()) if _is_problem(response) else Unavailable(_detail(response))


async def _of_this_trace(request: httpx2.Request) -> None:
    spans.sent_along(request.headers)


def _is_problem(response: httpx2.Response) -> bool:
    return response.headers.get("content-type", "").startswith("application/problem+json")


def _detail(response: httpx2.Response) -> str:
    try:
        return str(json.loads(response.content)["detail"])
    except (ValueError, KeyError, TypeError):
        return f"It answers {response.status_code} {response.reason_phrase}. See its log."
