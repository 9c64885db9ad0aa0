"""A client of a service over HTTP, blocking or not: requests in, replies and events out, problems raised.

It knows no route. What is asked of which one stands in `calls`, and in the commands.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

import httpx2

from provgraph.errors import ProvGraphError, TimedOut, Unavailable, error_of_kind, said_by

_KIND: Final = "urn:provgraph:problem:"


class ServiceProblem(ProvGraphError):
    """A problem that the service answered with; told as it is. `error` is the error of its kind."""

    def __init__(self, detail: str, kind: str = "") -> None:
        super().__init__(detail)
        self.kind = kind

    @property
    def error(self) -> ProvGraphError:
        """The same as it was raised in the service: `NotFound`, `Unauthorized` and the like."""
        return error_of_kind(self.kind, str(self))


def problem_of(message: Any) -> ServiceProblem:
    """The problem that a service tells (RFC 9457). Raises `KeyError` or `TypeError` for anything else."""
    return ServiceProblem(str(message["detail"]), str(message.get("type", "")).removeprefix(_KIND))


def raise_problem(response: httpx2.Response) -> None:
    """Raise the problem that a read response tells, where it is one."""
    if not response.is_error:
        return
    try:
        problem = problem_of(response.json())
    except (ValueError, KeyError, TypeError, AttributeError):
        problem = ServiceProblem(
            f"The service answered {response.status_code} {response.reason_phrase}.",
            {401: "unauthorized", 403: "forbidden", 404: "not-found"}.get(response.status_code, ""),
        )
    raise problem


@contextmanager
def raised_by_kind() -> Iterator[None]:
    """Within it, a problem of the service is raised as the error of its kind."""
    try:
        yield
    except ServiceProblem as problem:
        raise problem.error from None


@contextmanager
def reaching(place: str) -> Iterator[None]:
    """Raises `Unavailable` where nobody can be reached at that place, and `TimedOut` where nobody answers."""
    try:
        yield
    except httpx2.ReadTimeout as error:
        raise TimedOut(
            f"The service {place} did not answer in time. Ask again, or wait longer: Client(…, timeout=SECONDS)."
        ) from error
    except (httpx2.TransportError, httpx2.InvalidURL) as error:
        raise Unavailable(
            f"The service {place} cannot be reached ({said_by(error)}). "
            "Check the address, or start it with 'provgraph serve'."
        ) from error


_EVENTS: Final = {"Accept": "text/event-stream"}

Result = TypeVar("Result")
Event = tuple[str, dict[str, Any]]
"""The name and the data of a server-sent event."""


@dataclass(frozen=True)
class Call(Generic[Result]):
    """One request, `options` as httpx takes them (`json`, `params`, `content`, `data`, `files`), and how its reply is
    read."""

    method: str
    path: str
    read: Callable[[httpx2.Response], Result]
    options: Mapping[str, Any] = field(default_factory=dict)
    accept: str = "application/json"
    content_type: str = ""

    def request(self, client: httpx2.Client | httpx2.AsyncClient) -> httpx2.Request:
        typed = {"Content-Type": self.content_type} if self.content_type else {}
        headers = {"Accept": self.accept, **typed}
        return client.build_request(self.method, self.path, headers=headers, **self.options)

    def result(self, response: httpx2.Response) -> Result:
        """What the reply says. Raises its problem, or `Unavailable` for what no ProvGraph of this version says."""
        raise_problem(response)
        try:
            return self.read(response)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise Unavailable(
                f"What {response.url.host} replied to {self.path} cannot be read. It may be no ProvGraph service, or "
                "one of another version. Check the address."
            ) from error


class Service:
    """A client of the service whose failures are `ProvGraphError`s."""

    def __init__(self, client: httpx2.Client) -> None:
        self._client = client

    def reply(self, call: Call[Result]) -> Result:
        return call.result(self._client.send(call.request(self._client)))

    def get(
        self, path: str, accept: str = "application/json", **query: str | int | list[str]
    ) -> httpx2.Response:
        return self._sent(self._client.build_request("GET", path, params=query, headers={"Accept": accept}))

    def json(self, method: str, path: str, body: Mapping[str, Any] | None = None, **query: str) -> Any:
        """What the service answers with, None for an empty answer."""
        response = self._sent(self._client.build_request(method, path, json=body, params=query))
        return response.json() if response.content else None

    def post(self, path: str, content: bytes, content_type: str, **query: str) -> httpx2.Response:
        headers = {"Content-Type": content_type, "Accept": query.pop("accept", "application/json")}
        return self._sent(
            self._client.build_request("POST", path, content=content, params=query, headers=headers)
        )

    def upload(
        self, path: str, files: Iterable[tuple[str, bytes]], fields: Mapping[str, str | list[str]]
    ) -> Any:
        """Send files, each by name and content, with fields, as a form."""
        parts = [("file", file) for file in files]
        return self._sent(self._client.build_request("POST", path, data=dict(fields), files=parts)).json()

    def events(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Iterator[Event]:
        """The name and the data of each event of a stream."""
        with self._client.stream(method, path, json=body, headers=_EVENTS) as response:
            yield from _events(response)

    def events_of_sent(
        self, path: str, content: Iterator[bytes], content_type: str, **query: str
    ) -> Iterator[Event]:
        """The events that follow when all of the content is sent."""
        headers = {**_EVENTS, "Content-Type": content_type}
        with self._client.stream("POST", path, content=content, params=query, headers=headers) as response:
            yield from _events(response)

    def download(self, path: str, accept: str, **query: str) -> Iterator[bytes]:
        """A body as it comes."""
        with self._client.stream("GET", path, params=query, headers={"Accept": accept}) as response:
            if response.is_error:
                response.read()
                raise_problem(response)
            yield from response.iter_bytes()

    def _sent(self, request: httpx2.Request) -> httpx2.Response:
        response = self._client.send(request)
        raise_problem(response)
        return response


class AsyncService:
    """The same for a program that waits for several things at once."""

    def __init__(self, client: httpx2.AsyncClient) -> None:
        self._client = client

    async def reply(self, call: Call[Result]) -> Result:
        return call.result(await self._client.send(call.request(self._client)))

    async def events(
        self, method: str, path: str, body: Mapping[str, Any] | None = None
    ) -> AsyncGenerator[Event]:
        """The name and the data of each event of a stream."""
        async with self._client.stream(method, path, json=body, headers=_EVENTS) as response:
            if response.is_error:
                await response.aread()
                raise_problem(response)
            async for event in httpx2.EventSource(response, max_event_size=None):
                yield _event(event.event, event.data)

    async def download(self, path: str, accept: str, **query: str) -> AsyncGenerator[bytes]:
        """A body as it comes."""
        async with self._client.stream("GET", path, params=query, headers={"Accept": accept}) as response:
            if response.is_error:
                await response.aread()
                raise_problem(response)
            async for piece in response.aiter_bytes():
                yield piece


def _events(response: httpx2.Response) -> Iterator[Event]:
    if response.is_error:
        response.read()
        raise_problem(response)
    for event in httpx2.EventSource(response, max_event_size=None):
        yield _event(event.event, event.data)


def _event(name: str, data: str) -> Event:
    message = json.loads(data)
    if name == "problem":
        raise problem_of(message)
    return name, message
