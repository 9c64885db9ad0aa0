"""Documents of the web: fetched with the manners and the limits of a program that is given addresses by people.

robots.txt is respected, nothing larger than the limit is taken in, only types that a reader knows, and no address of a
private network unless that is allowed: a page elsewhere must not make this machine read its neighbours. The address
that was checked is the one that is connected to, also after each redirection.
"""

from __future__ import annotations

import re
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urldefrag, urljoin, urlsplit
from urllib.robotparser import RobotFileParser

import httpx2
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from provgraph import __version__
from provgraph.adapters.web_addresses import WebAddress
from provgraph.errors import Forbidden, TooLarge, Unavailable, UnsupportedDocument
from provgraph.tls import trusted

AGENT: Final = f"ProvGraph/{__version__}"
ENDINGS: Final = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "application/pdf": ".pdf",
    "text/plain": ".txt",
    "text/markdown": ".md",
    "text/csv": ".csv",
    "application/json": ".json",
    "application/x-ndjson": ".jsonl",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/tiff": ".tiff",
}
_SITEMAPS: Final = ("application/xml", "text/xml")
MOST_ADDRESSES: Final = 50_000
"""As many as one sitemap may list (sitemaps.org)."""
_MOST_SITEMAPS: Final = 1_000
"""Of those that one names."""
_REDIRECTIONS: Final = 5
_ROBOTS_BYTES: Final = 500_000
_LONGEST_DELAY_S: Final = 10.0
NOT_MODIFIED: Final = 304


@dataclass(frozen=True)
class Validators:
    """What a server said of the state of a document (RFC 9110, section 8.8), to be asked whether it is still so."""

    etag: str = ""
    modified: str = ""

    @property
    def conditions(self) -> dict[str, str]:
        """The headers of a request that wants only what has changed; none where nothing was said."""
        given = {"If-None-Match": self.etag, "If-Modified-Since": self.modified}
        return {name: value for name, value in given.items() if value}

    @staticmethod
    def of(answer: httpx2.Response) -> Validators:
        return Validators(answer.headers.get("etag", ""), answer.headers.get("last-modified", ""))


@dataclass(frozen=True)
class WebDocument:
    """What was fetched: the address that it has after redirections, a file name with the ending of its type, the bytes,
    and the `Validators` by which a later request asks only for what has changed."""

    address: str
    name: str
    content: bytes
    validators: Validators


