"""One server over HTTP: what is asked is asked again while that may help, and what went wrong is told as it was.

Knows nothing of quads: queries and updates go in as text, results come out as pyoxigraph's terms. Blocking; callers
are in worker threads.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event
from typing import IO, Final, TypeVar

import httpx2
from pyoxigraph import (
    QueryBoolean,
    QueryResultsFormat,
    QuerySolution,
    QuerySolutions,
    parse_query_results,
)

from provgraph.adapters.full_storage import tells_of_no_room
from provgraph.adapters.remote_store.authentication import store_auth
from provgraph.errors import InvalidInput, InvalidQuery, NoRoom, ProvGraphError, Unavailable, said_by
from provgraph.tls import trusted

T = TypeVar("T")

_CONNECT_S: Final = 5.0
_SILENCE_S: Final = 300.0
"""How long an answer may keep silent: a large update is evaluated before its first byte comes."""
_IDLE_S: Final = 20.0
"""Oxigraph closes a connection that is idle for a minute; one that is not used again by then is never found closed."""
_CONNECTIONS: Final = 48
_FIRST_PAUSE_S: Final = 0.05
_LONGEST_PAUSE_S: Final = 1.0
_CUT_OFF_AT_MOST: Final = 3
_IN_MEMORY: Final = 8 << 20
_PIECE: Final = 1 << 18
_RESULTS: Final = "application/sparql-results+json"
ASKS: Final = {"asks": True}
"""Marks a request as a query: its path may be that of updates too."""
_PASSING: Final = (429, 502, 503, 504)
_DENIED: Final = (401, 403)
_CUT_OFF: Final = {"X-SPARQL-MaxRows": re.compile(r"\d+"), "X-SQL-State": re.compile("S1TAT")}
"""By which Virtuoso says that it left solutions out, in an answer that is whole in form."""
_DEADLOCK: Final = re.compile(r"\b(40001|SR172)\b")
"""By which Virtuoso says that it undid an update for another one."""


class _Unreached(Exception):
    """The server did not take the request up."""


class _Busy(_Unreached):
    """Something on the way, or the server itself, says that it is not now."""


class ReplyLost(Exception):
    """The request was sent, and nothing tells whether it was carried out."""


class _Broken(Exception):
    """The connection broke while the request was on its way, or its answer."""


class _CutOff(Exception):
    """An answer that came and is not whole, as a server cuts it that has a time limit."""


class StoreConnection:
    """The server at an address. Raises `Unavailable` where it cannot be reached for as long as the address says."""

    def __init__(self, address: StoreAddress) -> None:
        self.address = address
        self._closing = Event()
        self._is_away = False
        self.auth = store_auth(address.query)
        self.client = httpx2.Client(
            timeout=httpx2.Timeout(_SILENCE_S, connect=_CONNECT_S),
            limits=httpx2.Limits(
                max_connections=_CONNECTIONS, max_keepalive_connections=_CONNECTIONS, keepalive_expiry=_IDLE_S
            ),
            trust_env=False,
            verify=trusted(),
            auth=self.auth,
        )

    def solutions(self, query: str) -> list[QuerySolution]:
        """All solutions of a SELECT query of our own."""
        return self.table(query)[1]

    def table(self, query: str) -> tuple[list[str], list[QuerySolution]]:
        """The names of its variables, and all solutions, of a SELECT query of our own."""
        return self._again(lambda: _table(self._sent(self.question(query)).content))

    def holds(self, query: str) -> bool:
        """The answer of an ASK query of our own."""

        def asked() -> bool:
            results = _parsed(self._sent(self.question(query)).content)
            assert isinstance(results, QueryBoolean)
            return bool(results)

        return self._again(asked)

    @contextmanager
    def spooled(self, request: httpx2.Request) -> Iterator[IO[bytes]]:
        """The whole body of an answer, on disk where it is large, so that a slow reader holds up no connection."""
        with tempfile.SpooledTemporaryFile(_IN_MEMORY) as file:

            def receive() -> None:
                file.seek(0)
                file.truncate()
                response = self._sent(request, stream=True)
                try:
                    for piece in response.iter_bytes(_PIECE):
                        file.write(piece)
                except httpx2.TransportError as error:
                    raise _Broken(said_by(error)) from error
                finally:
                    response.close()

            self._again(receive)
            file.seek(0)
            yield file

    def question(self, query: str, accept: str = _RESULTS, **parameters: list[str]) -> httpx2.Request:
        """The request of a query."""
        address, headers = self.address, {"Accept": accept}
        if address.is_rdf_1_1:  # Virtuoso 7.2 never answers a query that is a body by itself
            form = {"query": query, **parameters}
            return self.client.build_request(
                "POST", address.query, data=form, headers=headers, extensions=ASKS
            )
        headers["Content-Type"] = "application/sparql-query"
        return self.client.build_request(
            "POST", address.query, params=parameters, content=query.encode(), headers=headers, extensions=ASKS
        )

    def update(self, text: str, patience_s: float | None = None) -> None:
        """Carry out an update, in one transaction. Raises `ReplyLost` where it may have been carried out or not.

        `patience_s` is how long it is tried again while the server does not take it up, where not as long as a read.
        """
        address = self.address
        if address.is_rdf_1_1:
            request = self.client.build_request("POST", address.update, data={"update": text})
        else:
            headers = {"Content-Type": "application/sparql-update"}
            request = self.client.build_request(
                "POST", address.update, content=text.encode(), headers=headers
            )

        def sent() -> None:
            try:
                self._sent(request)
            except (_Broken, _Busy) as error:
                raise ReplyLost from error

        self._again(sent, patience_s)

    def answers_now(self, seconds: float) -> None:
        """Raises `Unavailable` where the server does not answer at once."""
        request = self.question("ASK {}")
        request.extensions["timeout"] = httpx2.Timeout(seconds).as_dict()
        try:
            self._sent(request)
        except (_Unreached, _Broken) as error:
            raise self._unavailable(error) from error

    def pause(self, seconds: float) -> None:
        """Wait, but not while the connection is being closed. Raises `Unavailable` when it is."""
        if self._closing.wait(seconds):
            raise Unavailable("The service is stopping. Send the request again when it runs.")

    def stop_waiting(self) -> None:
        """Let no call wait for the server any longer."""
        self._closing.set()

    def close(self) -> None:
        self.stop_waiting()
        self.client.close()

    def _again(self, call: Callable[[], T], patience_s: float | None = None) -> T:
        """What the call gives in the end; one that the server did not take up, or cut off, is made again."""
        wait_s = self.address.patience_s if patience_s is None else patience_s
        if self._is_away and not self.address.waits_again:
            wait_s = 0
        until = time.monotonic() + wait_s
        pause, cut_off = _FIRST_PAUSE_S, 0
        while True:
            try:
                return call()
            except (_Unreached, _Broken, _CutOff) as error:
                cut_off += isinstance(error, _CutOff)
                if time.monotonic() + pause > until or cut_off == _CUT_OFF_AT_MOST:
                    self._is_away = isinstance(error, _Unreached)
                    raise self._unavailable(error) from error
            self.pause(pause)
            pause = min(pause * 2, _LONGEST_PAUSE_S)

    def _sent(self, request: httpx2.Request, stream: bool = False) -> httpx2.Response:
        try:
            response = self.client.send(request, stream=stream)
            if response.is_error:
                response.read()
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout) as error:
            raise _Unreached(said_by(error)) from error
        except httpx2.TransportError as error:
            raise _Broken(said_by(error)) from error
        except RuntimeError as error:  # the client was closed meanwhile
            raise Unavailable(
                "The store is closed: the service is ending. Try again when it runs."
            ) from error
        self._is_away = False
        if response.status_code in _PASSING:
            raise _Busy(f"{response.status_code} {response.reason_phrase}")
        if response.is_error:
            if response.is_server_error and _DEADLOCK.search(response.text[:300]):
                raise _Busy("another update was in the way")
            raise self.refusal(response)
        self.require_whole(response)
        return response

    def require_whole(self, response: httpx2.Response) -> None:
        """Raises `Unavailable` for an answer from which its server says that it left something out."""
        said = next((n for n, value in _CUT_OFF.items() if value.match(response.headers.get(n, ""))), None)
        if said is not None:
            raise Unavailable(
                f"The store at {self.address.shown} left solutions out ({said}: {response.headers[said]}). "
                "Raise its limits of rows and time; Virtuoso's are ResultSetMaxRows and MaxQueryExecutionTime."
            )

    def refusal(self, response: httpx2.Response) -> ProvGraphError:
        """What an answer of 400 and more means to a user."""
        said = " ".join(response.text.split())[:300]
        if response.status_code == 400 and response.request.extensions.get("asks"):
            return InvalidQuery(f"The store's server does not take the query: {said}")
        if response.status_code in _DENIED:
            return Unavailable(
                f"The store at {self.address.shown} requires a user name and a password. "
                f"Put them in {self.address.setting}, as name:password@ before the host, and see that they are right."
            )
        if response.is_server_error and tells_of_no_room(said):
            return NoRoom(
                f"The store at {self.address.shown} has no room for a write ({said}). Free some space on its server's "
                "disk and restart it; queued work continues by itself; send anything else again."
            )
        return Unavailable(
            f"The store at {self.address.shown} refused a request ({response.status_code}: {said}). "
            "See its log; it must be an endpoint for SPARQL 1.1 with RDF 1.2, such as Oxigraph 0.5, "
            "or any for SPARQL 1.1 with PROVGRAPH_STORE_RDF=1.1, with room on its disk."
        )

    def unreached(self, error: Exception) -> Unavailable:
        """What it means that a request did not come through."""
        return Unavailable(
            f"The store at {self.address.shown} cannot be reached ({said_by(error)}). "
            f"Start it, or correct {self.address.setting}, then try again."
        )

    def _unavailable(self, error: Exception) -> Unavailable:
        if isinstance(error, _CutOff):
            return Unavailable(
                f"The store at {self.address.shown} cut its answer off ({error}). See its log; "
                "where it ends queries at a time limit (--timeout-s), set one that is longer."
            )
        return self.unreached(error)


def _table(content: bytes) -> tuple[list[str], list[QuerySolution]]:
    results = _parsed(content)
    assert isinstance(results, QuerySolutions)
    try:
        return [variable.value for variable in results.variables], list(results)
    except SyntaxError:
        del results  # it must end in this thread, and a traceback would hold it
        raise _CutOff("the results end in the middle") from None


def _parsed(content: bytes) -> QuerySolutions | QueryBoolean:
    """Raises `_CutOff` for an answer that is not whole: one that a time limit cut comes with status 200."""
    try:
        return parse_query_results(content, format=QueryResultsFormat.JSON)
    except SyntaxError as error:
        raise _CutOff("the results end in the middle") from error


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
    is_rdf_1_1: bool = False
    """Whether the server knows SPARQL 1.1 and RDF 1.1 alone."""

    @property
    def shown(self) -> str:
        """For messages: without the password that a URL may hold."""
        return str(self.query.copy_with(username=None, password=None, path="/", query=None)).rstrip("/")


def store_address(
    url: str,
    paths: str,
    patience_s: float,
    setting: str = StoreAddress.setting,
    *,
    is_rdf_1_1: bool = False,
) -> StoreAddress:
    """The address that settings name; `paths` are those of queries, of updates and of the Graph Store Protocol.

    The third is read where the server has RDF 1.2; elsewhere two are enough.

    Raises `InvalidInput` for what is no address.
    """
    names = paths.replace(",", " ").split()
    if is_rdf_1_1 and len(names) == _ROLES - 1:
        names.append(names[0])
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
    return StoreAddress(query, update, graphs, patience_s, setting, is_rdf_1_1=is_rdf_1_1)


def _no_address(url: str, setting: str) -> InvalidInput:
    return InvalidInput(
        f"{setting} has {url!r}, which is not an address such as http://127.0.0.1:7878. Correct it."
    )
