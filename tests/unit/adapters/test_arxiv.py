"""arXiv's search over real sockets: its pace, its faults, and feeds that cannot be trusted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from provgraph.adapters.arxiv import ArxivSearch, Waiting, read_feed
from provgraph.errors import InvalidInput, NotFound, TooLarge, Unavailable, UnreadableDocument
from provgraph.ports.paper_search import FoundPaper, UnusableEntry
from servers.arxiv_server import ArxivServer, arxiv_server, entry_of, feed_of
from servers.papers import ALL, HOSTILE, LAYNET, TABLES

BASE = "https://arxiv.example"
MOST = 5_000_000


@dataclass
class Clock:
    """Time that passes only when somebody waits."""

    now: float = 100.0
    waits: list[float] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    @property
    def waiting(self) -> Waiting:
        return Waiting(self.sleep, lambda: self.now)


@pytest.fixture(scope="module")
def arxiv() -> Iterator[ArxivServer]:
    with arxiv_server(ALL) as server:
        yield server


@pytest.fixture(autouse=True)
def _as_new(arxiv: ArxivServer) -> None:
    arxiv.busy.clear()
    arxiv.withdrawn.clear()
    arxiv.broken.clear()
    arxiv.redirects.clear()
    arxiv.feed = None


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def search(arxiv: ArxivServer, clock: Clock) -> ArxivSearch:
    return ArxivSearch(arxiv.url, MOST, clock.waiting)


async def found_first(search: ArxivSearch) -> FoundPaper:
    paper = (await search.search("document layout", 5))[0]
    assert isinstance(paper, FoundPaper)
    return paper


async def test_a_search_gives_papers_with_all_that_a_bibliography_wants(search: ArxivSearch) -> None:
    paper = await found_first(search)
    assert paper.id == "https://arxiv.org/abs/2101.00001"
    assert paper.version == "arXiv:2101.00001v1"
    assert paper.title == LAYNET.title
    assert paper.creators == LAYNET.creators
    assert paper.published == "2021-01-04"
    assert paper.abstract == LAYNET.abstract
    assert paper.address.endswith("/pdf/2101.00001v1")
    assert await search.pdf(paper) == LAYNET.pdf


async def test_no_more_papers_come_than_are_wanted(search: ArxivSearch) -> None:
    assert len(await search.search("document", 2)) == 2


async def test_between_two_requests_are_three_seconds(search: ArxivSearch, clock: Clock) -> None:
    await search.pdf(await found_first(search))
    clock.now += 1
    await search.search("tables", 5)
    assert clock.waits == [3.0, 2.0]


@pytest.mark.parametrize("status", [429, 503])
async def test_where_it_is_busy_it_is_asked_again_after_longer_and_longer_waits(
    search: ArxivSearch, arxiv: ArxivServer, clock: Clock, status: int
) -> None:
    arxiv.busy = [status] * 3
    told: list[float] = []
    assert await search.search("document", 5, told.append)
    assert clock.waits == told == [5.0, 10.0, 15.0]


async def test_where_it_stays_busy_that_is_told(
    search: ArxivSearch, arxiv: ArxivServer, clock: Clock
) -> None:
    arxiv.busy = [429] * 10
    with pytest.raises(Unavailable, match="busy"):
        await search.search("document", 5)
    assert clock.waits == [5.0, 10.0, 15.0]
    assert len(arxiv.busy) == 6


async def test_a_withdrawn_paper_and_a_broken_one_are_told(search: ArxivSearch, arxiv: ArxivServer) -> None:
    paper = await found_first(search)
    arxiv.withdrawn.add(LAYNET.number)
    with pytest.raises(NotFound, match="withdrawn"):
        await search.pdf(paper)
    arxiv.withdrawn.clear()
    arxiv.broken.add(LAYNET.number)
    with pytest.raises(UnreadableDocument):
        await search.pdf(paper)


async def test_a_redirect_within_arxiv_is_followed_and_one_elsewhere_is_not(
    search: ArxivSearch, arxiv: ArxivServer
) -> None:
    paper = await found_first(search)
    arxiv.redirects = {f"/pdf/{LAYNET.number}": f"/pdf/{TABLES.number}"}
    assert await search.pdf(paper) == TABLES.pdf
    for elsewhere in ("http://169.254.169.254/latest/", "file:///etc/passwd", "https://elsewhere.example/"):
        arxiv.redirects = {f"/pdf/{LAYNET.number}": elsewhere}
        with pytest.raises(Unavailable, match="not followed"):
            await search.pdf(paper)
    arxiv.redirects = {f"/pdf/{LAYNET.number}": f"/pdf/{LAYNET.number}"}
    with pytest.raises(Unavailable, match="without end"):
        await search.pdf(paper)


async def test_a_body_over_the_limit_is_not_read_to_its_end(arxiv: ArxivServer, clock: Clock) -> None:
    search = ArxivSearch(arxiv.url, 100, clock.waiting)
    with pytest.raises(TooLarge):
        await search.pdf(await found_first(search))


async def test_without_a_network_it_says_what_to_do(clock: Clock) -> None:
    with pytest.raises(Unavailable, match="research build --from"):
        await ArxivSearch("http://127.0.0.1:9", MOST, clock.waiting).search("document", 5)


@pytest.mark.parametrize("base", ["file:///etc", "ftp://arxiv.org", "arxiv.org", ""])
def test_only_an_http_address_is_one(base: str) -> None:
    with pytest.raises(InvalidInput):
        ArxivSearch(base, MOST)


async def test_a_topic_without_a_word_is_refused(search: ArxivSearch) -> None:
    with pytest.raises(InvalidInput):
        await search.search(' "( ', 5)


async def test_a_topic_says_words_and_nothing_else(search: ArxivSearch, arxiv: ArxivServer) -> None:
    await search.search('tables" OR cat:hep-th&max_results=9', 5)
    assert "search_query=all%3Atables+AND+all%3AOR+AND+all%3Acat" in arxiv.asked[-1]
    assert "&max_results=5&" in arxiv.asked[-1]


BOMB = b"""<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;">]>
<feed xmlns="http://www.w3.org/2005/Atom"><title>&b;</title></feed>"""
OUTSIDE = b"""<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>&x;</title></entry></feed>"""


@pytest.mark.parametrize("feed", [BOMB, OUTSIDE, b"", b"<html/>", b"<feed>", b"\x00\xff", b"{}"])
def test_a_feed_that_cannot_be_trusted_is_refused(feed: bytes) -> None:
    with pytest.raises(Unavailable):
        read_feed(feed, BASE)


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "http://arxiv.org/abs/../../etc/passwd",
        "javascript:alert(1)",
        "http://arxiv.org/abs/2101.00001v1/../../admin",
        "http://arxiv.org/abs/",
        "",
    ],
)
def test_an_entry_with_another_address_is_no_paper(address: str) -> None:
    feed = feed_of([]).replace(b"</feed>", entry_of(LAYNET, address or " ").encode() + b"</feed>")
    (entry,) = read_feed(feed, BASE)
    assert isinstance(entry, UnusableEntry)
    assert entry.title == LAYNET.title


def test_a_paper_is_fetched_from_arxiv_wherever_its_entry_points() -> None:
    feed = feed_of([]).replace(
        b"</feed>", entry_of(LAYNET, "http://169.254.169.254/abs/2101.00001v1").encode() + b"</feed>"
    )
    (paper,) = read_feed(feed, BASE)
    assert isinstance(paper, FoundPaper)
    assert paper.address == f"{BASE}/pdf/2101.00001v1"


def test_markup_in_a_title_is_text() -> None:
    (paper,) = read_feed(feed_of([HOSTILE]), BASE)
    assert isinstance(paper, FoundPaper)
    assert paper.title == HOSTILE.title
