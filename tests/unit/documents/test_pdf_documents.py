"""PDF: reading order, whole sentences, tables, and what the file says of itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pymupdf
import pytest

from provgraph.documents.document import Header, Page
from provgraph.documents.reading import open_documents
from provgraph.errors import UnreadableDocument

ENCRYPTION_AES_256 = 5  # as MuPDF counts its methods

Draw = Callable[[Any], object]


def made(*pages: Draw, **metadata: str) -> bytes:
    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    for draw in pages:
        draw(document.new_page(width=600, height=800))
    document.set_metadata(metadata)
    return bytes(document.tobytes())


def read(content: bytes, name: str = "report.pdf") -> tuple[Header, list[Page]]:
    (document,) = open_documents(content, name)
    return document.header, list(document.pages())


def lines(x: float, y: float, *texts: str, size: float = 10) -> Draw:
    def draw(page: Any) -> None:
        for number, text in enumerate(texts):
            page.insert_text((x, y + number * size * 1.2), text, fontsize=size)

    return draw


def bold(x: float, y: float, *texts: str, size: float = 11) -> Draw:
    def draw(page: Any) -> None:
        for number, text in enumerate(texts):
            page.insert_text((x, y + number * size * 1.2), text, fontsize=size, fontname="hebo")

    return draw


def blank(page: Any) -> None:
    """Draws nothing."""


def together(*draws: Draw) -> Draw:
    return lambda page: [draw(page) for draw in draws]


LEFT = [f"the left column goes on in its line number {number}" for number in range(12)]
RIGHT = [f"the right column goes on in its line number {number}" for number in range(12)]


def test_lines_of_a_paragraph_read_on_and_hyphenated_words_are_whole() -> None:
    page = lines(
        72,
        100,
        "Open-domain question answering relies on the ef-",
        "ficient retrieval of passages, and on a well-",
        "known reader that is given all of them at once.",
        "",
        "A second paragraph begins here, after a blank line.",
    )
    _, (only,) = read(made(page))
    assert only.text == (
        "Open-domain question answering relies on the efficient retrieval of passages, and on a well-known "
        "reader that is given all of them at once.\n\nA second paragraph begins here, after a blank line."
    )


def test_a_hyphen_stays_where_the_page_writes_the_word_with_one() -> None:
    page = lines(
        72,
        100,
        "A dose-response curve was drawn, and the dose-",
        "response study was then repeated by others.",
    )
    assert "the dose-response study" in read(made(page))[1][0].text


def test_two_columns_are_read_one_after_the_other_in_any_drawing_order() -> None:
    title = lines(100, 60, "A title in large type across both of the columns", size=18)
    left, right = lines(50, 120, *LEFT), lines(310, 120, *RIGHT)
    for drawn in ((title, left, right), (right, left, title)):
        _, (page,) = read(made(together(*drawn)))
        assert page.text.startswith("A title in large type across both of the columns\n\nthe left column")
        assert page.text.index("left column goes on in its line number 11") < page.text.index("right column")


def test_three_columns_under_a_wide_table_are_read_one_after_the_other() -> None:
    texts = [
        [f"column {name} goes on in its line {n}" for n in range(20)] for name in ("one", "two", "three")
    ]
    table = lines(
        40, 60, *["a row that is as wide as two of the columns taken together" for _ in range(3)], size=9
    )
    side = lines(400, 60, *["and a cell beside it at the right" for _ in range(3)], size=9)
    drawn = [lines(x, 130, *column, size=9) for x, column in zip((40, 220, 400), texts, strict=True)]
    _, (page,) = read(made(together(table, side, *drawn)))
    for column in texts:
        assert " ".join(column) in page.text


def test_a_sentence_goes_on_from_one_column_to_the_next() -> None:
    left = lines(50, 120, *LEFT[:-1], "and here the sentence of this column is then")
    right = lines(310, 120, "continued at the top of the column on the right.", *RIGHT)
    number = lines(298, 770, "7")
    _, (page,) = read(made(together(left, number, right)))
    assert "is then continued at the top" in page.text
    assert page.text.endswith("\n\n7")


def test_notes_at_the_foot_of_a_column_do_not_break_the_sentence() -> None:
    left = together(
        lines(50, 120, *LEFT[:-1], "and here the sentence of this column is then"),
        lines(50, 300, "1 A note in small type.", size=7),
    )
    right = lines(310, 120, "continued at the top of the column on the right.", *RIGHT)
    _, (page,) = read(made(together(left, right)))
    assert "is then continued at the top" in page.text
    assert page.text.endswith("1 A note in small type.")


def test_table_rows_stay_rows() -> None:
    table = together(
        *(lines(x, 100, *cells) for x, cells in ((72, ("Year", "1898")), (300, ("Element", "Po"))))
    )
    _, (page,) = read(made(table))
    assert page.text == "| Year | Element |\n| 1898 | Po |"


def test_lists_and_tables_of_contents_keep_their_lines() -> None:
    page = lines(
        72,
        100,
        "• the first thing",
        "• the second thing",
        "",
        "Chapter one ............ 12",
        "Chapter two .......... 30",
    )
    assert read(made(page))[1][0].text.count("\n") == 4


def test_korean_and_a_rotated_page_come_out_as_text() -> None:
    def draw(page: Any) -> None:
        page.insert_text((72, 100), "서울은 대한민국의 수도이다.", fontname="korea")
        page.insert_text((72, 120), "그 인구는 천만이다.", fontname="korea")
        page.set_rotation(90)

    assert " ".join(read(made(draw))[1][0].text.split()) == "서울은 대한민국의 수도이다. 그 인구는 천만이다."


def test_pages_without_text_are_fine_among_others() -> None:
    _, pages = read(made(blank, lines(72, 100, "Words."), blank))
    assert [(page.number, page.text) for page in pages] == [(1, ""), (2, "Words."), (3, "")]


def test_a_long_scan_has_no_text_layer_either() -> None:
    with pytest.raises(UnreadableDocument, match="has no text layer"):
        read(made(*[blank] * 5))


def test_metadata_heads_the_document() -> None:
    content = made(
        lines(72, 100, "Words."),
        title="On Radium",
        author="M. Curie; P. Curie",
        creationDate="D:18981226101500Z",
    )
    header, _ = read(content)
    assert (header.title, header.creators, header.date) == (
        "On Radium",
        ("M. Curie", "P. Curie"),
        "1898-12-26",
    )
    assert (header.page_count, header.media_type) == (1, "application/pdf")


@pytest.mark.parametrize(
    "title", ["", "untitled", "Microsoft Word - draft.doc", "paper.tex", "10811.exe", "---"]
)
def test_a_title_that_is_none_gives_way_to_the_largest_type(title: str) -> None:
    page = together(
        lines(72, 60, "The Discovery of Polonium", size=20),
        lines(72, 100, "Words of the body text in its size."),
    )
    assert read(made(page, title=title))[0].title == "The Discovery of Polonium"
    assert read(made(lines(72, 100, "Words."), title=title), "/data/my report.pdf")[0].title == "my report"


def test_an_encrypted_file_says_so() -> None:
    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    document.new_page().insert_text((72, 72), "Words.")
    content = bytes(document.tobytes(encryption=ENCRYPTION_AES_256, user_pw="secret", owner_pw="owner"))
    with pytest.raises(UnreadableDocument, match=r"encrypted with a password\. Remove the password"):
        read(content)


def test_a_damaged_file_is_repaired_or_refused_in_silence(capfd: pytest.CaptureFixture[str]) -> None:
    whole = made(lines(72, 100, "Words that can be saved."))
    assert read(whole.replace(b"startxref", b"startxxxx"))[1][0].text == "Words that can be saved."
    with pytest.raises(UnreadableDocument):
        read(whole[: len(whole) // 4])
    assert capfd.readouterr() == ("", "")


def nested(depth: int, name: str = "X") -> bytes:
    """A page with a form that draws another ten times, which draws another ten times, and so on."""
    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    page = document.new_page(width=600, height=800)
    page.insert_text((72, 72), "The report begins here.")
    inner, drawn = 0, b"0 0 60 70 re f " * 50
    for _ in range(depth):
        form = document.get_new_xref()
        resources = f"/Resources<</XObject<</X {inner} 0 R>>>>" if inner else ""
        document.update_object(form, f"<</Type/XObject/Subtype/Form/BBox[0 0 600 800]{resources}>>")
        document.update_stream(form, drawn, new=True)
        inner, drawn = form, f"/{name} Do ".encode() * 10
    _, resources = document.xref_get_key(page.xref, "Resources")
    document.xref_set_key(int(resources.split()[0]), "XObject", f"<</X {inner} 0 R>>")
    (contents,) = page.get_contents()
    document.update_stream(
        contents, document.xref_stream(contents) + b"\n" + drawn[: drawn.index(b" Do") + 4]
    )
    return bytes(document.tobytes())


@pytest.mark.parametrize("name", ["X", "#58"])
def test_a_page_that_multiplies_what_it_draws_is_refused_before_it_is_drawn(name: str) -> None:
    with pytest.raises(UnreadableDocument, match=r"over and over on page 1.*Print it to a new PDF"):
        read(nested(12, name))


def test_forms_in_forms_are_read_where_they_come_to_an_end() -> None:
    _, pages = read(nested(3))
    assert [page.text.strip() for page in pages] == ["The report begins here."]


def test_a_title_in_the_body_s_size_is_told_by_its_place_above_larger_headings() -> None:
    body = "The typewriter came before all of it and was used in every office of the time."
    page = [
        bold(72, 90, "The History of Writing Machines", size=11),
        lines(72, 130, body, body, size=11),
        bold(72, 200, "The First Machines", size=12.2),
        lines(72, 240, body, body, size=11),
        bold(72, 320, "The Later Machines", size=12.2),
        lines(72, 360, body, body, body, size=11),
    ]
    assert read(made(together(*page)))[0].title == "The History of Writing Machines"


def test_of_a_cover_in_one_size_the_line_that_stands_by_itself_is_the_title() -> None:
    page = [
        bold(
            200,
            60,
            "UNITED STATES",
            "SECURITIES COMMISSION",
            "FORM 9",
            "Commission file number: 1-2",
            size=12.2,
        ),
        bold(220, 160, "NORTHERN HEALTH CORPORATION", size=12.2),
        lines(
            72,
            200,
            "The exact name of the company as it is in its charter, and more of it.",
            *["The registrant has filed all the reports that it was required to file."] * 4,
            size=11,
        ),
    ]
    assert read(made(together(*page)))[0].title == "NORTHERN HEALTH CORPORATION"
