"""Images (PNG, JPEG, TIFF with one or several pages) → pages of the text that is recognised in them."""

from __future__ import annotations

from collections.abc import Iterator

import pymupdf

from provgraph.documents.document import Header, Page
from provgraph.documents.readers.mupdf import FAILURES, ONE_THREAD
from provgraph.documents.readers.pictured import PicturedPages
from provgraph.documents.readers.text import title_from_name
from provgraph.errors import UnreadableDocument, UnsupportedDocument
from provgraph.ports.text_recogniser import TextRecogniser


class ImageDocument:
    """An image that is being read; `pages` raises `UnreadableDocument` when no text is found in it."""

    def __init__(self, content: bytes, header: Header, name: str, pictures: PicturedPages) -> None:
        self.content = content
        self.header = header
        self._name = name
        self._pictures = pictures

    def pages(self) -> Iterator[Page]:
        unread = ""
        seen_text = False
        for index in range(self.header.page_count):
            page = self._pictures.page(index)
            seen_text = seen_text or bool(page.text)
            unread = unread or page.unread
            yield page
        if not seen_text:
            why = unread or "no text was recognised in it"
            raise UnreadableDocument(
                f"{self._name}: {why}. Give an image of legible text, or the text itself."
            )


def open_image(
    content: bytes, name: str, media_type: str, recogniser: TextRecogniser | None
) -> ImageDocument:
    """The image in `content`, named after its file.

    Raises `UnsupportedDocument` where nobody recognises text, `UnreadableDocument` when the image is damaged.
    """
    kind = media_type.removeprefix("image/")
    try:
        with ONE_THREAD:
            document = pymupdf.open(stream=content, filetype=kind)  # type: ignore[no-untyped-call]
            page_count = document.page_count
    except FAILURES as error:
        raise UnreadableDocument(f"{name} is a damaged image. Make or download it again.") from error
    pictures = PicturedPages(document, name, recogniser)
    if pictures.profile() is None:
        raise UnsupportedDocument(f"{name} is a picture ({kind.upper()}). {pictures.lacking}")
    return ImageDocument(content, Header(title_from_name(name), media_type, page_count), name, pictures)
