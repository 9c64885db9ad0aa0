"""Tesseract's table of words → paragraphs of text, and the confidence of all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provgraph.adapters.tesseract import text, words

HEAD = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"


def table(*lines: tuple[int, int, str]) -> str:
    """Lines of words, each in a block and with a number, as Tesseract tells them."""
    rows = [HEAD, "1\t1\t0\t0\t0\t0\t0\t0\t600\t400\t-1\t"]
    for block, line, said in lines:
        rows.append(f"4\t1\t{block}\t1\t{line}\t0\t0\t0\t600\t20\t-1\t")
        for number, word in enumerate(said.split(), 1):
            rows.append(f"5\t1\t{block}\t1\t{line}\t{number}\t0\t0\t40\t20\t91.5\t{word}")
    return "\n".join([*rows, ""])


def test_lines_of_a_paragraph_read_on_and_paragraphs_are_parted() -> None:
    told = table((1, 1, "Radium was"), (1, 2, "found in Paris."), (2, 1, "So was polonium."))
    assert text(words(told)) == "Radium was found in Paris.\n\nSo was polonium."


def test_a_word_that_a_line_end_cuts_is_whole_and_keeps_a_hyphen_of_its_own() -> None:
    told = table(
        (1, 1, "A dose-response curve of radio-"), (1, 2, "active salts, and the dose-"), (1, 3, "response")
    )
    assert text(words(told)) == "A dose-response curve of radioactive salts, and the dose-response"


def test_a_hyphen_before_a_name_stays() -> None:
    assert text(words(table((1, 1, "the Curie-"), (1, 2, "Joliot family")))) == "the Curie- Joliot family"


def test_no_words_are_no_text() -> None:
    assert words(HEAD + "\n") == []
    assert text([]) == ""


def test_words_carry_their_confidence_and_quotation_marks_are_words() -> None:
    (word,) = words(table((1, 1, '"quoted')))
    assert (word.text, word.confidence) == ('"quoted', 91.5)


@pytest.mark.slow
@given(st.text())
def test_no_table_is_so_broken_that_reading_it_fails(told: str) -> None:
    assert isinstance(words(told), list)
