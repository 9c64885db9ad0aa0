"""What is recorded of a page beside its text."""

from __future__ import annotations

import json

from provgraph.documents.page_layout import CellLayout, Heading, PageLayout, TableLayout


def large() -> PageLayout:
    cells = tuple(CellLayout(number, 0, number, number + 1) for number in range(12_000))
    headings = tuple(
        Heading(9 * number, 9 * number + 3, 1 + number % 3, f"“{number}”") for number in range(7_000)
    )
    return PageLayout(headings, (TableLayout(cells, 12_000, 1), TableLayout(cells[:1], 1, 1)))


def test_a_large_layout_is_read_as_it_was_written() -> None:
    layout = large()
    written = layout.to_json()
    assert PageLayout.of_json(written) == layout
    assert written == json.dumps(json.loads(written), ensure_ascii=False, separators=(",", ":")).encode()


def test_an_empty_layout_is_read_as_it_was_written() -> None:
    assert PageLayout.of_json(PageLayout().to_json()) == PageLayout()


def test_a_place_is_below_the_last_heading_of_each_level() -> None:
    layout = PageLayout(
        (
            Heading(10, 12, 1, "one"),
            Heading(20, 22, 2, "two"),
            Heading(30, 32, 2, "three"),
            Heading(40, 42, 1, "four"),
        ),
        open_headings=((1, "before"),),
    )
    paths = {0: ("before",), 10: ("one",), 25: ("one", "two"), 30: ("one", "three"), 99: ("four",)}
    assert {place: layout.path_at(place) for place in paths} == paths
