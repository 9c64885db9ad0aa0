"""Scans and images become pages of recognised text; where they cannot, they are refused with what to do."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from provgraph.adapters.tesseract import TesseractRecogniser
from provgraph.documents.document import Header, Page
from provgraph.documents.readers.pictured import MOST_PICTURE_PIXELS
from provgraph.documents.reading import open_documents
from provgraph.errors import ProvGraphError, TimedOut, Unavailable, UnreadableDocument, UnsupportedDocument
from provgraph.ports.text_recogniser import RecognisedText, RecogniserProfile, TextRecogniser
from unit.documents.scans import CURIE, SODDY, needs_tesseract, picture, scan, tiff


@dataclass
class Reciter:
    """A recogniser that says one text of every picture, and counts them."""

    text: str = CURIE
    confidence: float = 0.9
    pictures: list[bytes] = field(default_factory=list)

    def profile(self) -> RecogniserProfile:
        return RecogniserProfile("reciter", "1")

    def recognise(self, picture: bytes) -> RecognisedText:
        self.pictures.append(picture)
        return RecognisedText(self.text, self.confidence)


def read(content: bytes, name: str, recogniser: TextRecogniser | None) -> tuple[Header, list[Page]]:
    (document,) = open_documents(content, name, "", recogniser)
    return document.header, list(document.pages())


def huge_png() -> bytes:
    """A picture of 60,000 by 60,000 pixels in a few bytes."""
    head = struct.pack(">IIBBBBB", 60_000, 60_000, 1, 0, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(bytes(1000))), (b"IEND", b""))
    chunks = (
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


@needs_tesseract
def test_a_scan_is_read_page_by_page_with_the_confidence_of_each() -> None:
    header, pages = read(scan(CURIE, SODDY), "letters.pdf", TesseractRecogniser())
    assert (header.title, header.media_type) == ("letters", "application/pdf")
    assert [page.text for page in pages] == [CURIE, SODDY]
    for page in pages:
        assert page.recognition is not None
        assert page.recognition.by.name == "tesseract"
        assert 0.6 < page.recognition.confidence <= 1
        assert page.warning == ""


@needs_tesseract
@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("letter.png", picture(CURIE).tobytes("png"), [CURIE]),
        ("letter.jpg", picture(CURIE).tobytes("jpg"), [CURIE]),
        ("letters.tiff", tiff(CURIE, SODDY), [CURIE, SODDY]),
    ],
    ids=["png", "jpeg", "tiff"],
)
def test_an_image_is_a_document_of_its_own(name: str, content: bytes, expected: list[str]) -> None:
    header, pages = read(content, name, TesseractRecogniser())
    assert [page.text for page in pages] == expected
    assert [page.number for page in pages] == list(range(1, len(expected) + 1))
    assert header.page_count == len(expected)
    assert header.media_type.startswith("image/")


@needs_tesseract
def test_the_same_picture_gives_the_same_text_and_confidence() -> None:
    once, again = (read(scan(CURIE), "a.pdf", TesseractRecogniser())[1] for _ in range(2))
    assert once == again


@needs_tesseract
def test_a_picture_without_words_is_no_document() -> None:
    with pytest.raises(UnreadableDocument, match=r"blank.png: no text was recognised in it\. "):
        read(picture().tobytes("png"), "blank.png", TesseractRecogniser())


def test_only_pages_without_text_of_their_own_are_recognised() -> None:
    document: Any = pymupdf.open(stream=scan(SODDY), filetype="pdf")  # type: ignore[no-untyped-call]
    document.new_page(pno=0, width=400, height=200).insert_text((40, 60), "Typed words stay.")
    document[0].insert_image((0, 100, 100, 150), stream=picture("x").tobytes("png"))
    document.new_page(width=400, height=200)
    reciter = Reciter()
    _, pages = read(document.tobytes(), "mixed.pdf", reciter)
    assert [page.text for page in pages] == ["Typed words stay.", CURIE, ""]
    assert [page.recognition is not None for page in pages] == [False, True, False]
    assert len(reciter.pictures) == 1


def test_a_page_that_was_recognised_with_low_confidence_says_so() -> None:
    _, (doubtful,) = read(scan(CURIE), "a.pdf", Reciter(confidence=0.41))
    assert "page 1 was recognised with confidence 0.41" in doubtful.warning
    _, (sure,) = read(scan(CURIE), "a.pdf", Reciter(confidence=0.6))
    assert sure.warning == ""


def test_a_small_file_with_a_huge_picture_is_never_unpacked() -> None:
    reciter = Reciter()
    with pytest.raises(UnreadableDocument, match=f"more than {MOST_PICTURE_PIXELS:,} pixels"):
        read(huge_png(), "bomb.png", reciter)
    assert reciter.pictures == []


def test_a_large_page_is_drawn_as_finely_as_the_limit_allows() -> None:
    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    page = document.new_page(width=7200, height=7200)  # ten feet
    page.insert_image(page.rect, stream=picture(CURIE).tobytes("png"))
    reciter = Reciter()
    read(document.tobytes(), "poster.pdf", reciter)
    drawn = pymupdf.Pixmap(reciter.pictures[0])  # type: ignore[no-untyped-call]
    assert 20_000_000 < drawn.width * drawn.height <= 25_000_000


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("cut.png", picture(CURIE).tobytes("png")[:1000]),
        ("cut.jpg", b"\xff\xd8\xff\xe0" + bytes(100)),
        ("cut.tiff", tiff(CURIE)[:1000]),
        ("none.tiff", b"II*\x00" + bytes(60)),
    ],
)
def test_a_damaged_image_is_refused_in_a_sentence(name: str, content: bytes) -> None:
    with pytest.raises(UnreadableDocument, match=rf"^{name} is .*damaged.*\. Make or download it again\.$"):
        read(content, name, Reciter())


def test_without_tesseract_scans_and_images_are_refused_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UnreadableDocument, match=r"scan\.pdf has no text layer.*apt install tesseract-ocr"):
        read(scan(CURIE), "scan.pdf", TesseractRecogniser())
    with pytest.raises(UnsupportedDocument, match=r"a\.png is a picture.*apt install tesseract-ocr"):
        read(picture(CURIE).tobytes("png"), "a.png", TesseractRecogniser())


def test_without_tesseract_the_typed_pages_of_a_document_are_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    document: Any = pymupdf.open(stream=scan(SODDY), filetype="pdf")  # type: ignore[no-untyped-call]
    document.new_page(width=400, height=200).insert_text((40, 60), "Typed words stay.")
    _, pages = read(document.tobytes(), "mixed.pdf", TesseractRecogniser())
    assert [page.text for page in pages] == ["", "Typed words stay."]


@pytest.mark.parametrize("content", [scan(CURIE), picture(CURIE).tobytes("png")], ids=["scan", "image"])
def test_switched_off_it_is_said_how_to_switch_it_on(content: bytes) -> None:
    with pytest.raises(ProvGraphError, match="PROVGRAPH_OCR=auto"):
        read(content, "letter", None)


@needs_tesseract
def test_a_language_without_data_is_named_with_what_to_install() -> None:
    with pytest.raises(UnreadableDocument, match=r"'xyz_abc'.*tesseract-ocr-xyz-abc"):
        read(scan(CURIE), "scan.pdf", TesseractRecogniser(("eng", "xyz_abc")))


@needs_tesseract
def test_a_picture_that_takes_too_long_ends_at_the_limit() -> None:
    with pytest.raises(TimedOut, match=r"after 0\.001 s"):
        TesseractRecogniser(seconds=0.001).recognise(picture(CURIE).tobytes("png"))


@needs_tesseract
def test_what_tesseract_cannot_read_is_said_in_its_words() -> None:
    with pytest.raises(Unavailable, match=r"^Tesseract failed \(.+\)\. "):
        TesseractRecogniser().recognise(b"no picture")


def with_pictured_table() -> bytes:
    """A page of text, and on it a table of ruled cells that is a picture; on the next a picture without rules."""
    drawn: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    for is_ruled in (True, False):
        cells = drawn.new_page(width=400, height=160)
        for at in range(5):
            cells.insert_text((20, 30 + 32 * at), f"Depot {at}", fontsize=12)
            if is_ruled:
                cells.draw_line((10, 10 + 34 * at), (390, 10 + 34 * at))
                cells.draw_line((10 + 95 * at, 10), (10 + 95 * at, 146))
    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    for picture_page in drawn:
        page = document.new_page()
        page.insert_text((72, 80), "The company runs five depots in the county.")
        page.insert_image((72, 140, 472, 300), stream=picture_page.get_pixmap(dpi=150).tobytes("png"))
    return bytes(document.tobytes())


def test_a_table_that_is_a_picture_is_named_and_read_behind_the_text_where_somebody_reads() -> None:
    _, (unread, plain) = read(with_pictured_table(), "depots.pdf", None)
    assert unread.warning.startswith("page 1 has a table as a picture, not read.")
    assert plain.warning == ""
    _, (recognised, plain) = read(with_pictured_table(), "depots.pdf", Reciter("Depot 0 41 96"))
    assert recognised.text == f"{unread.text}\n\nDepot 0 41 96"
    assert recognised.warning.startswith("page 1 has a table as a picture: recognised with confidence 0.90")
    assert plain.recognition is None
