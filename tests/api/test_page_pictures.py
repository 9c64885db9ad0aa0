"""Pages of PDFs as pictures with the places of cited words, over HTTP."""

from __future__ import annotations

import base64
from typing import Any

import pymupdf
import pytest_asyncio

from api.running import CURIE, PROBLEM, Running
from provgraph.rdf.iris import iri

SENTENCE = "Marie Curie discovered polonium in 1898."


def pdf(*pages: str) -> bytes:
    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    for text in pages:
        document.new_page(width=600, height=800).insert_text((72, 100), text, fontsize=11)
    return bytes(document.tobytes())


@pytest_asyncio.fixture
async def source(service: Running) -> dict[str, Any]:
    """The source of a fact in the second page of a PDF."""
    content = base64.b64encode(pdf("Warsaw is a city in Poland.", SENTENCE)).decode()
    sent = await service.client.post(
        "/api/v1/documents", json={"content": content, "name": "curie.pdf", "id": "urn:x:curie"}
    )
    await service.finished(sent.json()["id"])
    trace = await service.get(f"/api/v1/traces/{(await service.ask())['session']}")
    return next(each for edge in trace["selected"] for each in edge["sources"])


async def test_a_page_is_a_picture_of_the_width_that_was_asked_for(
    service: Running, source: dict[str, Any]
) -> None:
    found = await service.client.get("/api/v1/documents/page", params={"id": source["page"], "width": 300})
    assert found.headers["content-type"] == "image/png"
    assert "immutable" in found.headers["cache-control"]
    pixels = pymupdf.Pixmap(found.content)  # type: ignore[no-untyped-call]
    assert (pixels.width, pixels.height) == (300, 400)


async def test_the_words_of_a_source_are_marked_where_the_picture_shows_them(
    service: Running, source: dict[str, Any]
) -> None:
    asked = {"id": source["page"], "start": str(source["start"]), "end": str(source["end"])}
    found = await service.get("/api/v1/documents/page/words", **asked)
    assert source["page_number"] == 2
    assert found["aspect"] == 0.75
    (box,) = found["rectangles"]
    picture = await service.client.get("/api/v1/documents/page", params={"id": source["page"], "width": 600})
    pixels: Any = pymupdf.Pixmap(picture.content)  # type: ignore[no-untyped-call]
    dark = [(x, y) for x in range(600) for y in range(800) if sum(pixels.pixel(x, y)) < 300]
    assert dark
    for x, y in dark:  # the sentence is all that stands on the page
        assert box["x"] * 600 - 2 <= x <= (box["x"] + box["width"]) * 600 + 2
        assert box["y"] * 800 - 2 <= y <= (box["y"] + box["height"]) * 800 + 2


async def test_what_is_no_page_of_a_pdf_is_told_as_a_problem(
    service: Running, source: dict[str, Any]
) -> None:
    await service.ingest(CURIE, id="urn:x:text")
    tree = await service.get("/api/v1/documents", id="urn:x:text")
    version = source["page"].rpartition("/page/")[0]
    for page, status in (
        (tree["content"][0]["id"], 415),
        ("urn:x:nothing", 404),
        (f"{version}/page/99", 422),
        ("urn:x:curie/version/00000000000000000000000000000000/page/1", 404),
    ):
        told = await service.client.get("/api/v1/documents/page", params={"id": page})
        assert (told.status_code, told.headers["content-type"]) == (status, PROBLEM), told.text


async def test_a_span_outside_of_the_text_is_refused(service: Running, source: dict[str, Any]) -> None:
    for start, end in ((5, 5), (-1, 4), (0, 100_000)):
        told = await service.client.get(
            "/api/v1/documents/page/words", params={"id": source["page"], "start": start, "end": end}
        )
        assert told.status_code == 400
        assert "characters" in told.json()["detail"]


async def test_a_text_of_another_reader_has_no_places(service: Running, source: dict[str, Any]) -> None:
    library = service.assembly.library
    await library.drop("default", iri(source["page"]))
    await library.keep("default", iri(source["page"]), f"An older reading. {SENTENCE}".encode())
    told = await service.client.get(
        "/api/v1/documents/page/words", params={"id": source["page"], "start": 0, "end": 5}
    )
    assert told.status_code == 409
    assert "another version of the reader" in told.json()["detail"]
