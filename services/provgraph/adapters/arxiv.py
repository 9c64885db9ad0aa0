"""`PaperSearch` over arXiv, by its Atom API (https://info.arxiv.org/help/api/user-manual.html).

One request in three seconds, tried again where it is busy, and nowhere else but there. The feed is somebody else's: no
entity is expanded, and no address in it is followed.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from xml.etree.ElementTree import ParseError

import httpx2
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from provgraph import __version__
from provgraph.errors import InvalidInput, NotFound, TooLarge, Unavailable, UnreadableDocument, said_by
from provgraph.ports.paper_search import FoundPaper, UnusableEntry, Waits, no_notice
from provgraph.tls import trusted
from provgraph.wire.addresses import is_loopback

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


BETWEEN_S: Final = 3.0
WAITS_S: Final = (5.0, 10.0, 15.0)
"""Before each further try of a request that was answered 429 or 503."""

MOST_FEED: Final = 10_000_000
MOST_REDIRECTS: Final = 3
_BUSY: Final = (429, 503)
_GONE: Final = (403, 404, 410)
_WORD: Final = re.compile(r"[^\W_]+(?:-[^\W_]+)*", re.UNICODE)
_PDF_WITHIN: Final = 1024


@dataclass(frozen=True)
class Waiting:
    """How time passes: what waits, and what tells seconds."""

    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    clock: Callable[[], float] = time.monotonic


class ArxivSearch:
    """The search at `base`, an http(s) address without a path. Holds no connection between requests.

    PDFs have at most `most_bytes`.
    """

    def __init__(self, base: str, most_bytes: int, waiting: Waiting = Waiting()) -> None:
        self._base = base.rstrip("/")
        self._origin = httpx2.URL(self._base)
        if self._origin.scheme not in ("http", "https") or not self._origin.host:
            raise InvalidInput(
                f"PROVGRAPH_ARXIV_URL is {base[:100]!r} which is not an http address. Correct it."
            )
        self._most_bytes = most_bytes
        self._waiting = waiting
        self._turn = asyncio.Lock()
        self._last = float("-inf")

    async def search(
        self, topic: str, most: int, waits: Waits = no_notice
    ) -> Sequence[FoundPaper | UnusableEntry]:
        """Papers that have every word of the topic. Raises `InvalidInput` for a topic without a word."""
        words = _WORD.findall(topic)
        if not words:
            raise InvalidInput(f"The topic {topic[:80]!r} has no words. Name what the papers are about.")
        query = " AND ".join(f"all:{word}" for word in words)
        url = httpx2.URL(
            f"{self._base}/api/query",
            params={"search_query": query, "start": "0", "max_results": str(most), "sortBy": "relevance"},
        )
        feed = await self._fetched(url, MOST_FEED, waits)
        return read_feed(feed, self._base)[:most]

    async def pdf(self, paper: FoundPaper, waits: Waits = no_notice) -> bytes:
        content = await self._fetched(httpx2.URL(paper.address), self._most_bytes, waits)
        if b"%PDF-" not in content[:_PDF_WITHIN]:
            raise UnreadableDocument(
                f"What {paper.address} returns is not a PDF. Look at {paper.id}: the paper may have been withdrawn."
            )
        return content

    async def close(self) -> None:
        """Nothing is held."""

    async def _fetched(self, url: httpx2.URL, most: int, waits: Waits) -> bytes:
        """The body of an address; one request at a time, and tried again while the server says that it is busy."""
        async with self._turn:
            for wait in (*WAITS_S, None):
                status, body = await self._followed(url, most)
                if status not in _BUSY:
                    return body
                if wait is not None:
                    waits(wait)
                    await self._waiting.sleep(wait)
        raise Unavailable(
            f"arXiv at {self._base} is busy: it answered {status} to {len(WAITS_S) + 1} requests. Build again later; "
            "what is read is kept."
        )

    async def _followed(self, url: httpx2.URL, most: int) -> tuple[int, bytes]:
        """Status and body, after redirects within the same server."""
        for _ in range(MOST_REDIRECTS + 1):
            status, body, location = await self._asked(url, most)
            if not location:
                return status, body
            url = self._within(url, location)
        raise Unavailable(f"{url} redirects without end. Build again later.")

    def _within(self, url: httpx2.URL, location: str) -> httpx2.URL:
        """Raises `Unavailable` for a redirect that leads elsewhere: a feed must not send this service about."""
        target = url.join(location)
        if (target.scheme, target.host, target.port) != (
            self._origin.scheme,
            self._origin.host,
            self._origin.port,
        ):
            raise Unavailable(
                f"{url} redirects to {str(target)[:120]}, which is not followed. Fetch it yourself."
            )
        return target

    async def _asked(self, url: httpx2.URL, most: int) -> tuple[int, bytes, str]:
        await self._wait_for_turn()
        headers = {"User-Agent": f"provgraph/{__version__}"}
        through_proxy = not is_loopback(self._origin.host)
        try:
            async with (
                httpx2.AsyncClient(
                    timeout=60, trust_env=through_proxy, headers=headers, verify=trusted()
                ) as client,
                client.stream("GET", url) as response,
            ):
                if response.is_redirect:
                    return response.status_code, b"", response.headers.get("location", "")
                if response.status_code in _GONE:
                    raise NotFound(
                        f"There is nothing at {url} ({response.status_code}): the paper may have been withdrawn. "
                        "Ask its authors for it."
                    )
                if response.is_error and response.status_code not in _BUSY:
                    raise Unavailable(f"{url} answered {response.status_code}. Build again later.")
                return response.status_code, await _body(response, most), ""
        except (httpx2.TransportError, httpx2.InvalidURL) as error:
            raise Unavailable(
                f"arXiv at {self._base} cannot be reached ({said_by(error)}). Check the network, or "
                "read papers that you have: provgraph research build --from FOLDER."
            ) from error

    async def _wait_for_turn(self) -> None:
        pause = self._last + BETWEEN_S - self._waiting.clock()
        if pause > 0:
            await self._waiting.sleep(pause)
        self._last = self._waiting.clock()


async def _body(response: httpx2.Response, most: int) -> bytes:
    """Raises `TooLarge` as soon as there is more."""
    body = bytearray()
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) > most:
            raise TooLarge(
                f"What {response.url} gives is larger than {most:,} bytes, the limit. Raise PROVGRAPH_MAX_UPLOAD_MB."
            )
    return bytes(body)


_ATOM: Final = "{http://www.w3.org/2005/Atom}"
_ARXIV: Final = "{http://arxiv.org/schemas/atom}"
_ABSTRACT_PAGE: Final = re.compile(
    r"https?://[^/\s]+/abs/((?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d{1,3})?)"
)
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_DOI: Final = re.compile(r"10\.\d{4,9}/[^\s<>\"]+")
_ERRORS: Final = "/api/errors"
_LONGEST_TITLE: Final = 500
_LONGEST_ABSTRACT: Final = 20_000
_MOST_CREATORS: Final = 500


def read_feed(feed: bytes, base: str) -> list[FoundPaper | UnusableEntry]:
    """The entries in their order. PDFs are addressed at `base`, by the id alone: `/abs/` → `/pdf/`.

    Raises `Unavailable` for what is not an Atom feed, declares entities, or reports an error.
    """
    try:
        root = fromstring(feed, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise Unavailable(
            f"What {base} sent is not an Atom feed that can be trusted ({type(error).__name__}). Check "
            "PROVGRAPH_ARXIV_URL, then build again."
        ) from error
    if root.tag != f"{_ATOM}feed":
        raise Unavailable(
            f"What {base} sent is not an Atom feed. Check PROVGRAPH_ARXIV_URL, then build again."
        )
    return [_entry(entry, base) for entry in root.iter(f"{_ATOM}entry")]


def _entry(entry: Element, base: str) -> FoundPaper | UnusableEntry:
    address, title = _text(entry, f"{_ATOM}id"), _text(entry, f"{_ATOM}title")[:_LONGEST_TITLE]
    if _ERRORS in address:
        raise Unavailable(
            f"arXiv refused the search: {_text(entry, f'{_ATOM}summary')[:200]}. Change the topic."
        )
    match = _ABSTRACT_PAGE.fullmatch(address)
    if not match:
        return UnusableEntry(
            title or "A result", f"It has no address on arXiv, but {address[:120]!r}. Look it up there."
        )
    number = match[1]
    bare = re.sub(r"v\d+\Z", "", number)
    doi = _DOI.search(_text(entry, f"{_ARXIV}doi"))
    return FoundPaper(
        id=f"https://arxiv.org/abs/{bare}",
        version=f"arXiv:{number}",
        title=title or number,
        creators=tuple(_names(entry)),
        published=(_DATE.match(_text(entry, f"{_ATOM}published")) or [""])[0],
        abstract=_text(entry, f"{_ATOM}summary")[:_LONGEST_ABSTRACT],
        identifiers=(f"arXiv:{number}", *([f"doi:{doi[0]}"] if doi else [])),
        address=f"{base}/pdf/{number}",
    )


def _names(entry: Element) -> list[str]:
    authors = list(entry.iter(f"{_ATOM}author"))[:_MOST_CREATORS]
    return [name[:200] for author in authors if (name := _text(author, f"{_ATOM}name"))]


def _text(element: Element, tag: str) -> str:
    """The words of a child, in one line."""
    return " ".join((element.findtext(tag) or "").split())
