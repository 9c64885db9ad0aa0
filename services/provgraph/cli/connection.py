"""How a command reaches the service: at its address, through the folder's own service, or in this process.

A folder without a service is served for the length of the command, on a socket that only this user can open, so
every command takes the same road: HTTP.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import httpx2

from provgraph.adapters.served_folder import Challenge, announcement, challenge
from provgraph.errors import NotFound, ProvGraphError, Unavailable, said_by
from provgraph.tls import trusted, trusting_only
from provgraph.wire.addresses import PROOF_PATH, is_loopback

if TYPE_CHECKING:  # slow to import, and --help needs none
    import ssl

    from provgraph.settings import Settings

_EVENTS: Final = {"Accept": "text/event-stream"}
_PROOF_TIMEOUT_S: Final = 5


class ServiceProblem(ProvGraphError):
    """A problem that the service answered with; told as it is."""


@dataclass(frozen=True)
class Target:
    """Where a command goes: a service at `url`, or the folder `data`; `create` makes the folder if need be."""

    settings: Settings
    data: Path
    url: str
    create: bool = False


class Service:
    """A client of the service whose failures are `ProvGraphError`s."""

    def __init__(self, client: httpx2.Client) -> None:
        self._client = client

    def get(
        self, path: str, accept: str = "application/json", **query: str | int | list[str]
    ) -> httpx2.Response:
        return self._sent(self._client.build_request("GET", path, params=query, headers={"Accept": accept}))

    def json(self, method: str, path: str, body: Mapping[str, Any] | None = None, **query: str) -> Any:
        request = self._client.build_request(method, path, json=body, params=query)
        return self._sent(request).json()

    def post(self, path: str, content: bytes, content_type: str, **query: str) -> httpx2.Response:
        headers = {"Content-Type": content_type, "Accept": query.pop("accept", "application/json")}
        return self._sent(
            self._client.build_request("POST", path, content=content, params=query, headers=headers)
        )

    def upload(
        self,
        path: str,
        file: tuple[str, bytes],
        fields: Mapping[str, str | list[str]],
        ontology: tuple[str, bytes] | None = None,
    ) -> Any:
        """Send a file, by name and content, with fields and perhaps an ontology, as a form."""
        files = {"file": file} | ({"ontology": ontology} if ontology else {})
        return self._sent(self._client.build_request("POST", path, data=dict(fields), files=files)).json()

    def upload_all(
        self,
        path: str,
        files: list[tuple[str, bytes]],
        fields: Mapping[str, str | list[str]],
        ontology: tuple[str, bytes] | None = None,
    ) -> Any:
        """Send several files, each by name and content, with fields and perhaps an ontology, as a form."""
        parts = [("file", file) for file in files] + ([("ontology", ontology)] if ontology else [])
        return self._sent(self._client.build_request("POST", path, data=dict(fields), files=parts)).json()

    def events(
        self, method: str, path: str, body: Mapping[str, Any] | None = None
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """The name and the data of each event of a stream."""
        with self._client.stream(method, path, json=body, headers=_EVENTS) as response:
            yield from _events(response)

    def events_of_sent(
        self, path: str, content: Iterator[bytes], content_type: str, **query: str
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """The events that follow when all of the content is sent."""
        headers = {**_EVENTS, "Content-Type": content_type}
        with self._client.stream("POST", path, content=content, params=query, headers=headers) as response:
            yield from _events(response)

    def pieces(self, path: str, accept: str, **query: str) -> Iterator[bytes]:
        """A body as it comes."""
        with self._client.stream("GET", path, params=query, headers={"Accept": accept}) as response:
            if response.is_error:
                response.read()
                _raise_problem(response)
            yield from response.iter_bytes()

    def _sent(self, request: httpx2.Request) -> httpx2.Response:
        response = self._client.send(request)
        if response.is_error:
            _raise_problem(response)
        return response


def _events(response: httpx2.Response) -> Iterator[tuple[str, dict[str, Any]]]:
    if response.is_error:
        response.read()
        _raise_problem(response)
    for event in httpx2.EventSource(response, max_event_size=None):
        message = json.loads(event.data)
        if event.event == "problem":
            raise ServiceProblem(str(message["detail"]))
        yield event.event, message


@contextmanager
def connect(target: Target) -> Iterator[Service]:
    """A service for the length of a command. Raises `Unavailable` when none can be reached or opened."""
    found = _Address(target.url, trusted()) if target.url else _served_at(target.data)
    if found:
        with _reaching(found.url):
            through_proxy = not is_loopback(httpx2.URL(found.url).host)
            options = {"base_url": found.url, "trust_env": through_proxy, "verify": found.trust}
            with _client(target.settings, **options) as client:
                yield Service(client)
        return
    if not target.create and not target.data.is_dir():
        raise NotFound(
            f"There is no folder {target.data}. Ingest something first: provgraph ingest FILE. "
            "Or name a folder with --data, or a service with --url."
        )
    from provgraph.cli.private_service import private_service  # slow to import, and a service needs none

    with (
        private_service(target.settings, target.data) as transport,
        _client(target.settings, base_url="http://localhost", transport=transport, verify=False) as client,
    ):
        yield Service(client)


@dataclass(frozen=True)
class _Address:
    """Where a service is, and the certificates that its client takes for its own."""

    url: str
    trust: ssl.SSLContext


def _served_at(folder: Path) -> _Address | None:
    """The address of the service that has the folder open and proves it, or nothing."""
    word = announcement(folder)
    try:
        if not word or not is_loopback(httpx2.URL(word.url).host):
            return None  # questions and the token would go where the word says
        address = _Address(word.url, trusting_only(word.certificate) if word.certificate else trusted())
    except (httpx2.InvalidURL, ValueError, OSError):
        return None
    with challenge(folder) as asked:
        return address if _proves(address, asked) else None


def _proves(address: _Address, asked: Challenge) -> bool:
    """Whether who listens there sees the challenge. Nobody is given a token before."""
    url = httpx2.URL(address.url)
    try:
        reply = httpx2.get(
            url.copy_with(path=PROOF_PATH, params={"question": asked.question}),
            timeout=_PROOF_TIMEOUT_S,
            trust_env=False,
            verify=address.trust,
        )
        reply.raise_for_status()
        return asked.is_met_by(str(reply.json()["proof"]), url.port or (443 if url.scheme == "https" else 80))
    except (OSError, ValueError, KeyError, TypeError, httpx2.HTTPError, httpx2.InvalidURL):
        return False


def _client(settings: Settings, **options: Any) -> httpx2.Client:
    headers = {b"Authorization": f"Bearer {settings.token}".encode()} if settings.token else None
    patience = httpx2.Timeout(10, read=None, write=None)
    return httpx2.Client(headers=headers, timeout=patience, **options)


@contextmanager
def _reaching(url: str) -> Iterator[None]:
    try:
        yield
    except (httpx2.TransportError, httpx2.InvalidURL) as error:
        raise Unavailable(
            f"The service at {url} cannot be reached ({said_by(error)}). "
            "Check the address, or start it with 'provgraph serve'."
        ) from error


def _raise_problem(response: httpx2.Response) -> None:
    try:
        problem = response.json()
        detail = str(problem["detail"])
    except (ValueError, KeyError, TypeError):
        detail = f"The service answered {response.status_code} {response.reason_phrase}."
    raise ServiceProblem(detail)
