"""XLSX files: sheets as pages, tables with their heads, numbers as their format shows them."""

from __future__ import annotations

import io
import zipfile
from typing import Final

import pytest

from provgraph.documents.reading import open_documents
from provgraph.documents.table_reading import tables_of_page
from provgraph.errors import TooLarge, UnreadableDocument

_MAIN: Final = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_REL: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_STYLES: Final = f"""<styleSheet {_MAIN}><numFmts><numFmt numFmtId="170" formatCode="&quot;$&quot;#,##0"/></numFmts>
<cellXfs><xf numFmtId="0"/><xf numFmtId="9"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="20"/></cellXfs>
</styleSheet>"""


def xlsx_file(*sheets: tuple[str, str], strings: str = "", **parts: str) -> bytes:
    """A workbook of sheets as (name, the XML of their rows and merged cells)."""
    content = io.BytesIO()
    listed = "".join(
        f'<sheet name="{name}" sheetId="{n}" r:id="r{n}"/>' for n, (name, _) in enumerate(sheets, 1)
    )
    links = "".join(
        f'<Relationship Id="r{n}" Target="worksheets/s{n}.xml"/>' for n in range(1, len(sheets) + 1)
    )
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(
            "xl/workbook.xml", f'<workbook {_MAIN} xmlns:r="{_REL}"><sheets>{listed}</sheets></workbook>'
        )
        archive.writestr("xl/_rels/workbook.xml.rels", f"<Relationships>{links}</Relationships>")
        archive.writestr("xl/styles.xml", _STYLES)
        archive.writestr("xl/sharedStrings.xml", f"<sst {_MAIN}>{strings}</sst>")
        for number, (_, rows) in enumerate(sheets, 1):
            archive.writestr(f"xl/worksheets/s{number}.xml", f"<worksheet {_MAIN}>{rows}</worksheet>")
        for name, text in parts.items():
            archive.writestr(name.replace("__", "/") + ".xml", text)
    return content.getvalue()


def row(number: int, *cells: str) -> str:
    """A row of cells: words, or "=value;style" for a number; an empty one is left out."""
    made = ""
    for at, cell in enumerate(cells):
        place = f"{chr(65 + at)}{number}"
        if cell.startswith("="):
            value, _, style = cell[1:].partition(";")
            made += f'<c r="{place}" s="{style or 0}"><v>{value}</v></c>'
        elif cell:
            made += f'<c r="{place}" t="inlineStr"><is><t>{cell}</t></is></c>'
    return f'<row r="{number}">{made}</row>'


BUDGET: Final = (
    row(1, "Budget of Ryde") + row(2, "(in thousands of euros)") + row(4, "Office", "2021", "", "2022")
    + row(5, "", "Planned", "Spent", "Planned") + row(6, "Roads", "=120", "=118.5", "=130")
    + row(7, "Parks", "=40", "=41", "=42") + '<mergeCells><mergeCell ref="B4:C4"/></mergeCells>'
)  # fmt: skip
STAFF: Final = (
    row(1, "Name", "Share", "Since", "Pay", "Begins")
    + row(2, "Ann", "=0.8;1", "=44197;2", "=41000;3", "=0.375;4")
    + row(3, "Bo", "=1;1", "=43831;2", "=52000;3", "=0.5625;4")
)


def test_numbers_stand_as_their_format_shows_them_and_each_sheet_is_a_page() -> None:
    (document,) = open_documents(xlsx_file(("Budget", BUDGET), ("Staff", STAFF)), "town.xlsx")
    first, second = document.pages()
    assert first.text.startswith(
        "Budget\n\nBudget of Ryde\n\n(in thousands of euros)\n\n| Office | 2021 |  | 2022 |"
    )
    assert second.text.split("\n")[-2:] == [
        "| Ann | 80% | 2021-01-01 | $41000 | 09:00 |",
        "| Bo | 100% | 2020-01-01 | $52000 | 13:30 |",
    ]
    assert document.header.title == "town"


def test_merged_heads_captions_and_periods_are_known() -> None:
    (document,) = open_documents(xlsx_file(("Budget", BUDGET)), "town.xlsx")
    (page,) = document.pages()
    (table,) = tables_of_page(1, page.text, page.layout)
    spent = next(cell for cell in table.values if cell.text == "118.5")
    assert (spent.row_header, spent.column_header, spent.period) == (("Roads",), ("2021", "Spent"), "2021")
    assert (str(spent.amount), spent.unit) == ("118500.0", "EUR")


def test_words_are_those_of_the_shared_strings_without_how_they_are_spoken() -> None:
    strings = "<si><t>Tea</t><rPh><t>tee</t></rPh></si><si><r><t>Green </t></r><r><t>mug</t></r></si>"
    rows = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>'
    (document,) = open_documents(xlsx_file(("Sheet1", rows), strings=strings), "a.xlsx")
    (page,) = document.pages()
    assert page.text == "| Tea | Green mug |"


def test_a_long_sheet_has_pages_each_with_the_head() -> None:
    rows = row(1, "Town", "People") + "".join(row(n, f"T{n}", f"={n}") for n in range(2, 2_102))
    (document,) = open_documents(xlsx_file(("Towns", rows)), "towns.xlsx")
    assert [page.text.count("| Town | People |") for page in document.pages()] == [1, 1, 1]


@pytest.mark.parametrize("number", ["9" * 400, "-1", "1e300", "inf", "nan", "x"])
def test_odd_numbers_are_read_somehow(number: str) -> None:
    rows = row(1, "A", "B") + row(2, "x", f"={number};2") + row(3, "y", f"={number};1")
    (document,) = open_documents(xlsx_file(("Sheet1", rows)), "a.xlsx")
    assert [page.text for page in document.pages()]


def test_a_file_that_defines_entities_or_unfolds_too_far_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = xlsx_file(("A", row(1, "x", "y")), xl__comments="")
    with pytest.raises(UnreadableDocument):
        list(open_documents(bomb.replace(b"<worksheet", b"<!DOCTYPE", 1), "a.xlsx"))
    monkeypatch.setattr("provgraph.documents.readers.xlsx.SHEET_LIMIT", 64)
    with pytest.raises(TooLarge):
        list(open_documents(xlsx_file(("A", row(1, "x", "y"))), "a.xlsx"))
