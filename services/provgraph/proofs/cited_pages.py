"""The pages that an answer cites, as files of a bundle: their texts, and pictures of those of a PDF."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from provgraph.catalogue.page_pictures import PagePictures
from provgraph.documents.drawn_pages import FoundWords
from provgraph.documents.library import Library
from provgraph.errors import NotFound, ProvGraphError
from provgraph.rdf.terms import NamedNode
from provgraph.wire.text import CitedSource
from provgraph.wire.trace import TraceAnswer

MOST_PAGES: Final = 50
WIDTH: Final = 1000


@dataclass(frozen=True)
class MarkedArea:
    """A rectangle in shares of the picture's width and height."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True)
class CitedPage:
    """`text_file` and `picture_file` are names in the bundle; `picture` is PNG, empty without one. `marks` are the
    places of the cited words on the picture."""

    iri: str
    text_file: str
    text: str
    picture_file: str = ""
    picture: bytes = b""
    marks: tuple[MarkedArea, ...] = ()


@dataclass(frozen=True)
class PageReader:
    library: Library
    pictures: PagePictures

    async def pages(self, collection: str, cited: Iterable[CitedSource]) -> dict[str, CitedPage]:
        """By IRI, as many as fit; those whose text is gone are left out."""
        by_page: dict[str, list[CitedSource]] = {}
        for source in cited:
            by_page.setdefault(source.page, []).append(source)
        found: dict[str, CitedPage] = {}
        for number, (page, sources) in enumerate(list(by_page.items())[:MOST_PAGES], 1):
            with suppress(NotFound):
                found[page] = await self._page(collection, number, NamedNode(page), sources)
        return found

    async def _page(
        self, collection: str, number: int, page: NamedNode, sources: list[CitedSource]
    ) -> CitedPage:
        text = await self.library.text(collection, page)
        made = CitedPage(page.value, f"pages/{number}.txt", text)
        try:
            picture = await self.pictures.picture(collection, page, WIDTH)
        except ProvGraphError:  # a document without pages, or one whose bytes are gone
            return made
        marks: list[MarkedArea] = []
        for start, end in sorted({(source.start, source.end) for source in sources}):
            with suppress(ProvGraphError):  # read by another version of the reader: the text has the words
                marks += _marks(await self.pictures.words(collection, page, start, end))
        return CitedPage(page.value, made.text_file, text, f"pages/{number}.png", picture, tuple(marks))


def cited_sources(answer: TraceAnswer | None) -> Iterator[CitedSource]:
    for sentence in answer.sentences if answer else ():
        yield from sentence.sources


def _marks(found: FoundWords) -> Iterator[MarkedArea]:
    for left, top, right, bottom in found.rectangles:
        yield MarkedArea(
            left / found.width,
            top / found.height,
            (right - left) / found.width,
            (bottom - top) / found.height,
        )
