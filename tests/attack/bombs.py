"""Small files that unfold, loop or lie."""

from __future__ import annotations

import io
import zipfile
import zlib

WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def pdf(stream: bytes, filters: str, pages: str = "1") -> bytes:
    """A PDF of one page with this content stream, which says that it has so many pages."""
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [3 0 R] /Count {pages} >>".encode(),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        f"<< /Length {len(stream)} {filters} >>\nstream\n".encode() + stream + b"\nendstream",
    ]
    made, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(made))
        made += f"{number} 0 obj\n".encode() + part + b"\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    tail = f"xref\n0 5\n0000000000 65535 f \n{table}trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n{len(made)}\n%%EOF\n"
    return made + tail.encode()


def twice_deflated_pdf(megabytes: int = 100) -> bytes:
    """A content stream that is deflated twice: about a millionth of what it unfolds to."""
    text = b"BT /F 9 Tf 1 0 0 1 9 9 Tm (radium) Tj ET\n"
    once = zlib.compressobj(9)
    packed = b"".join(once.compress(text * (1_000_000 // len(text))) for _ in range(megabytes)) + once.flush()
    return pdf(zlib.compress(packed, 9), "/Filter [/FlateDecode /FlateDecode]")


def endless_pdf() -> bytes:
    """One that says it has more pages than there are numbers for."""
    return pdf(b"BT /F 9 Tf (radium) Tj ET", "", pages="2147483647")


def docx(body: str | bytes) -> bytes:
    made = io.BytesIO()
    text = (
        body
        if isinstance(body, bytes)
        else f"<w:document {WORD}><w:body>{body}</w:body></w:document>".encode()
    )
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", text)
    return made.getvalue()


def nested_tables(depth: int = 24) -> bytes:
    begin, end = "<w:tbl><w:tr><w:tc>" * depth, "</w:tc></w:tr></w:tbl>" * depth
    return docx(f"{begin}<w:p><w:r><w:t>radium</w:t></w:r></w:p>{end}")


def wide_cells(rows: int = 20_000) -> bytes:
    cell = (
        '<w:tr><w:tc><w:tcPr><w:gridSpan w:val="9999"/></w:tcPr>'
        f"<w:p><w:r><w:t>{'radium ' * 300}</w:t></w:r></w:p></w:tc></w:tr>"
    )
    return docx(f"<w:tbl>{cell * rows}</w:tbl>")


def misnamed_member() -> bytes:
    """A DOCX whose central directory calls a member by bytes that are no UTF-8, and says that they are."""
    content = docx("<w:p><w:r><w:t>radium</w:t></w:r></w:p>")
    flagged = content.replace(b"PK\x01\x02\x14\x03\x14\x00\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x00\x08")
    at = flagged.rindex(b"word/document.xml")
    return flagged[:at] + b"\xff\xfe" + flagged[at + 2 :]
