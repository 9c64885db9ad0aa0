"""Pages that are pictures → pages with the text that a recogniser finds in them.

Sizes are looked up before anything is unpacked, so that a small file cannot unfold into memory.
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import Final

import pymupdf

from provgraph.documents.document import Page, Recognition
from provgraph.documents.readers.mupdf import FAILURES, ONE_THREAD
from provgraph.documents.readers.pictured_tables import pictured_tables, rendered
from provgraph.documents.readers.writable import writable
from provgraph.errors import TimedOut, Unavailable, UnreadableDocument
from provgraph.ports.text_recogniser import RecogniserProfile, TextRecogniser

RESOLUTION: Final = 300  # dpi: what Tesseract is trained for
MOST_PIXELS: Final = 25_000_000  # of a rendered page: A3 at 300 dpi has 17.4 million
MOST_PICTURE_PIXELS: Final = 100_000_000  # of a page's pictures together, before they are scaled
SWITCHED_OFF: Final = "Text in pictures is not read here: set PROVGRAPH_OCR=auto to have it recognised."

_POINTS = 72  # to the inch


class PicturedPages:
    """Reads the pictures of one document's pages; `lacking` says why none can be read, once that is known."""

    def __init__(self, document: pymupdf.Document, name: str, recogniser: TextRecogniser | None) -> None:
        self.lacking = ""
        self._document = document
        self._name = name
        self._recogniser = recogniser
        self._profile: RecogniserProfile | None = None

    def page(self, index: int) -> Page:
        """Page `index`, from 0, with the text of its pictures; without text where it has none, or nobody reads them.

        Raises `TimedOut` or `Unavailable` when the recogniser fails, `UnreadableDocument` when the page is damaged.
        """
        number = index + 1
        try:
            with ONE_THREAD:
                pixels = _picture_pixels(self._document, index)
            profile = self.profile() if pixels else None
            if not (self._recogniser and profile):
                return Page(number, "")
            if pixels > MOST_PICTURE_PIXELS:
                return Page(number, "", unread=f"its pictures have more than {MOST_PICTURE_PIXELS:,} pixels")
            with ONE_THREAD:
                picture = _rendered(self._document, index)
        except FAILURES as error:
            raise UnreadableDocument(
                f"{self._name} is damaged: the picture of page {number} cannot be read. Make or download it again."
            ) from error
        return _recognised(self._recogniser, profile, picture, self._name, number)

    def with_tables(self, page: Page) -> Page:
        """A page of text, its tables that are pictures named, and read behind the text where somebody reads here."""
        index = page.number - 1
        try:
            with ONE_THREAD:
                tables = pictured_tables(self._document, index, page.layout.regions, page.text)
                profile = self.profile() if tables else None
                pictures = [rendered(self._document, index, table, RESOLUTION) for table in tables if profile]
        except FAILURES as error:
            raise UnreadableDocument(
                f"{self._name} is damaged: a picture of page {page.number} cannot be read. Make or download it again."
            ) from error
        if not tables:
            return page
        what = "a table as a picture" if len(tables) == 1 else f"{len(tables)} tables as pictures"
        if not (self._recogniser and profile):
            return replace(page, unread=f"has {what}, not read. {self.lacking.rstrip('.')}")
        read = [
            _recognised(self._recogniser, profile, picture, self._name, page.number) for picture in pictures
        ]
        known = [each for each in read if each.recognition]
        if not known:
            return replace(page, unread=f"has {what}, in which no text was recognised")
        least = min(each.recognition.confidence for each in known if each.recognition)
        text = "\n\n".join((page.text, *(each.text for each in known)))
        return replace(page, text=text, recognition=Recognition(profile, least), pictured=what)

    def profile(self) -> RecogniserProfile | None:
        """Who recognises here; None where nobody does, and then `lacking` says why."""
        if self._profile is None and not self.lacking:
            try:
                self._profile = self._recogniser.profile() if self._recogniser else None
                self.lacking = "" if self._recogniser else SWITCHED_OFF
            except Unavailable as error:
                self.lacking = str(error)
        return self._profile


def _recognised(
    recogniser: TextRecogniser, by: RecogniserProfile, picture: bytes, name: str, number: int
) -> Page:
    try:
        text = recogniser.recognise(picture)
    except TimedOut as error:
        raise TimedOut(f"{name}, page {number}: {error}") from error
    except Unavailable as error:
        raise Unavailable(f"{name}, page {number}: {error}") from error
    if not text.text.strip():
        return Page(number, "")
    return Page(number, writable(text.text), Recognition(by, text.confidence))


def _picture_pixels(document: pymupdf.Document, index: int) -> int:
    """How many pixels the pictures of a page have together, as they say themselves."""
    pictures = document[index].get_image_info()
    return sum(picture["width"] * picture["height"] for picture in pictures)


def _rendered(document: pymupdf.Document, index: int) -> bytes:
    """The page in grey at `RESOLUTION`, or as fine as `MOST_PIXELS` allows, as a PNG."""
    page = document[index]
    square_inches = max(page.rect.width * page.rect.height, 1) / _POINTS**2
    resolution = max(min(RESOLUTION, sqrt(MOST_PIXELS / square_inches)), 1)
    drawn = page.get_pixmap(dpi=int(resolution), colorspace=pymupdf.csGRAY, alpha=False)
    return bytes(drawn.tobytes("png"))  # type: ignore[no-untyped-call]
