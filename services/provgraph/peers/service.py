"""A service of ProvGraph in other processes: its replicas, who is asked next, and what their failures are called.

A call whose answer is lines of JSON and may be long in coming: `{"result": …}`, or in the end `{"problem": …}`.

While the work goes on, blank lines keep the connection alive; so a caller that hears nothing for a while knows that it
is dead, and one that hangs up ends the work.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Final

import httpx2
from fastapi.responses import StreamingResponse

from provgraph.errors import InvalidInput, ProvGraphError, Unavailable, error_of_kind, said_by
from provgraph.peers import spans
from provgraph.roles import Role
from provgraph.tls import trusted
from provgraph.wire.problem import Problem

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
        return error_of_problem(response.json()) if _is_problem(response) else Unavailable(_detail(response))


async def _of_this_trace(request: httpx2.Request) -> None:
    spans.sent_along(request.headers)


def _is_problem(response: httpx2.Response) -> bool:
    return response.headers.get("content-type", "").startswith("application/problem+json")


def _detail(response: httpx2.Response) -> str:
    try:
        return str(json.loads(response.content)["detail"])
    except (ValueError, KeyError, TypeError):
        return f"It answers {response.status_code} {response.reason_phrase}. See its log."


logger = logging.getLogger(__name__)

SIGN_OF_LIFE_S: Final = 10.0
SILENCE_S: Final = 60.0
"""How long a caller hears nothing before it takes the connection for dead."""

_SAME: Final = "Run the same version of ProvGraph everywhere."
_REPORT: Final = "The service's log says more; please report it."


def answered_when_done(work: Callable[[], Awaitable[Any]]) -> StreamingResponse:
    """The response to a call; `work` gives what JSON can hold, and is cancelled when the caller hangs up."""

    async def once() -> AsyncGenerator[Any]:
        yield await work()

    return answered_as_it_comes(once())


def answered_as_it_comes(items: AsyncGenerator[Any]) -> StreamingResponse:
    """The response to a call that has several results, a line for each."""
    return StreamingResponse(_lines(items), media_type="application/json")


def result_of(line: bytes | str) -> Any:
    """What was answered. Raises the error that the other side raised, and `Unavailable` for half an answer."""
    try:
        loads = json.loads(line)
    except ValueError as error:
        raise Unavailable("A service stopped in the middle of its answer. Try again.") from error
    if "problem" in loads:
        raise error_of_problem(loads["problem"])
    return loads["result"]


def error_of_problem(problem: dict[str, Any]) -> ProvGraphError:
    """The error that a problem tells of."""
    return error_of_kind(str(problem.get("type", "")).rpartition(":")[2], str(problem.get("detail", "")))


async def _lines(items: AsyncGenerator[Any]) -> AsyncIterator[bytes]:
    async with aclosing(items):
        coming = asyncio.ensure_future(anext(items))
        try:
            while True:
                await asyncio.wait([coming], timeout=SIGN_OF_LIFE_S)
                if not coming.done():
                    yield b"\n"
                    continue
                yield json.dumps({"result": coming.result()}).encode() + b"\n"
                coming = asyncio.ensure_future(anext(items))
        except StopAsyncIteration:
            return
        except ProvGraphError as error:
            yield _problem(error)
        except (KeyError, TypeError, ValueError) as error:
            logger.warning("a call could not be read", exc_info=error)
            yield _problem(InvalidInput(f"The call cannot be read ({error!r}). {_SAME}"))
        except Exception as error:
            logger.exception("a call failed in a way that nobody foresaw")
            yield _problem(
                ProvGraphError(f"The call failed unexpectedly ({type(error).__name__}). {_REPORT}")
            )
        finally:
            coming.cancel()
            await asyncio.wait([coming])


def _problem(error: ProvGraphError) -> bytes:
    return json.dumps({"problem": Problem.of(error).model_dump(exclude_none=True)}).encode() + b"\n"
