"""Cells drawn at random from the tables of documents, for a person to compare with the pages.

    python benchmarks/table_cells.py --data DIR [--cells 100] [--seed 1] [--pictures DIR]

`--data` holds pdf/ and finance/pdf/. Each line has a cell as it is read: file, page, text, row header, column header,
amount, unit, period; with `--pictures` each is also cut out of its page with its table, and the cell marked.
A judge writes right or wrong beside each: value, row, column, unit, period, box. Printed at the end: how many documents
and pages were read, how many tables and cells they have, and how many documents with text have no cell at all; and of
how many of the cells the box on the page holds exactly the glyphs, white space left out.
"""

from __future__ import annotations

import argparse
import json
import random
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pymupdf

from provgraph.documents.reading import open_documents
from provgraph.documents.table_model import Cell, Table
from provgraph.documents.table_reading import tables_of_page
from provgraph.errors import ProvGraphError


@dataclass(frozen=True)
class Drawn:
    file: Path
    page: int
    table: Table
    cell: Cell


def cells(path: Path) -> Iterator[Drawn]:
    """The cells of a document that are no headers; none of one that cannot be read."""
    try:
        for document in open_documents(path.read_bytes(), path.name):
            for page in document.pages():
                for table in tables_of_page(page.number, page.text, page.layout):
                    yield from (Drawn(path, page.number, table, cell) for cell in table.values)
    except ProvGraphError:
        return


def told(drawn: Drawn) -> dict[str, object]:
    cell = drawn.cell
    return {
        "file": drawn.file.name,
        "page": drawn.page,
        "text": cell.text,
        "row": " › ".join(cell.row_header),
        "column": " › ".join(cell.column_header),
        "amount": None if cell.amount is None else str(cell.amount),
        "unit": cell.unit,
        "period": cell.period,
        "caption": drawn.table.caption,
    }


def picture(drawn: Drawn, to: Path) -> None:
    """The table's part of the page, the cell marked."""
    with pymupdf.open(drawn.file) as document:  # type: ignore[no-untyped-call]
        page = document[drawn.page - 1]
        if drawn.cell.box:
            page.draw_rect(drawn.cell.box, color=(1, 0, 0), width=1)
        boxes = [cell.box for cell in drawn.table.cells if cell.box]
        top = min(box[1] for box in boxes) - 70
        bottom = max(box[3] for box in boxes) + 10
        clip = pymupdf.Rect(0, max(top, 0), page.rect.width, min(bottom, page.rect.height))  # type: ignore[no-untyped-call]
        page.get_pixmap(dpi=90, clip=clip).save(to)


def has_exact_box(drawn: Drawn) -> bool:
    """Whether the characters of the page whose centre lies in the cell's box are those of its text."""
    if not drawn.cell.box:
        return False
    left, top, right, bottom = drawn.cell.box
    with pymupdf.open(drawn.file) as document:  # type: ignore[no-untyped-call]
        blocks = document[drawn.page - 1].get_text("rawdict")["blocks"]
    lines = (line for block in blocks for line in block.get("lines", ()))
    glyphs = (glyph for line in lines for span in line["spans"] for glyph in span["chars"])
    held = "".join(
        glyph["c"]
        for glyph in glyphs
        if left <= (glyph["bbox"][0] + glyph["bbox"][2]) / 2 <= right
        and top <= (glyph["bbox"][1] + glyph["bbox"][3]) / 2 <= bottom
    )
    return sorted(_bare(held)) == sorted(_bare(drawn.cell.text))


def _bare(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder that holds pdf/ and finance/")
    parser.add_argument("--cells", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pictures", type=Path, help="where to put a picture of each cell")
    options = parser.parse_args()
    files = sorted([*(options.data / "pdf").glob("*.pdf"), *(options.data / "finance" / "pdf").glob("*.pdf")])
    by_file = {path: list(cells(path)) for path in files}
    every = [each for own in by_file.values() for each in own]
    chosen = random.Random(options.seed).sample(every, min(options.cells, len(every)))
    for number, each in enumerate(chosen):
        print(json.dumps({"number": number, **told(each)}, ensure_ascii=False))
        if options.pictures:
            options.pictures.mkdir(parents=True, exist_ok=True)
            picture(each, options.pictures / f"{number:03}.png")
    print(json.dumps({path.name: len(own) for path, own in by_file.items()}))
    print(json.dumps({"cells": len(chosen), "exact boxes": sum(map(has_exact_box, chosen))}))


if __name__ == "__main__":
    main()
