"""The page of a bundle: the answer, the words that support each sentence, and the pages they stand on, which are files
of the bundle: their texts, and pictures of those of a PDF. Nothing of it is loaded from anywhere."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from provgraph.catalogue.contents import PagePictures
from provgraph.documents.drawn_pages import FoundWords
from provgraph.documents.library import Library
from provgraph.errors import NotFound, ProvGraphError
from provgraph.rdf.terms import NamedNode
from provgraph.wire.text import CitedSource
from provgraph.wire.trace import TraceAnswer, TraceSentence, TraceView

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
        cited_page = CitedPage(page.value, f"pages/{number}.txt", text)
        try:
            picture = await self.pictures.picture(collection, page, WIDTH)
        except ProvGraphError:  # a document without pages, or one whose bytes are gone
            return cited_page
        marks: list[MarkedArea] = []
        for start, end in sorted({(source.start, source.end) for source in sources}):
            with suppress(ProvGraphError):  # read by another version of the reader: the text has the words
                marks += _marks(await self.pictures.words(collection, page, start, end))
        return CitedPage(page.value, cited_page.text_file, text, f"pages/{number}.png", picture, tuple(marks))


def cited_sources(answer: TraceAnswer | None) -> Iterator[CitedSource]:
    for sentence in answer.sentences if answer else ():
        yield from sentence.sources


def _marks(words: FoundWords) -> Iterator[MarkedArea]:
    for left, top, right, bottom in words.rectangles:
        yield MarkedArea(
            left / words.width,
            top / words.height,
            (right - left) / words.width,
            (bottom - top) / words.height,
        )


_AROUND: Final = 400
_STYLE: Final = """
:root { color-scheme: light dark; --line: #8884; --mark: #ffd54a; --ink: #1b1b1b }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
.answer { font-size: 1.15rem; border-left: 4px solid #2c6e9b; padding-left: 1rem }
.warning { border: 1px solid #b3541e; padding: .5rem 1rem; border-radius: 4px }
.note, dt, figcaption { color: #777 }
article { border-top: 1px solid var(--line); padding: .75rem 0 }
blockquote { margin: .5rem 0; padding: .5rem .75rem; background: #8881; white-space: pre-wrap; overflow-wrap: anywhere }
mark { background: var(--mark); color: var(--ink) }
figure { margin: .5rem 0; position: relative } figure div { position: relative; border: 1px solid var(--line) }
figure img { width: 100%; display: block }
figure i { position: absolute; background: #ffd54a; mix-blend-mode: multiply; outline: 1px solid #b38600 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem } dd { margin: 0; overflow-wrap: anywhere }
code { font-size: .85em; overflow-wrap: anywhere }
"""


def proof_page(view: TraceView, pages: Mapping[str, CitedPage], about: Mapping[str, Any]) -> str:
    """A whole HTML document."""
    return "\n".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
            "style-src 'unsafe-inline'; img-src data:\">",
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>Proof: {escape(view.query)}</title><style>{_STYLE}</style></head><body>",
            *_body(view, pages, about),
            "</body></html>\n",
        ]
    )


def _body(view: TraceView, pages: Mapping[str, CitedPage], about: Mapping[str, Any]) -> Iterator[str]:
    yield f"<h1>{escape(view.query)}</h1>"
    if view.receipt:
        yield (
            f'<p class="warning">Not answered by the installation that signed this: it received the answer in '
            f"{escape(view.receipt.file)}, on {escape(view.receipt.at[:10])}.</p>"
        )
    yield from (f'<p class="warning">No longer stands: {escape(reason)}</p>' for reason in view.stale)
    assert view.answer
    if view.answer.short_answer:
        yield f"<p><strong>{escape(view.answer.short_answer.text)}</strong></p>"
    yield f'<p class="answer">{escape(view.answer.text)}</p>'
    yield "<h2>What each sentence stands on</h2>"
    if not view.answer.sentences:
        yield '<p class="note">No sentence of it claims anything.</p>'
    for number, sentence in enumerate(view.answer.sentences, 1):
        yield from _sentence(number, sentence, pages)
    yield from _derivation(view)
    if pictured := [page for page in pages.values() if page.picture]:
        names = {
            source.page: f"{source.title}, page {source.page_number}" for source in cited_sources(view.answer)
        }
        yield "<h2>The pages</h2>"
        yield from (_picture(names[page.iri], page) for page in pictured)
    yield "<h2>How it came about</h2>"
    yield from _circumstances(view, about)
    yield from _checking()


def _sentence(number: int, sentence: TraceSentence, pages: Mapping[str, CitedPage]) -> Iterator[str]:
    origin = f" <span class='note'>({sentence.origin})</span>" if sentence.origin else ""
    yield f"<article><p>{number}. {escape(sentence.text)}{origin}</p>"
    if not sentence.sources:
        yield '<p class="note">No words of a document are cited for it.</p>'
    for source in sentence.sources:
        yield from _source(source, pages.get(source.page))
    yield "</article>"


def _source(source: CitedSource, page: CitedPage | None) -> Iterator[str]:
    before, after = "", ""
    if page:
        before = page.text[max(0, source.start - _AROUND) : source.start]
        after = page.text[source.end : source.end + _AROUND]
    yield f"<blockquote>{escape(before)}<mark>{escape(source.text)}</mark>{escape(after)}</blockquote>"
    place = f"{source.title}, page {source.page_number}, characters {source.start}–{source.end}"
    file = f", in {page.text_file}" if page else "; the text of the page is no longer stored"
    yield f'<p class="note">{escape(place)}{escape(file)}<br><code>{escape(source.document)}</code></p>'


def _derivation(view: TraceView) -> Iterator[str]:
    """The steps that gave the short answer."""
    short = view.answer.short_answer if view.answer else None
    if short:
        yield f"<h2>Why “{escape(short.text)}”</h2><ol>"
        yield from (
            f"<li>{escape(step.explanation)} <span class='note'>{escape(step.operation)}</span> → "
            f"<strong>{escape(step.value)}</strong></li>"
            for step in short.steps
        )
        yield "</ol>"


def _picture(name: str, page: CitedPage) -> str:
    marks = "".join(
        f'<i style="left:{mark.left:.2%};top:{mark.top:.2%};width:{mark.width:.2%};height:{mark.height:.2%}"></i>'
        for mark in page.marks
    )
    content = base64.b64encode(page.picture).decode()
    return (
        f'<figure><figcaption>{escape(name)}</figcaption><div><img alt="The page" '
        f'src="data:image/png;base64,{content}">{marks}</div></figure>'
    )


def _circumstances(view: TraceView, about: Mapping[str, Any]) -> Iterator[str]:
    models = ", ".join(dict.fromkeys(call.model for call in view.calls if call.model))
    told: Sequence[tuple[str, str]] = (
        ("Asked", view.started),
        ("Session", view.session),
        ("Way of asking", view.flow),
        ("Language model", models or "none: words and facts were chosen by rules"),
        ("Made by", str(about["software"])),
        ("Bundle made", str(about["made"])),
        ("Last signed record of the store", str(about.get("head", ""))),
        ("Signed by key", str(about["key"])),
    )
    yield "<dl>"
    yield from (f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in told if value)
    yield "</dl>"


def _checking() -> Iterator[str]:
    yield "<h2>Check it yourself</h2>"
    yield (
        "<p>This page shows the proof and does not check itself. <code>provgraph verify-bundle answer.zip</code>, or "
        "<code>python verify_bundle.py answer.zip</code> without ProvGraph, says whether one byte of the bundle was "
        "changed since it was signed, and by which key. <code>manifest.json</code> lists all files with hashes.</p>"
    )
