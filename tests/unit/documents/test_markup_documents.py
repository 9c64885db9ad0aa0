"""Markdown, HTML and DOCX become the text that a reader of them sees."""

from __future__ import annotations

import io
import zipfile

import pytest

from provgraph.documents.readers import docx
from provgraph.documents.readers.docx import open_docx
from provgraph.documents.readers.html import open_html
from provgraph.documents.readers.markdown import open_markdown, readable
from provgraph.documents.table_reading import tables_of_page
from provgraph.errors import TooLarge, UnreadableDocument

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
CORE = (
    '<c:coreProperties xmlns:c="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">'
    "<dc:title>Annual Report</dc:title><dc:creator>Ada King</dc:creator>"
    "<dcterms:created>2019-03-07T10:00:00Z</dcterms:created></c:coreProperties>"
)


def docx_file(body: str, core: str = "", prolog: str = "") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "word/document.xml", f'{prolog}<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
        )
        if core:
            archive.writestr("docProps/core.xml", core)
    return buffer.getvalue()


def paragraph(text: str, style: str = "") -> str:
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}<w:r><w:t>{text}</w:t></w:r></w:p>"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("A [link](https://example.org/a_b_c) here.", "A link here."),
        ("![A picture](p.png 'x') ![alt](p.png)", "![A picture](p.png 'x') alt"),
        ("**bold**, *thin*, ***both***, __bold__, _thin_.", "bold, thin, both, bold, thin."),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
        ("Use `x_y` now.", "Use x_y now."),
        ("> quoted\n> twice", "quoted\ntwice"),
        ("## Heading ##", "## Heading ##"),
        ("one\n\n---\n\ntwo", "one\n\ntwo"),
        ("| a | **b** |\n|---|:-:|\n| 1 | 2 |", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        ("| a | b |\n|---|---|\n| x \\| y | 2 |", "| a | b |\n| --- | --- |\n| x ¦ y | 2 |"),
        ("a | b\n--|--\n*x* | 2", "| a | b |\n| --- | --- |\n| x | 2 |"),
        ("```\n| a | b |\n|---|---|\n| x | 2 |\n```", "| a | b |\n|---|---|\n| x | 2 |"),
        ("```py\nx = *a*\n```\nafter", "x = *a*\nafter"),
        ("Text.\n\n[1]: https://example.org", "Text."),
        (r"C\# costs 5\*", "C# costs 5*"),
        ("See <https://example.org> <b>now</b>", "See https://example.org now"),
    ],
)
def test_markdown_loses_its_marks_and_keeps_its_words(source: str, expected: str) -> None:
    assert readable(source) == expected


def test_markdown_front_matter_heads_the_document() -> None:
    source = b'---\ntitle: "On Radium"\nauthor: Marie Curie\ndate: 1902-03\n---\n# Other\n\nWords.'
    document = open_markdown(source, "a.md")
    header = document.header
    assert (header.title, header.creators, header.date) == ("On Radium", ("Marie Curie",), "1902-03")
    assert document.text == "# Other\n\nWords."


def test_markdown_without_front_matter_is_called_by_its_first_heading() -> None:
    assert open_markdown(b"Intro.\n\n# The *Title*\n", "a.md").header.title == "The Title"
    assert open_markdown(b"The Title\n=========\nWords", "a.md").header.title == "The Title"
    assert open_markdown(b"Words only.", "notes.md").header.title == "notes"


def test_html_keeps_the_words_and_drops_the_furniture() -> None:
    page = """<html><head><title>On Radium &amp; more</title><style>p {}</style>
    <meta name="author" content="Marie Curie">
    <meta property="article:published_time" content="1902-03-07T01:00">
    </head><body><nav><a href="/">Home</a></nav><script>if (a < b) {}</script>
    <h1>Radium</h1><p>It was <b>found</b>
    in&nbsp;1898.<br>By two.</p><ul><li>one</li><li>two</li></ul>
    <table><tr><th>Name</th><th>Year</th></tr><tr><td>Po</td><td>1898</td></tr></table>
    <footer>The end &eacute;.</footer></body></html>"""
    document = open_html(page.encode(), "a.html")
    assert document.text == (
        "Radium\n\nIt was found in 1898.\nBy two.\n\none\n\ntwo\n\n| Name | Year |\n| Po | 1898 |\n\nThe end é."
    )
    header = document.header
    assert (header.title, header.creators, header.date) == (
        "On Radium & more",
        ("Marie Curie",),
        "1902-03-07",
    )


