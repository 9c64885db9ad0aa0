"""The sections of a document that a question is closest to, by their headings."""

from __future__ import annotations

import pytest

from provgraph.documents.page_layout import Heading, PageLayout
from provgraph.flows.runner.closest_sections import (
    closest_sections,
    content,
    followed,
    sections,
    telling_spans,
)

Pages = list[tuple[str, PageLayout]]


def page(*lines: str) -> tuple[str, PageLayout]:
    """A page of lines; those that begin with # are headings, without it."""
    text, headings = "", []
    for line in lines:
        words = line.lstrip("# ")
        if line.startswith("#"):
            headings.append(Heading(len(text), len(text) + len(words), line.count("#"), words))
        text += f"{words}\n\n"
    return text, PageLayout(tuple(headings))


PAGES: Pages = [
    page("# Our business", "We sell lamps in four countries of the north.", "## Legal proceedings", "See Note 9."),
    page("# Notes", "## Note 8 Dividends", "A dividend of two crowns was paid to holders of common stock in May."),
    page("## Note 9 Contingencies", "A rival sued us over a patent for lamps in the year before last.", "It rains."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("Is there a legal battle?", "Legal proceedings"),
        ("Were dividends paid to holders?", "Note 8 Dividends"),
    ],
)
def test_the_section_whose_heading_has_most_of_the_words_is_the_closest(question: str, heading: str) -> None:
    found = closest_sections([content(question)], sections(PAGES))
    assert found[0].heading == heading


def test_nothing_is_close_to_a_question_about_other_things() -> None:
    assert closest_sections([content("How deep is the harbour?")], sections(PAGES)) == []
    assert closest_sections([], sections(PAGES)) == []


def test_a_short_section_that_refers_to_a_note_is_followed_there() -> None:
    every = sections(PAGES)
    legal = next(each for each in every if each.heading == "Legal proceedings")
    note = followed(legal, every, PAGES)
    assert note.heading == "Note 9 Contingencies"
    ((at, start, end),) = telling_spans(content("Who sued over a patent?"), note, PAGES)
    assert PAGES[at][0][start:end] == "A rival sued us over a patent for lamps in the year before last."
