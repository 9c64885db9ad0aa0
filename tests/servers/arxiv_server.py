"""arXiv as this suite knows it: Atom over real sockets on loopback, with every fault that arXiv has or could have."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape

from servers.papers import WrittenPaper


@dataclass
class ArxivServer:
    """`busy` are statuses that the next requests are answered with; `withdrawn` are papers without a PDF; `broken` ones
    whose PDF is none; `redirects` leads from a path to an address. `feed`, where it is set, is sent as it is."""

    url: str
    papers: list[WrittenPaper]
    busy: list[int] = field(default_factory=list)
    withdrawn: set[str] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)
    redirects: dict[str, str] = field(default_factory=dict)
    feed: bytes | None = None
    asked: list[str] = field(default_factory=list)

    def forget(self) -> None:
        """Be as new."""
        for told in (self.busy, self.withdrawn, self.broken, self.redirects, self.asked):
            told.clear()
        self.feed = None

    def answer(self, path: str) -> tuple[int, str, bytes, str]:
        """Status, type, body and where a redirect leads."""
        parts = urlsplit(path)
        self.asked.append(path)
        if self.busy:
            return self.busy.pop(0), "text/plain", b"Rate exceeded.", ""
        if parts.path in self.redirects:
            return 302, "text/plain", b"", self.redirects[parts.path]
        if parts.path == "/api/query":
            return 200, "application/atom+xml", self.feed or self._found(parse_qs(parts.query)), ""
        number = parts.path.removeprefix("/pdf/")
        paper = next((each for each in self.papers if each.number == number), None)
        if paper is None or number in self.withdrawn:
            return 404, "text/html", b"<p>No PDF</p>", ""
        return 200, "application/pdf", b"<p>Broken</p>" if number in self.broken else paper.pdf, ""

    def _found(self, query: dict[str, list[str]]) -> bytes:
        words = [word.removeprefix("all:").casefold() for word in query["search_query"][0].split(" AND ")]
        found = [
            paper
            for paper in self.papers
            if all(word in f"{paper.title} {paper.abstract}".casefold() for word in words)
        ]
        return feed_of(found[: int(query["max_results"][0])])


def feed_of(papers: list[WrittenPaper]) -> bytes:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">'
        + "".join(map(entry_of, papers))
        + "</feed>"
    ).encode()


def entry_of(paper: WrittenPaper, address: str = "") -> str:
    authors = "".join(f"<author><name>{escape(name)}</name></author>" for name in paper.creators)
    return (
        f"<entry><id>{escape(address or f'http://arxiv.org/abs/{paper.number}')}</id>"
        f"<title>{escape(paper.title)}</title><summary>\n  {escape(paper.abstract)}\n</summary>{authors}"
        f"<published>{paper.published}T09:00:00Z</published></entry>"
    )


@contextmanager
def arxiv_server(papers: tuple[WrittenPaper, ...]) -> Iterator[ArxivServer]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, kind, body, location = made.answer(self.path)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            if location:
                self.send_header("Location", location)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is printed."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        made = ArxivServer(f"http://127.0.0.1:{server.server_port}", list(papers))
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield made
        finally:
            server.shutdown()
            thread.join()
