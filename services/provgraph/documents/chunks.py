"""A document's chunks: every page's spans, sentences that a page end cuts, and repeated texts told apart."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import islice

from provgraph.documents.chunking import ChunkingSettings, chunk_page
from provgraph.documents.document import Page
from provgraph.documents.seams import Body, Seam, body, seam

_NEAR = 2  # pages on each side that are looked at for running heads: left and right pages may differ


@dataclass(frozen=True)
class Chunk:
    """A chunk of a page: `page.text[start:end] == text`.

    `index` counts from 0 within the page, `occurrence` from 0 within the document among chunks of this very
    text. Sentences that start in `[own_start, own_end)` of the page are this chunk's own. Where the page ends
    inside its last sentence, `continuation` holds the words that end it, which begin at `continuation_start`
    of the next page, and are not read there again.
    """

    page: int
    index: int
    start: int
    end: int
    own_start: int
    own_end: int
    text: str
    occurrence: int = 0
    continuation: str = ""
    continuation_start: int = 0

    @property
    def passage(self) -> str:
        """What is read for facts: the chunk, or up to the page end's cut and then the words after it."""
        if not self.continuation:
            return self.text
        return f"{self.text[: self.own_end - self.start]} {self.continuation}"

    @property
    def seam(self) -> int:
        """Where in `passage` the next page's words begin; -1 when there are none."""
        return self.own_end - self.start + 1 if self.continuation else -1

    def page_spans(self, start: int, end: int) -> list[tuple[int, int, int]]:
        """Where `passage[start:end]` stands: (page number, start, end) in the text of each of its pages."""
        cut = self.seam - 1 if self.continuation else len(self.passage)
        spans = []
        if start < min(end, cut):
            spans.append((self.page, self.start + start, self.start + min(end, cut)))
        if self.continuation and end > max(start, self.seam):
            base = self.continuation_start - self.seam
            spans.append((self.page + 1, base + max(start, self.seam), base + end))
        return spans


def chunk_document(
    pages: Iterable[Page], settings: ChunkingSettings | None = None
) -> Iterator[tuple[Page, list[Chunk]]]:
    """Each page with its chunks, in order; a page without text has none. Holds a few pages at a time."""
    settings = settings or ChunkingSettings()
    seen: Counter[bytes] = Counter()
    read_until = 0
    bodies = _bodies(pages)
    here = next(bodies, None)
    while here is not None:
        following = next(bodies, None)
        cut = seam(here, following) if following else None
        page = here[0]
        chunks = []
        for index, span in enumerate(chunk_page(page.text, settings)):
            text = page.text[span.start : span.end]
            key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
            chunk = Chunk(
                page=page.number,
                index=index,
                start=span.start,
                end=span.end,
                own_start=min(max(span.own_start, read_until), span.end),
                own_end=span.end,
                text=text,
                occurrence=seen[key],
            )
            seen[key] += 1
            chunks.append(_continued(chunk, cut, following[0].text) if cut and following else chunk)
        yield page, chunks
        read_until = cut.stop if cut else 0
        here = following


def _continued(chunk: Chunk, cut: Seam, following: str) -> Chunk:
    """The chunk with the words that end its last sentence, if it is the one in which the page's text ends."""
    if not chunk.own_start < cut.end <= chunk.end:
        return chunk
    return replace(
        chunk,
        own_end=cut.end,
        continuation=following[cut.start : cut.stop],
        continuation_start=cut.start,
    )


def _bodies(pages: Iterable[Page]) -> Iterator[tuple[Page, Body]]:
    """Each page with the part of it that is body, judged by the pages around it."""
    coming = iter(pages)
    window: deque[Page] = deque(islice(coming, _NEAR + 1))
    at = 0
    while at < len(window):
        near = [page.text for index, page in enumerate(window) if index != at]
        yield window[at], body(window[at].text, near)
        window.extend(islice(coming, 1))
        at += 1
        if at > _NEAR:
            window.popleft()
            at -= 1
