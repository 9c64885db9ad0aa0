"""Which reader a file gets, and the clear error of every file that none can read."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pymupdf
import pytest

from provgraph.documents.document import Header, OpenDocument
from provgraph.documents.reading import open_documents, sniffed_type
from provgraph.errors import UnreadableDocument, UnsupportedDocument

PNG = b"\x89PNG\r\n\x1a\n" + bytes(64)


def pdf(text: str = "Marie Curie discovered polonium in 1898.") -> bytes:
    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    page = document.new_page()
    if text:
        page.insert_text((72, 72), text)
    return bytes(document.tobytes())


def zipped(**members: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "/"), text)
    return buffer.getvalue()


def read(content: bytes, name: str, media_type: str = "") -> tuple[Header, str]:
    (document,) = open_documents(content, name, media_type)
    return document.header, "\f".join(page.text for page in document.pages())


@pytest.mark.parametrize(
    ("content", "name", "media_type", "expected"),
    [
        (b"Plain words.", "a.txt", "", "text/plain"),
        (b"Plain words.", "README", "", "text/plain"),
        (b"# Title\n\nWords.", "a.md", "", "text/markdown"),
        (b"# Title\n\nWords.", "upload", "text/markdown; charset=utf-8", "text/markdown"),
        (b"<p>Words</p>", "a.htm", "", "text/html"),
        (b"\n<!DOCTYPE html><p>Words</p>", "a.txt", "", "text/html"),
        (b'{"text": "Words"}', "a.json", "", "application/json"),
        (b'{"text": "Words"}', "a.jsonl", "", "application/x-ndjson"),
        (b'{"text": "Words"}', "upload", "application/x-jsonlines", "application/x-ndjson"),
        (pdf(), "a.pdf", "", "application/pdf"),
        (pdf(), "really.txt", "text/plain", "application/pdf"),
        (PNG, "picture.pdf", "application/pdf", "image/png"),
        (b"\xff\xd8\xff\xe0" + bytes(64), "picture", "", "image/jpeg"),
        (b"MM\x00*" + bytes(64), "scan.txt", "", "image/tiff"),
    ],
)
def test_the_bytes_decide_then_the_name_then_the_declared_type(
    content: bytes, name: str, media_type: str, expected: str
) -> None:
    assert sniffed_type(content, name, media_type) == expected


@pytest.mark.parametrize(
    ("content", "name", "told"),
    [
        (b"GIF89a" + bytes(64), "picture.gif", "GIF"),
        (b"\x00\x01\x02\x03" * 50, "data.txt", "binary"),
        (b"\x1f\x8b\x08" + bytes(20), "a.gz", "gzip"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(64), "old.doc", "Office"),
        (b"{\\rtf1 words}", "a.rtf", "RTF"),
        (zipped(xl__workbook="<x/>"), "table.xlsx", "other than DOCX"),
        ("words".encode("utf-16-le"), "unmarked.txt", "UTF-16"),
    ],
)
def test_an_unsupported_file_is_named_for_what_it_is_and_told_what_to_give(
    content: bytes, name: str, told: str
) -> None:
    with pytest.raises(UnsupportedDocument, match=told) as caught:
        list(open_documents(content, name))
    assert name in str(caught.value)
    assert "Markdown" in str(caught.value)


@pytest.mark.parametrize(
    ("content", "name", "media_type", "told"),
    [
        (b"", "a.pdf", "", "is empty"),
        (b" \n\t ", "a.txt", "", "is empty"),
        (b"\xef\xbb\xbf \n", "a.txt", "", "no text"),
        (b"<html><script>x()</script></html>", "a.html", "", "no text"),
        (b"no such thing", "a.pdf", "", "called a PDF"),
        (b"no such thing", "a.docx", "", "called a DOCX"),
        (b"no such thing", "upload", "application/pdf", "called a PDF"),
        (b"PK\x03\x04" + bytes(40), "a.docx", "", "damaged"),
        (b"caf\xe9", "a.txt", "", "byte 3 .* Convert the file to UTF-8"),
        (b"\xef\xbb\xbfcaf\xe9", "a.txt", "", "byte 6 "),
        (b"\xff\xfea\x00b", "a.txt", "", "UTF-16-LE: byte 4 "),
        (b"%PDF-1.7\ngarbage", "a.pdf", "", "damaged PDF"),
        (pdf(""), "scan.pdf", "", "scan.pdf has no text layer"),
    ],
)
def test_an_unreadable_file_says_why_and_what_to_do(
    content: bytes, name: str, media_type: str, told: str
) -> None:
    with pytest.raises(UnreadableDocument, match=told) as caught:
        read(content, name, media_type)
    assert str(caught.value).count(". ") >= 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_every_unicode_encoding_is_read_by_its_mark(encoding: str) -> None:
    assert read("서울은 도시다. 😀".encode(encoding), "a.txt")[1] == "서울은 도시다. 😀"


@pytest.mark.parametrize("charset", ["rot13", "zlib", "undefined", "punycode", "unicode_escape", "nonsense"])
def test_a_charset_that_no_text_is_written_in_counts_for_nothing(charset: str) -> None:
    assert read("café".encode(), "a.txt", f"text/plain; charset={charset}")[1] == "café"


def test_a_declared_charset_is_honoured() -> None:
    assert read("café".encode("latin-1"), "a.txt", "text/plain; charset=ISO-8859-1")[1] == "café"
    page = '<html><meta charset="windows-1252"><p>“café”</p>'.encode("windows-1252")
    assert read(page, "a.html")[1] == "“café”"


def test_line_ends_are_made_one_kind_and_unstorable_characters_replaced() -> None:
    assert read(b"one\r\ntwo\rthree\x07", "a.txt")[1] == "one\ntwo\nthree�"


def test_form_feeds_part_pages() -> None:
    (document,) = open_documents(b"one\ftwo\f\n", "notes.v2.txt")
    assert [(page.number, page.text) for page in document.pages()] == [(1, "one"), (2, "two")]
    assert (document.header.page_count, document.header.title) == (2, "notes.v2")


def test_a_document_keeps_the_bytes_that_name_it() -> None:
    documents: list[OpenDocument] = list(open_documents(b"words", "/folder/a.txt"))
    assert [document.content for document in documents] == [b"words"]
    assert documents[0].header.title == "a"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Rutherford and the atom\n\nHe came from Nelson.", "Rutherford and the atom"),
        ("Rutherford and the atom\n=====\nHe came from Nelson.", "Rutherford and the atom"),
        ("He came from Nelson.\n\nThen he left.", "notes"),
        ("a first line that goes on\nin the next one\n\nand so on", "notes"),
        ("ADA NOVAK (1871-1949)\nTeacher and painter\n\nAda Novak was born.", "Ada Novak (1871-1949)"),
        ("TOWN COUNCIL OF ORVIK\nMinutes of 8 October 2024.\n\nThe Mayor came.", "Town Council of Orvik"),
        ("ORVIK TRAMS PLC\nReport on 2024\n\nTrams ran.", "Orvik Trams PLC"),
        ("Dear Ms Falk\nYour letter came\n\nThank you.", "notes"),
    ],
)
def test_plain_text_is_titled_by_a_heading_that_it_begins_with(text: str, title: str) -> None:
    (document,) = open_documents(text.encode(), "notes.txt")
    assert document.header.title == title
