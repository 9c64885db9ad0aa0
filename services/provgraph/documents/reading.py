"""Bytes → open documents: finds out what a file is, and hands it to the reader of that format.

The bytes decide before the name, and the name before the declared type: a PDF named `.txt` is read as PDF.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator

from provgraph.documents.document import OpenDocument
from provgraph.documents.readers import delimited, docx, html, markdown, records, text, xlsx
from provgraph.errors import UnreadableDocument, UnsupportedDocument
from provgraph.ports.text_recogniser import TextRecogniser

SUPPORTED = "PDF, DOCX, XLSX, HTML, Markdown, plain text, CSV, JSON, JSONL, PNG, JPEG and TIFF"

_PDF = "application/pdf"
_TYPE_OF_EXTENSION = {
    "pdf": _PDF,
    "docx": docx.MEDIA_TYPE,
    "xlsx": xlsx.MEDIA_TYPE,
    "md": markdown.MEDIA_TYPE,
    "markdown": markdown.MEDIA_TYPE,
    "html": html.MEDIA_TYPE,
    "htm": html.MEDIA_TYPE,
    "xhtml": html.MEDIA_TYPE,
    "json": records.JSON_MEDIA_TYPE,
    "jsonl": records.JSONL_MEDIA_TYPE,
    "ndjson": records.JSONL_MEDIA_TYPE,
    "txt": text.MEDIA_TYPE,
    "csv": delimited.CSV_MEDIA_TYPE,
    "tsv": delimited.TSV_MEDIA_TYPE,
}
_TYPE_OF_ALIAS = {
    "application/jsonl": records.JSONL_MEDIA_TYPE,
    "application/x-jsonlines": records.JSONL_MEDIA_TYPE,
    "application/xhtml+xml": html.MEDIA_TYPE,
    "text/x-markdown": markdown.MEDIA_TYPE,
}
_IMAGES = (
    (b"\x89PNG\r\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
)
_FOREIGN = (
    (b"GIF8", "a GIF image"),
    (b"RIFF", "a RIFF media file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"\xd0\xcf\x11\xe0", "an old or an encrypted Office file"),
    (b"{\\rtf", "an RTF file"),
    (b"%!PS", "a PostScript file"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"SQLite format 3", "an SQLite database"),
)
_BINARY = re.compile(rb"[\x00-\x06\x0e-\x1a\x1c-\x1f]")
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_HTML_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)?<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)


def open_documents(
    content: bytes, name: str, media_type: str = "", recogniser: TextRecogniser | None = None
) -> Iterator[OpenDocument]:
    """The documents in `content`: one, or one for each record of a JSON or JSONL file.

    `name` is the file's name, `media_type` what its sender declared it to be (may carry a `charset`), and
    `recogniser` reads pictures of text, where there is one.
    Raises `UnsupportedDocument` for a type that no reader takes, and `UnreadableDocument` for an empty,
    damaged or encrypted file, one without text, or one in the wrong encoding; a record or a PDF may turn
    out so only when its pages are read.
    """
    if not content.strip():
        raise UnreadableDocument(f"{name} is empty. Give a file with text in it.")
    found = sniffed_type(content, name, media_type)
    if found == _PDF or found.startswith("image/"):
        yield _open_with_pymupdf(content, name, found, recogniser)
        return
    charset = _CHARSET.search(media_type)
    yield from _opened(content, name, found, charset[1] if charset else "")


def sniffed_type(content: bytes, name: str, media_type: str = "") -> str:
    """The media type of the reader that takes this file."""
    if b"%PDF-" in content[:1024]:
        return _PDF
    if content.startswith(b"PK\x03\x04"):
        return _zip_type(content, name)
    image = next((found for magic, found in _IMAGES if content.startswith(magic)), "")
    if image:
        return image
    _refuse_binary(content, name)
    return _text_type(content, name, media_type)


def _opened(content: bytes, name: str, media_type: str, charset: str) -> Iterator[OpenDocument]:
    if media_type == docx.MEDIA_TYPE:
        yield _with_text(docx.open_docx(content, name), name)
    elif media_type == xlsx.MEDIA_TYPE:
        yield _with_text(xlsx.open_xlsx(content, name), name)
    elif media_type == records.JSON_MEDIA_TYPE:
        yield from records.open_json(content, name, charset)
    elif media_type == records.JSONL_MEDIA_TYPE:
        yield from records.open_jsonl(content, name)
    else:
        opening = {
            html.MEDIA_TYPE: html.open_html,
            markdown.MEDIA_TYPE: markdown.open_markdown,
            delimited.CSV_MEDIA_TYPE: delimited.open_delimited,
            delimited.TSV_MEDIA_TYPE: delimited.open_delimited,
        }
        yield _with_text(opening.get(media_type, text.open_text)(content, name, charset), name)


def _open_with_pymupdf(
    content: bytes, name: str, media_type: str, recogniser: TextRecogniser | None
) -> OpenDocument:
    """Imports PyMuPDF at the first PDF or image: the other formats do without it."""
    try:
        from provgraph.documents.readers.image import open_image
        from provgraph.documents.readers.pdf import open_pdf
    except ModuleNotFoundError as error:
        raise UnsupportedDocument(
            f"{name} is a PDF or an image, and PyMuPDF is not installed. Install it: pip install pymupdf."
        ) from error
    if media_type == _PDF:
        return open_pdf(content, name, recogniser)
    return open_image(content, name, media_type, recogniser)


def _with_text(document: text.TextDocument, name: str) -> OpenDocument:
    if not document.text.strip():
        raise UnreadableDocument(f"{name} holds no text. Give a document with text in it.")
    return document


def _zip_type(content: bytes, name: str) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.namelist()
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise UnreadableDocument(
            f"{name} is a damaged Office or zip file ({error}). Make or download it again."
        ) from error
    for main_part, media_type in ((docx.MAIN_PART, docx.MEDIA_TYPE), (xlsx.MAIN_PART, xlsx.MEDIA_TYPE)):
        if main_part in parts:
            return media_type
    raise UnsupportedDocument(
        f"{name} is a zip archive or an Office file other than DOCX and XLSX. Give one of {SUPPORTED}."
    )


def _refuse_binary(content: bytes, name: str) -> None:
    what = next((what for magic, what in _FOREIGN if content.startswith(magic)), "")
    if not what and not content.startswith(_UTF_16_MARKS) and _BINARY.search(content[:8192]):
        what = "binary data, or UTF-16 without a byte order mark"
    if what:
        raise UnsupportedDocument(f"{name} is {what}. Give one of {SUPPORTED}.")


def _text_type(content: bytes, name: str, media_type: str) -> str:
    extension = name.rsplit(".", 1)[-1].lower() if "." in name else ""
    declared = media_type.split(";")[0].strip().lower()
    named = _TYPE_OF_EXTENSION.get(extension) or _TYPE_OF_ALIAS.get(declared, declared)
    if named in (_PDF, docx.MEDIA_TYPE, xlsx.MEDIA_TYPE):
        raise UnreadableDocument(
            f"{name} is called a {extension.upper() or 'PDF or Office'} file but holds none. "
            "Make or download it again, or name it for what it is."
        )
    if _HTML_START.match(content[:4096]):
        return html.MEDIA_TYPE
    return named if named in _TYPE_OF_EXTENSION.values() else text.MEDIA_TYPE
