"""Documents of the web, fetched from a real server on loopback: robots, limits, redirections, private addresses."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from provgraph.client.sync_sources import WebSource
from provgraph.client.web_sources import AGENT, WebReader
from provgraph.errors import Forbidden, InvalidInput, TooLarge, Unavailable, UnsupportedDocument

PAGES = {
    "/robots.txt": ("text/plain", b"User-agent: *\nDisallow: /secret\n"),
    "/curie.html": ("text/html; charset=utf-8", b"<p>Marie Curie discovered polonium.</p>"),
    "/papers/": ("application/pdf", b"%PDF-1.7"),
    "/secret.html": ("text/html", b"secret"),
    "/big.txt": ("text/plain", b"x" * 5_000),
    "/a.exe": ("application/octet-stream", b"MZ"),
    "/broken.xml": ("application/xml", b"<urlset>"),
    "/bomb.xml": ("application/xml", b'<!DOCTYPE a [<!ENTITY b "c">]><urlset><loc>&b;</loc></urlset>'),
}

REDIRECTED = {"/to-page": "/curie.html", "/to-secret": "/secret.html"}


class Handler(BaseHTTPRequestHandler):
    asked: list[tuple[str, str]]

    def do_GET(self) -> None:
        self.server.asked.append((self.path, self.headers["User-Agent"]))  # type: ignore[attr-defined]
        if self.path.startswith("/to"):
            self.send_response(302)
            self.send_header(
                "Location",
                {"/to-page": "/curie.html", "/to-secret": "/secret.html"}.get(self.path, self.path),
            )
            self.end_headers()
            return
        pages = {**PAGES, **self._maps()}
        if self.path == "/slow.txt":
            self.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n")
            with suppress(OSError):  # until the client has had enough
                for _ in range(200):
                    self.wfile.write(b"x")
                    time.sleep(0.02)
            return
        media_type, body = pages.get(self.path, ("text/html", b"gone"))
        self.send_response(200 if self.path in pages else 404)
        self.send_header("Content-Type", media_type)
        self.end_headers()
        self.wfile.write(body)

    def _maps(self) -> dict[str, tuple[str, bytes]]:
        own = f"http://{self.headers['Host']}"
        places = [f"{own}/curie.html", f"{own}/papers/", "http://elsewhere.example/x"]
        listed = "".join(f"<url><loc>{place}</loc></url>" for place in places)
        index = f"<sitemapindex><sitemap><loc>{own}/sitemap.xml</loc></sitemap></sitemapindex>"
        many = "".join(f"<url><loc>{own}/{number}</loc></url>" for number in range(400))
        nested = f"<sitemap><loc>{own}/many.xml</loc></sitemap>" * 5
        return {
            "/many.xml": ("application/xml", f"<urlset>{many}</urlset>".encode()),
            "/nested.xml": ("application/xml", f"<sitemapindex>{nested}</sitemapindex>".encode()),
            "/sitemap.xml": ("application/xml", f"<urlset>{listed}</urlset>".encode()),
            "/index.xml": ("text/xml", index.encode()),
        }

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    made = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.asked = []  # type: ignore[attr-defined]
    thread = threading.Thread(target=made.serve_forever)
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


@pytest.fixture
def site(server: ThreadingHTTPServer) -> str:
    return f"http://localhost:{server.server_port}"


@pytest.fixture
def reader() -> WebReader:
    return WebReader(most_bytes=1_000, allow_private=True, timeout_s=5)


def test_a_page_is_fetched_by_its_own_name_and_type(reader: WebReader, site: str) -> None:
    page = reader.fetch(f"{site}/curie.html#discovery")
    assert (page.address, page.name) == (f"{site}/curie.html", "curie.html")
    assert page.content == PAGES["/curie.html"][1]
    assert reader.fetch(f"{site}/papers/").name == "papers.pdf"


def test_robots_are_asked_once_and_respected_also_after_a_redirection(
    reader: WebReader, site: str, server: ThreadingHTTPServer
) -> None:
    assert reader.fetch(f"{site}/to-page").address == f"{site}/curie.html"
    for path in ("/secret.html", "/to-secret"):
        with pytest.raises(Forbidden, match=r"robots\.txt"):
            reader.fetch(site + path)
    asked = server.asked  # type: ignore[attr-defined]
    assert [path for path, _ in asked].count("/robots.txt") == 1
    assert "/secret.html" not in [path for path, _ in asked]
    assert {agent for _, agent in asked} == {AGENT}


def test_a_private_address_is_read_only_where_that_is_allowed(site: str, server: ThreadingHTTPServer) -> None:
    careful = WebReader(most_bytes=1_000, timeout_s=5)
    port = server.server_port
    for address in (site, f"http://127.0.0.1:{port}", f"http://[::ffff:127.0.0.1]:{port}"):
        with pytest.raises(Forbidden, match="--allow-private"):
            careful.fetch(f"{address}/curie.html")
    for address in ("http://169.254.169.254/latest", "http://10.0.0.1/", "http://[fe80::1]/"):
        with pytest.raises(Forbidden, match="--allow-private"):
            careful.fetch(address)
    assert server.asked == []  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("/big.txt", TooLarge),
        ("/a.exe", UnsupportedDocument),
        ("/none.html", Unavailable),
        ("/to-itself", Unavailable),
    ],
)
def test_what_cannot_be_taken_in_is_told(
    reader: WebReader, site: str, path: str, error: type[Exception]
) -> None:
    with pytest.raises(error, match=site):
        reader.fetch(site + path)


def test_an_address_that_is_none_or_has_nobody_is_told(reader: WebReader) -> None:
    with pytest.raises(InvalidInput, match="https://"):
        reader.fetch("ftp://localhost/x")
    with pytest.raises(Unavailable, match="cannot be fetched"):
        reader.fetch("http://localhost:1/")


def test_of_sitemaps_within_a_sitemap_no_more_is_read_than_of_one(
    site: str, server: ThreadingHTTPServer
) -> None:
    reader = WebReader(100_000, allow_private=True, timeout_s=5, most_addresses=1000)
    assert len(list(reader.documents(f"{site}/nested.xml"))) == 1000
    assert reader.is_cut_off
    assert len(server.asked) < 6  # type: ignore[attr-defined]


def test_the_rest_of_a_sitemap_is_told(site: str, tmp_path: Path) -> None:
    reader = WebReader(100_000, allow_private=True, timeout_s=5, most_addresses=2)
    found = WebSource(f"{site}/nested.xml", reader).collected(tmp_path, lambda _: None, {})
    assert not found.is_whole
    assert "more than 2 pages" in found.refused[f"{site}/nested.xml"]


def test_thousands_of_pages_are_read_of_one_sitemap(site: str) -> None:
    reader = WebReader(100_000, allow_private=True, timeout_s=5)
    assert len(list(reader.documents(f"{site}/nested.xml"))) == 2000
    assert not reader.is_cut_off


def test_a_page_that_comes_without_end_is_given_up(site: str) -> None:
    with pytest.raises(Unavailable, match="whole"):
        WebReader(1_000, allow_private=True, whole_s=0.2).fetch(f"{site}/slow.txt")


def test_a_sitemap_stands_for_the_pages_of_its_own_host(reader: WebReader, site: str) -> None:
    pages = [f"{site}/curie.html", f"{site}/papers/"]
    assert list(reader.documents(f"{site}/sitemap.xml")) == pages
    assert list(reader.documents(f"{site}/index.xml")) == pages
    assert list(reader.documents(pages[0])) == pages[:1]
    for path in ("/broken.xml", "/bomb.xml"):
        with pytest.raises(UnsupportedDocument, match="sitemap"):
            list(reader.documents(site + path))