@dataclass
class WebReader:
    """Fetches documents, one after another; `most_bytes` is the most that one may have. A server has `timeout_s` to
    send something, and `whole_s` to send all."""

    most_bytes: int
    allow_private: bool = False
    timeout_s: float = 30.0
    whole_s: float = 600.0
    most_addresses: int = MOST_ADDRESSES
    is_cut_off: bool = field(default=False, init=False)
    """Whether a sitemap and those that it names had more addresses than are read."""
    _robots: dict[str, RobotFileParser] = field(default_factory=dict)
    _asked_at: dict[str, float] = field(default_factory=dict)

    def documents(self, address: str) -> Iterator[str]:
        """The addresses that one stands for: those of a sitemap of its own host, or itself.

        Raises what `fetch` raises.
        """
        if not urlsplit(address).path.casefold().endswith(".xml"):
            yield address
            return
        places = self._of_sitemap(address, nested=True)
        yield from islice(places, self.most_addresses)
        self.is_cut_off |= next(places, None) is not None

    def rest_of(self, address: str) -> TooLarge:
        """What is said of a sitemap that `is_cut_off`."""
        return TooLarge(
            f"{address} stands for more than {self.most_addresses:,} pages or {_MOST_SITEMAPS:,} sitemaps, of which "
            "the first were read. Give the sitemaps of its parts, one by one."
        )

    def fetch(self, address: str) -> WebDocument:
        """One document. Raises `InvalidInput` for an address that is none, `Forbidden` for one that must not be read,
        `UnsupportedDocument`, `TooLarge` and `Unavailable`."""
        return _document(address, *self._got(address))

    def fetch_changed(self, address: str, known: Validators) -> WebDocument | None:
        """One document; None where its server says that it has not changed since it gave these validators. Raises what
        `fetch` raises."""
        place, answer, content = self._got(address, known.conditions)
        is_known = answer.status_code == NOT_MODIFIED and known.conditions
        return None if is_known else _document(address, place, answer, content)

    def _of_sitemap(self, address: str, *, nested: bool) -> Iterator[str]:
        _, answer, content = self._got(address)
        media_type = _media_type(answer)
        if media_type not in _SITEMAPS:
            raise UnsupportedDocument(
                f"{address} is not a sitemap but {media_type}. Give the address of a page."
            )
        try:
            root = fromstring(content)
        except (ParseError, DefusedXmlException) as error:
            raise UnsupportedDocument(f"{address} cannot be read as a sitemap ({error}).") from error
        places = [
            (each.text or "").strip()
            for each in root.iter()
            if each.tag.endswith("}loc") or each.tag == "loc"
        ]
        own = [place for place in places if urlsplit(place).hostname == urlsplit(address).hostname]
        names_others = root.tag.endswith("sitemapindex") and nested
        most = _MOST_SITEMAPS if names_others else self.most_addresses
        self.is_cut_off |= len(own) > most
        for place in own[:most]:
            if names_others:
                yield from self._of_sitemap(place, nested=False)
            else:
                yield place

    def _got(
        self, address: str, conditions: Mapping[str, str] | None = None
    ) -> tuple[str, httpx2.Response, bytes]:
        """The address after redirections, the answer and the bytes."""
        asked = partial(self._asked, most=self.most_bytes, conditions=conditions or {})
        place, answer, content = self._followed(address, asked, self._respect_robots)
        if answer.is_error:
            told = f"{answer.status_code} {answer.reason_phrase}".strip()
            raise Unavailable(f"{place} answers {told}. Check it in a browser.")
        return place, answer, content

    def _followed(
        self,
        address: str,
        asked: Callable[[str], tuple[httpx2.Response, bytes]],
        check: Callable[[str], None],
    ) -> tuple[str, httpx2.Response, bytes]:
        """Where redirections end, and what is there; each address is checked before it is asked."""
        place = urldefrag(address).url
        for _ in range(_REDIRECTIONS + 1):
            check(place)
            answer, content = asked(place)
            if not answer.has_redirect_location:
                return place, answer, content
            place = urldefrag(urljoin(place, answer.headers["location"])).url
        raise Unavailable(f"{address} leads from one address to another without end. Check it in a browser.")

    def _respect_robots(self, place: str) -> None:
        parts = urlsplit(place)
        site = f"{parts.scheme}://{parts.netloc}"
        if site not in self._robots:
            self._robots[site] = self._read_robots(site)
        rules = self._robots[site]
        if not rules.can_fetch(AGENT, place):
            raise Forbidden(
                f"The robots.txt of {parts.netloc} does not let programs read {place}. "
                "Save the page yourself, and ingest the file."
            )
        delay = min(float(rules.crawl_delay(AGENT) or 0), _LONGEST_DELAY_S)
        since = time.monotonic() - self._asked_at.get(site, -delay)
        if since < delay:
            time.sleep(delay - since)
        self._asked_at[site] = time.monotonic()

    def _read_robots(self, site: str) -> RobotFileParser:
        """The rules of a site: none where it has no such file, and all is forbidden while it fails (RFC 9309)."""
        _, answer, content = self._followed(
            f"{site}/robots.txt", partial(self._asked, most=_ROBOTS_BYTES, conditions={}), lambda _: None
        )
        text = content.decode(errors="replace") if answer.is_success else ""
        if answer.status_code >= 500:
            text = "User-agent: *\nDisallow: /"
        rules = RobotFileParser()
        rules.parse(text.splitlines())
        return rules

    def _asked(
        self, place: str, *, most: int, conditions: Mapping[str, str]
    ) -> tuple[httpx2.Response, bytes]:
        """The answer and its body, from the very machine whose address was checked."""
        own = WebAddress.checked(place, self.allow_private)
        headers = {**own.headers, "User-Agent": AGENT, "Accept": "*/*", **conditions}
        try:
            with (
                httpx2.Client(trust_env=False, verify=trusted(), timeout=self.timeout_s) as client,
                client.stream("GET", own.url, headers=headers, extensions=own.extensions) as answer,
            ):
                return answer, _body(answer, most, place, self.whole_s)
        except (httpx2.HTTPError, ssl.SSLError, OSError) as error:
            raise Unavailable(
                f"{place} cannot be fetched ({error}). Check the address and the network."
            ) from error


def _document(address: str, place: str, answer: httpx2.Response, content: bytes) -> WebDocument:
    media_type = _media_type(answer)
    ending = ENDINGS.get(media_type)
    if ending is None:
        raise UnsupportedDocument(
            f"{address} is of the type {media_type or 'unknown'}, which no reader takes. "
            "Give an address of a page, a PDF, or another document."
        )
    return WebDocument(place, _file_name(place, ending), content, Validators.of(answer))


def _media_type(answer: httpx2.Response) -> str:
    return answer.headers.get("content-type", "").partition(";")[0].strip().casefold()


def _body(answer: httpx2.Response, most: int, place: str, seconds: float) -> bytes:
    """Raises `TooLarge`, and `Unavailable` where it has not all come after `seconds`."""
    if answer.has_redirect_location:
        return b""
    body, deadline = bytearray(), time.monotonic() + seconds
    for piece in answer.iter_bytes():
        body += piece
        if time.monotonic() > deadline:
            raise Unavailable(
                f"{place} had not come whole after {seconds:.0f} seconds. Save it yourself, and ingest it."
            )
        if len(body) > most:
            raise TooLarge(
                f"{place} has more than {most:,} bytes. Ingest a part of it, or raise PROVGRAPH_MAX_UPLOAD_MB."
            )
    return bytes(body)


def _file_name(address: str, ending: str) -> str:
    """The last part of the address, or its host, with the ending of its type."""
    parts = urlsplit(address)
    last = unquote(parts.path.rstrip("/").rpartition("/")[2]) or parts.hostname or "page"
    stem = re.sub(r"[^\w.-]+", "-", last)[:100].strip("-.") or "page"
    alike = {
        ending,
        *({".htm", ".xhtml"} if ending == ".html" else ()),
        *({".jpeg"} if ending == ".jpg" else ()),
    }
    return stem if Path(stem).suffix.casefold() in alike else f"{stem}{ending}"
