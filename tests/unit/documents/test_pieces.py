"""Texts cut by their structure: exact spans, nothing lost, and clauses by the numbers under which they are cited."""

from __future__ import annotations

from typing import Final

from hypothesis import example, given, settings
from hypothesis import strategies as st

from provgraph.documents.outline import Outline
from provgraph.documents.pieces import LONGEST, Piece, cut

CONTRACT: Final = """# Supply Agreement

This Agreement is made between two parties.

## 3. Delivery

3.1 The Supplier shall:

(a) deliver the Goods within 30 days;

(b) insure the Goods.

3.2 The Buyer may cancel:

(i) by letter; or

(ii) by email.

This applies to all orders.

## 4. Price

(a) first
(h) eighth
(i) ninth
(j) tenth
"""

LINES: Final = st.sampled_from(
    [
        *("3. Delivery", "3.1 The Supplier shall:", "(a) deliver;", "(ii) by email.", "5)", "Art. IV Law"),
        *("- a bullet", "", "| a | b |", "# Head", "Words that go on and on. And on.", "§ 39.13 Amended"),
        *("7.5 million people", "1903", "x" * 1200, "(2024) was a year", "ab) c", "  \t", "\r", "\u2028"),
    ]
) | st.text(max_size=40)
TEXTS: Final = st.lists(LINES, max_size=14).map("\n".join)


def numbered(text: str, outline: Outline | None = None) -> dict[str, str]:
    """The words of each clause that has its number, by the number."""
    found = cut(text, outline or Outline()).pieces
    return {each.clause: text[each.words : each.end] for each in found if each.clause}


@settings(deadline=None, max_examples=150)
@given(TEXTS)
@example("a\n\n")
@example("3.1 " + "long words " * 400)
def test_pieces_are_exact_in_order_and_leave_out_nothing_but_space(text: str) -> None:
    pieces = cut(text).pieces
    place = 0
    for piece in pieces:
        assert place <= piece.start < piece.end <= len(text)
        assert not text[place : piece.start].strip()
        assert piece.start <= piece.words <= piece.end
        assert text[piece.start : piece.end] == text[piece.start : piece.end].strip()
        assert piece.end - piece.start <= LONGEST
        place = piece.end
    assert not text[place:].strip()


@settings(deadline=None, max_examples=60)
@given(TEXTS, TEXTS)
def test_a_text_that_is_cut_in_two_at_an_empty_line_has_the_same_clauses(first: str, second: str) -> None:
    first = f"{first}\n\n"
    begun = cut(first)
    apart = [
        *(each.clause for each in begun.pieces),
        *(each.clause for each in cut(second, begun.outline).pieces),
    ]
    assert apart == [each.clause for each in cut(first + second).pieces]


def test_clauses_are_cited_by_all_their_numbers() -> None:
    found = numbered(CONTRACT)
    assert found["3"] == "Delivery"
    assert found["3.1(a)"] == "deliver the Goods within 30 days;"
    assert found["3.2(ii)"] == "by email."
    assert found["3.2"] == "This applies to all orders."


def test_an_item_knows_what_introduces_it_and_the_heading_above_it() -> None:
    item = next(each for each in cut(CONTRACT).pieces if each.clause == "3.1(a)")
    assert (item.lead, item.title) == ("The Supplier shall:", "Delivery")


def test_the_letter_i_follows_h_and_is_a_roman_numeral_elsewhere() -> None:
    found = numbered(CONTRACT)
    assert found["4(i)"] == "ninth"
    assert found["3.2(i)"] == "by letter; or"


def test_a_chunk_that_begins_inside_a_clause_knows_that_it_does() -> None:
    place = CONTRACT.index("(b) insure")
    outline = cut(CONTRACT[:place]).outline
    assert numbered(CONTRACT[place:], outline)["3.1(b)"] == "insure the Goods."


def test_years_decimals_and_page_numbers_are_no_clauses() -> None:
    text = "It was long ago.\n\n1903\n\n7.5 million people came\n\n6 Cancer Council\n\n(2024) was a year"
    assert numbered(text) == {}


def test_a_long_paragraph_is_cut_where_sentences_end() -> None:
    text = "This is a sentence of some words. " * 60
    pieces = cut(text).pieces
    assert len(pieces) > 1
    assert all(text[each.start : each.end].endswith(".") for each in pieces)


def test_each_kind_of_piece_is_told() -> None:
    text = "# Head\n\nWords.\n\n- one\n- two\n\n| a | b |\n\n3.1 A clause is here.\n"
    kinds = [each.kind for each in cut(text).pieces]
    assert kinds == ["heading", "paragraph", "bullet", "bullet", "row", "clause"]


def test_a_paragraph_after_a_plain_list_is_not_in_the_last_item() -> None:
    found: list[Piece] = list(
        cut("1. Wash the hands well.\n2. Dry the hands well.\n\nSoap is sold here.").pieces
    )
    assert [each.clause for each in found] == ["1", "2", ""]