def test_broken_html_is_still_read() -> None:
    assert open_html(b"<p>One<p>Two</div></nav><b>bold &unknown; <", "a.html").text.startswith("One\n\nTwo")
    assert open_html(b"<nav>menu<p>lost</nav>kept", "a.html").text == "kept"


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [f"{unit * 50_000}x" for unit in ("*", "[", "`", "_a", "<a ", "[a](", "|-", " ", "> ", "<!--", "\\")]
    + [f"{start}{' #' * 200_000}x" for start in ("# ", "***", "|--|", "=")],
)
def test_markdown_of_any_repetition_is_read_in_linear_time(source: str) -> None:
    assert readable(source) is not None
    assert open_markdown(source.encode(), "a.md").header.title


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit", ["<!--", "<![CDATA[", "<?", "<!", "</", "<a ", '<a b="', "<a b='", "<", "&#", "<script>", "<td>"]
)
def test_html_of_any_repetition_is_read_in_linear_time(unit: str) -> None:
    assert open_html(f"<p>Words. {unit * 200_000}".encode(), "a.html").text.startswith(("Words.", "|"))


def test_docx_gives_paragraphs_tables_and_properties() -> None:
    body = (
        paragraph("Results", "Heading1")
        + "<w:p><w:r><w:t>Sales </w:t></w:r><w:r><w:t>rose.</w:t><w:br/><w:t>Twice.</w:t></w:r>"
        "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>"
        "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Year</w:t></w:r></w:p></w:tc>"
        "<w:tc><w:p><w:r><w:t>2019</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
        "<w:sdt><w:sdtContent>" + paragraph("Inside a field.") + "</w:sdtContent></w:sdt>"
    )
    document = open_docx(docx_file(body, CORE), "a.docx")
    assert document.text == "Results\n\nSales rose.\nTwice.\n\n| Year | 2019 |\n\nInside a field."
    header = document.header
    assert (header.title, header.creators, header.date) == ("Annual Report", ("Ada King",), "2019-03-07")
    assert open_docx(docx_file(body), "a.docx").header.title == "Results"


def cell(text: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(text)}</w:tc>"


@pytest.mark.parametrize(
    ("look", "first"),
    [('<w:tblPr><w:tblLook w:firstRow="1"/></w:tblPr>', ""), ("", "<w:trPr><w:tblHeader/></w:trPr>")],
)
def test_the_head_and_the_merged_cells_of_a_docx_table_are_known(look: str, first: str) -> None:
    wide, begins, goes_on = '<w:gridSpan w:val="2"/>', '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    rows = (
        f"<w:tr>{first}{cell('Item')}{cell('Sales', wide)}</w:tr>",
        f"<w:tr>{cell('Tea', begins)}{cell('7')}{cell('8')}</w:tr>",
        f"<w:tr>{cell('', goes_on)}{cell('9')}{cell('10')}</w:tr>",
    )
    document = open_docx(docx_file(f"<w:tbl>{look}{''.join(rows)}</w:tbl>"), "a.docx")
    assert document.text.split("\n") == [
        "| Item | Sales |  |",
        "| Tea | 7 | 8 |",
        "|  | 9 | 10 |",
    ]
    (page,) = document.pages()
    (table,) = tables_of_page(1, page.text, page.layout)
    last = table.rows[-1][-1]
    assert (last.text, last.row_header, last.column_header) == ("10", ("Tea",), ("Sales",))


def test_docx_that_defines_entities_is_refused() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    with pytest.raises(UnreadableDocument, match="document type"):
        open_docx(docx_file(paragraph("&b;"), prolog=bomb), "bomb.docx")


def test_docx_that_unfolds_too_far_is_refused_before_it_is_unfolded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docx, "PART_LIMIT", 1 << 20)
    with pytest.raises(TooLarge, match="Split the document"):
        open_docx(docx_file(paragraph("a" * (1 << 20))), "bomb.docx")


def test_damaged_docx_is_unreadable() -> None:
    whole = docx_file(paragraph("words"))
    for content in (whole[:-30], whole[:30] + whole[60:], docx_file("<w:p>")):
        with pytest.raises(UnreadableDocument, match="damaged DOCX"):
            open_docx(content, "a.docx")


def test_docx_that_is_nested_without_end_is_unreadable() -> None:
    with pytest.raises(UnreadableDocument, match=r"nested too deeply\. Take tables out"):
        open_docx(docx_file("<w:p>" * 50_000 + "</w:p>" * 50_000), "a.docx")
