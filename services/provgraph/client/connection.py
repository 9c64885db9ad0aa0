"""How a client reaches a service: at its address, through the service that has its folder open, or in this process.

A folder without a service is served for as long as a client needs it, on a socket that only this user can open, so
every client takes the same road: HTTP.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import httpx2

from provgraph.adapters.served_folder import Challenge, announcement, challenge
from provgraph.client.service import reaching
from provgraph.errors import FolderInUse, NotFound
from provgraph.tls import trusted, trusting_only
from provgraph.wire.addresses import PROOF_PATH, is_loopback

if TYPE_CHECKING:
    import ssl

    from provgraph.settings import Settings


_PROOF_TIMEOUT_S: Final = 5


@dataclass(frozen=True)
class ServiceAddress:
    """Where a service is, and the certificates that its client takes for its own."""

    url: str
    trust: ssl.SSLContext

    @staticmethod
    def given(url: str) -> ServiceAddress:
        return ServiceAddress(url.rstrip("/"), trusted())

    @property
    def is_beyond(self) -> bool:
        """Whether it is on another machine, where a proxy may be needed."""
        return not is_loopback(httpx2.URL(self.url).host)


def served_at(folder: Path) -> ServiceAddress | None:
    """The address of the service that has the folder open and proves it, or nothing."""
    word = announcement(folder)
    try:
        if not word or not is_loopback(httpx2.URL(word.url).host):
            return None  # questions and the token would go where the word says
        trust = trusting_only(word.certificate) if word.certificate else trusted()
        address = ServiceAddress(word.url, trust)
    except (httpx2.InvalidURL, ValueError, OSError):
        return None
    with challenge(folder) as asked:
        return address if _proves(address, asked) else None


def _proves(address: ServiceAddress, asked: Challenge) -> bool:
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


CONNECT_TIMEOUT_S: Final = 10
_LOOK_AGAIN_S: Final = 0.1
Waiting = Callable[[str], None]
_HERE: Final = "http://localhost"


@dataclass(frozen=True)
class Target:
    """Where a client goes: a service at `url`, or the folder `data`; `create` makes the folder if need be."""

    settings: Settings
    data: Path
    url: str
    create: bool = False

    def address(self) -> ServiceAddress | None:
        """The service's address; nothing where the folder is still to be served."""
        return ServiceAddress.given(self.url) if self.url else served_at(self.data)


@dataclass(frozen=True)
class ServiceConnection:
    """The way to a service: its `address`, or the `socket` of the private one of a `folder`; and for how many
    seconds a reply may be silent, or None."""

    token: str
    address: ServiceAddress | None = None
    folder: Path | None = None
    socket: str = ""
    patience_s: float | None = None

    @property
    def url(self) -> str:
        return self.address.url if self.address else _HERE

    def client(self) -> httpx2.Client:
        transport = None if self.address else httpx2.HTTPTransport(uds=self.socket, verify=False)
        return httpx2.Client(transport=transport, **self._options())

    def async_client(self) -> httpx2.AsyncClient:
        transport = None if self.address else httpx2.AsyncHTTPTransport(uds=self.socket, verify=False)
        return httpx2.AsyncClient(transport=transport, **self._options())

    def reaching(self) -> AbstractContextManager[None]:
        """Within it, what goes wrong on the way is a `ProvGraphError`."""
        return reaching(f"at {self.url}" if self.address else f"of {self.folder}")

    def _options(self) -> dict[str, Any]:
        headers = {b"Authorization": f"Bearer {self.token}".encode()} if self.token else None
        timeout = httpx2.Timeout(CONNECT_TIMEOUT_S, read=self.patience_s, write=self.patience_s, pool=None)
        address = self.address
        return {
            "base_url": self.url,
            "headers": headers,
            "timeout": timeout,
            "trust_env": address is not None and address.is_beyond,
            "verify": address.trust if address else False,
        }


@contextmanager
def connected(target: Target, waiting: Waiting = lambda _: None) -> Iterator[ServiceConnection]:
    """The way to a service, for as long as the context lasts. Raises `Unavailable` where none can be reached or
    opened. `waiting` is told once where another process has the folder, for which some seconds are waited."""
    with ExitStack() as held:
        address, socket = _reached(target, held, waiting)
        connection = ServiceConnection(target.settings.token, address, target.data, socket)
        with connection.reaching() if address else nullcontext():
            yield connection


def _reached(target: Target, held: ExitStack, waiting: Waiting) -> tuple[ServiceAddress | None, str]:
    """The address of the service, or the socket of a private one. Two commands on one folder come one after the other:
    the second waits for as long as the settings say, and looks whether the first is a service meanwhile."""
    patience_s, begun, is_told = target.settings.folder_wait_s, time.monotonic(), False
    while True:
        address = target.address()
        try:
            return address, "" if address else held.enter_context(_private_socket(target))
        except FolderInUse:
            if time.monotonic() - begun >= patience_s:
                raise
        if not is_told:
            waiting(
                f"Another provgraph process is using {target.data}. Waiting up to {patience_s:g} s for it."
            )
            is_told = True
        time.sleep(_LOOK_AGAIN_S)


def _private_socket(target: Target) -> AbstractContextManager[str]:
    from provgraph.client.private_service import shared_socket  # slow to import, and a service needs none

    return shared_socket(target.settings, target.data)


class Opening:
    """A connection that is opened when it is first needed, and held until it is closed."""

    def __init__(self, target: Target, patience_s: float | None) -> None:
        self.target = target
        self._patience_s = patience_s
        self._lock = threading.Lock()
        self._held = ExitStack()
        self._connection: ServiceConnection | None = None

    def open(self, create: bool = False) -> ServiceConnection:
        """Raises `NotFound` where there is no folder, unless it may `create` one, and `Unavailable`."""
        with self._lock:
            if self._connection is None:
                self._connection = self._opened(create)
            return self._connection

    def _opened(self, create: bool) -> ServiceConnection:
        target = self.target
        if not (target.url or create or target.data.is_dir()):
            raise NotFound(
                f'There is no folder {target.data}. Ingest something first: client.ingest("report.pdf"). '
                "An address begins with http:// or https://."
            )
        address, socket = _reached(target, self._held, lambda _: None)
        return ServiceConnection(target.settings.token, address, target.data, socket, self._patience_s)

    def close(self) -> None:
        with self._lock:
            self._connection = None
            self._held.close()


def client_target(given: str | Path | None, token: str | None) -> Target:
    """Where a client goes that is given an address, a folder, or nothing: then what the settings say."""
    from provgraph.settings import read_settings  # slow to import, and --help needs none

    settings = read_settings()
    if token is not None:
        settings = settings.model_copy(update={"token": token})
    if given is None:
        return Target(settings, settings.data, settings.url)
    if str(given).casefold().startswith(("http://", "https://")):
        return Target(settings, settings.data, str(given))
    return Target(settings, Path(given).expanduser(), "")
