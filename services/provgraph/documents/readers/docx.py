"""DOCX → text: paragraphs, list items and table rows of the main document, in order.

Read with the standard library alone: a DOCX is a zip of XML (ECMA-376), of which text needs two parts. The
parser refuses document type declarations (which the format forbids: ECMA-376-2, 8.2.5), so that no entity
can be defined, and each part has a size limit, so that a small file cannot unfold into memory.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from provgraph.documents import tables
from provgraph.documents.document import Header
from provgraph.documents.readers.dates import iso_date
from provgraph.documents.readers.text import TextDocument, one_line, title_from_name, writable
from provgraph.errors import TooLarge, UnreadableDocument

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
MAIN_PART = "word/document.xml"
PART_LIMIT = 256 * 1024 * 1024

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT_WORD = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_DC_TERMS = "{http://purl.org/dc/terms/}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"


def open_docx(content: bytes, name: str) -> TextDocument:
    """The document in `content`; title, author and date from its core properties, else its first heading.

    Raises `UnreadableDocument` when the archive or its XML is damaged, `TooLarge` when it unfolds too far.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            body = _part(archive, MAIN_PART)
            core = _part(archive, "docProps/core.xml") if "docProps/core.xml" in archive.namelist() else None
        paragraphs = list(_blocks(body))
        heading = _first_heading(body)
    except RecursionError as error:
        raise UnreadableDocument(
            f"{name} is nested too deeply. Take tables out of tables, and save it again."
        ) from error
    except (
        zipfile.BadZipFile,
        zlib.error,
        ParseError,
        KeyError,
        NotImplementedError,
        RuntimeError,  # encrypted
        EOFError,
        ValueError,  # `zipfile` seeks before the beginning of a file that was cut
    ) as error:
        raise UnreadableDocument(
            f"{name} is a damaged DOCX file ({error}). Open it in a word processor and save it again."
        ) from error
    properties = {child.tag: one_line(child.text or "") for child in (core if core is not None else ())}
    creator = properties.get(_DC + "creator", "")
    header = Header(
        title=properties.get(_DC + "title", "") or heading or title_from_name(name),
        media_type=MEDIA_TYPE,
        page_count=1,
        creators=(creator,) if creator else (),
        date=iso_date(properties.get(_DC_TERMS + "created", "")),
    )
    return TextDocument(header, content, writable("\n\n".join(paragraphs)).replace("\f", "\n"))


class _NoDoctype(TreeBuilder):
    def doctype(self, *_: str | None) -> None:
        raise ParseError("it declares a document type, which DOCX forbids")


def _part(archive: zipfile.ZipFile, path: str) -> Element:
    if archive.getinfo(path).file_size > PART_LIMIT:
        raise TooLarge(
            f"The part {path} of this DOCX file unfolds to more than {PART_LIMIT // 2**20} MB. "
            "Split the document into smaller files."
        )
    parser = XMLParser(target=_NoDoctype())
    with archive.open(path) as stream:
        for piece in iter(lambda: stream.read(1 << 20), b""):
            parser.feed(piece)
    root = parser.close()
    for element in root.iter():
        if isinstance(element.tag, str) and element.tag.startswith(_STRICT_WORD):
            element.tag = _WORD + element.tag[len(_STRICT_WORD) :]
    return root


def _blocks(parent: Element) -> Iterator[str]:
    """Each paragraph, and each table as its rows, a line of `| cell | cell |` each."""
    for child in parent:
        if child.tag == _WORD + "p":
            text = _paragraph(child).strip()
            if text:
                yield text
        elif child.tag == _WORD + "tbl":
            yield tables.labelled("\n".join(_rows(child)))
        elif child.tag != _FALLBACK:
            yield from _blocks(child)


def _rows(table: Element) -> Iterator[str]:
    """The rows of a table, with a rule below the first where the document calls it the head."""
    above: list[str] = []
    head = _has_head(table)
    for row in _own(table, _WORD + "tr"):
        above = _cells(row, above)
        if any(above):
            yield tables.row(above)
            if head and len(above) > 1:
                yield tables.rule(len(above))
            head = False


def _own(parent: Element, tag: str) -> Iterator[Element]:
    """The rows of a table, or the cells of a row, also where something is wrapped around them; not those of tables
    inside it, which are the text of their cell: read again at each level, they would double with each."""
    for child in parent:
        if child.tag == tag:
            yield child
        elif child.tag != _WORD + "tbl":
            yield from _own(child, tag)


def _has_head(table: Element) -> bool:
    look = table.find(f"{_WORD}tblPr/{_WORD}tblLook")
    said = look.get(_WORD + "firstRow", "") if look is not None else ""
    return said in ("1", "true", "on") or table.find(f"{_WORD}tr/{_WORD}trPr/{_WORD}tblHeader") is not None


def _cells(row: Element, above: Sequence[str]) -> list[str]:
    """The texts of a row, column by column; a merged cell's in each of its columns and rows."""
    texts: list[str] = []
    for cell in _own(row, _WORD + "tc"):
        text = " ".join(" ".join(_blocks(cell)).split())
        merged = cell.find(f"{_WORD}tcPr/{_WORD}vMerge")
        if merged is not None and merged.get(_WORD + "val", "continue") == "continue":
            text = above[len(texts)] if len(texts) < len(above) else text
        span = cell.find(f"{_WORD}tcPr/{_WORD}gridSpan")
        width = span.get(_WORD + "val", "1") if span is not None else "1"
        columns = int(width) if width.isdecimal() and len(width) < 5 else 1
        texts += [text] * min(max(columns, 1), max(tables.MOST_COLUMNS - len(texts), 1))
    return texts


def _paragraph(paragraph: Element) -> str:
    return "".join(_runs(paragraph))


def _runs(parent: Element) -> Iterator[str]:
    for child in parent:
        if child.tag == _WORD + "t":
            yield child.text or ""
        elif child.tag == _WORD + "tab":
            yield " "
        elif child.tag in (_WORD + "br", _WORD + "cr"):
            yield "\n"
        elif child.tag == _WORD + "noBreakHyphen":
            yield "-"
        elif child.tag == _WORD + "p":  # a text box stands inside the paragraph that anchors it
            yield f"\n{_paragraph(child)}\n"
        elif child.tag not in (_FALLBACK, _WORD + "pPr", _WORD + "rPr"):
            yield from _runs(child)


def _first_heading(body: Element) -> str:
    for paragraph in body.iter(_WORD + "p"):
        style = paragraph.find(f"{_WORD}pPr/{_WORD}pStyle")
        name = style.get(_WORD + "val", "") if style is not None else ""
        if name == "Title" or name.lower().startswith("heading"):
            text = one_line(_paragraph(paragraph))
            if text:
                return text
    return ""
