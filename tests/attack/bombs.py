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


def objects_pdf(page: str, others: list[str]) -> bytes:
    """A PDF of one page with these entries, and further objects from number 5 on."""
    parts = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R {page} >>",
        "<< /Length 38 >>\nstream\nBT /F0 9 Tf 50 50 Td (radium) Tj ET    \nendstream",
        *others,
    ]
    made, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(made))
        made += f"{number} 0 obj\n{part}\nendobj\n".encode()
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(parts) + 1
    tail = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\n"
    return made + f"{tail}startxref\n{len(made)}\n%%EOF\n".encode()


def fonts_pdf(count: int) -> bytes:
    """As many fonts, all named by one page."""
    names = " ".join(f"/F{number} {number + 5} 0 R" for number in range(count))
    fonts = ["<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"] * count
    return objects_pdf(f"/Resources << /Font << {names} >> >>", fonts)


def annotated_pdf(count: int) -> bytes:
    """As many notes and links on one page, each of which is the parent of the next, and the last of the first."""
    names = " ".join(f"{number + 5} 0 R" for number in range(count))
    notes = [
        f"<< /Type /Annot /Subtype /Widget /FT /Tx /Rect [0 0 9 9] /T (a) /Parent {(number + 1) % count + 5} 0 R >>"
        for number in range(count)
    ]
    return objects_pdf(f"/Annots [{names}]", notes)


def forms_pdf(depth: int) -> bytes:
    """Drawings that each draw the next one twice: twice as much work for each."""
    forms = []
    for number in range(depth):
        drawing = "/X Do /X Do" if number + 1 < depth else "0 0 m 9 9 l S"
        inner = f"/Resources << /XObject << /X {number + 6} 0 R >> >>" if number + 1 < depth else ""
        form = f"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] {inner} /Length {len(drawing)} >>"
        forms.append(f"{form}\nstream\n{drawing}\nendstream")
    made = objects_pdf("/Resources << /XObject << /X 5 0 R >> >>", forms)
    return made.replace(b"BT /F0 9 Tf 50 50 Td (radium) Tj ET    ", b"/X Do".ljust(38))


def linked_docx(count: int) -> bytes:
    """Parts that name each other in a circle, and the document among them."""
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
    space = "http://schemas.openxmlformats.org/package/2006/relationships"
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(count):
            target = f'<Relationship Id="r" Type="{kind}" Target="part{(number + 1) % count}.xml"/>'
            links = f'<Relationships xmlns="{space}">{target}</Relationships>'
            archive.writestr(f"word/_rels/part{number}.xml.rels", links)
            archive.writestr(f"word/part{number}.xml", f"<w:footnotes {WORD}/>")
        archive.writestr(
            "word/_rels/document.xml.rels", f'<Relationships xmlns="{space}">{target}</Relationships>'
        )
        body = "<w:body><w:p><w:r><w:t>radium</w:t></w:r></w:p></w:body>"
        archive.writestr("word/document.xml", f"<w:document {WORD}>{body}</w:document>")
    return made.getvalue()


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


def xlsx(rows: str, strings: str = "", sheets: int = 1, merged: str = "") -> bytes:
    """A workbook whose `sheets` are all the same one."""
    made = io.BytesIO()
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    named = "".join(f'<sheet name="s{at}" r:id="r"/>' for at in range(sheets))
    parts = {
        "xl/workbook.xml": f'<workbook xmlns:r="{relations}"><sheets>{named}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": '<R><Relationship Id="r" Target="worksheets/sheet1.xml"/></R>',
        "xl/worksheets/sheet1.xml": f"<worksheet><sheetData>{rows}</sheetData>{merged}</worksheet>",
        "xl/sharedStrings.xml": f"<sst>{strings}</sst>",
    }
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in parts.items():
            archive.writestr(path, content)
    return made.getvalue()


def cells(rows: int, columns: int = 3) -> str:
    letters = [chr(65 + at) for at in range(columns)]
    return "".join(
        "<row>" + "".join(f'<c r="{letter}{row}" t="s"><v>0</v></c>' for letter in letters) + "</row>"
        for row in range(1, rows + 1)
    )


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
