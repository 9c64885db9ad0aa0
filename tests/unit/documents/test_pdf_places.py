"""Words of a page's text and where they stand on the page: exact in columns, turned, hyphenated, in tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pymupdf
import pytest

from provgraph.documents.readers.pdf_places import PlacedText, placed_text
from provgraph.documents.reading import open_documents

Draw = Callable[[Any], object]


def made(draw: Draw, rotation: int = 0) -> Any:
    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    page = document.new_page(width=600, height=800)
    draw(page)
    page.set_rotation(rotation)
    return pymupdf.open(stream=document.tobytes(), filetype="pdf")  # type: ignore[no-untyped-call]


def placed(document: Any) -> PlacedText:
    """The page's characters; the text is the one that an ingest stores."""
    found = placed_text(document, 0)
    assert found is not None
    (opened,) = open_documents(document.tobytes(), "page.pdf")
    assert found.text == next(iter(opened.pages())).text
    return found


def seen(document: Any, found: PlacedText, words: str) -> list[str]:
    """What MuPDF finds in each rectangle of these words."""
    start = found.text.index(words)
    rectangles = found.rectangles(start, start + len(words))
    assert rectangles
    return [document[0].get_textbox(middle(*each)).strip() for each in rectangles]


def middle(left: float, top: float, right: float, bottom: float) -> Any:
    """The middle of a line: letters of the lines above and below reach into its rectangle."""
    margin = 0.4 * (bottom - top)
    return pymupdf.Rect(left, top + margin, right, bottom - margin)  # type: ignore[no-untyped-call]


def lines(x: float, y: float, *texts: str, size: float = 10) -> Draw:
    def draw(page: Any) -> None:
        for number, text in enumerate(texts):
            page.insert_text((x, y + number * size * 1.2), text, fontsize=size)

    return draw


def columns(page: Any) -> None:
    for side, x in (("left", 60), ("right", 330)):
        lines(x, 100, *(f"the {side} column goes on in its line number {number}," for number in range(12)))(
            page
        )


PLAIN = lines(
    72, 100, "Marie Curie discovered polonium in 1898. She was", "born in Warsaw, and lived in Paris."
)
HYPHENS = lines(
    72, 100, "Answering relies on the effi-", "cient retrieval of passages, and on a", "well-known reader."
)


def test_words_on_one_line_have_one_rectangle_with_just_these_words() -> None:
    document = made(PLAIN)
    found = placed(document)
    assert seen(document, found, "discovered polonium") == ["discovered polonium"]


def test_words_over_a_line_end_have_a_rectangle_for_each_line() -> None:
    document = made(PLAIN)
    assert seen(document, placed(document), "She was born in Warsaw") == ["She was", "born in Warsaw"]


def test_a_word_that_was_hyphenated_is_found_in_both_its_parts() -> None:
    document = made(HYPHENS)
    found = placed(document)
    assert "efficient retrieval" in found.text
    assert seen(document, found, "efficient retrieval") == ["effi", "cient retrieval"]
    assert seen(document, found, "well-known") == ["well-known"]


def test_words_are_found_in_their_own_column() -> None:
    document = made(columns)
    found = placed(document)
    for side in ("left", "right"):
        assert seen(document, found, f"{side} column goes on in its line number 7") == [
            f"{side} column goes on in its line number 7"
        ]


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_words_of_a_turned_page_are_where_the_turned_picture_shows_them(rotation: int) -> None:
    document = made(PLAIN, rotation)
    found = placed_text(document, 0)
    assert found is not None
    start = found.text.index("polonium")
    (left, top, right, bottom) = found.rectangles(start, start + 8)[0]
    scale = pymupdf.Matrix(2, 2)  # type: ignore[no-untyped-call]
    pixels: Any = document[0].get_pixmap(matrix=scale, alpha=False)
    dark = [
        (x, y)
        for x in range(round(2 * left), round(2 * right))
        for y in range(round(2 * top), round(2 * bottom))
        if sum(pixels.pixel(x, y)) < 200
    ]
    assert len(dark) > 50


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_page_whose_words_run_sideways_is_read_as_one_holds_it(rotation: int) -> None:
    assert placed(made(columns, rotation)).text == placed(made(columns)).text


def test_cells_of_a_table_are_found_without_the_bars_between_them() -> None:
    def table(page: Any) -> None:
        for row, cells in enumerate(
            (("City", "Country", "People"), ("Paris", "France", "2.1"), ("Rome", "Italy", "2.8"))
        ):
            for column, cell in enumerate(cells):
                page.insert_text((72 + 150 * column, 100 + 14 * row), cell, fontsize=10)

    document = made(table)
    found = placed(document)
    assert "| Paris | France | 2.1 |" in found.text
    assert seen(document, found, "Paris | France") == ["Paris", "France"]


def test_a_ligature_is_as_many_characters_as_it_stands_for() -> None:
    def ligature(page: Any) -> None:
        page.insert_htmlbox(pymupdf.Rect(72, 72, 500, 200), "<p>An o\ufb03ce of \ufb01ne \ufb02owers</p>")  # type: ignore[no-untyped-call]

    document = made(ligature)
    found = placed(document)
    assert "office of fine flowers" in found.text
    start = found.text.index("fine")
    assert len(found.rectangles(start, start + 4)) == 1
    left, _, right, _ = found.rectangles(start, start + 4)[0]
    before = found.rectangles(start - 3, start - 1)[0]
    assert before[2] <= left < right


def test_every_character_that_is_seen_has_a_box() -> None:
    for draw in (PLAIN, HYPHENS, columns):
        found = placed(made(draw))
        without = [
            char
            for char, box in zip(found.text, found.places, strict=True)
            if box is None and not char.isspace()
        ]
        assert without == []
