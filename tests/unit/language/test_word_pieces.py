"""Texts are cut into the pieces of a vocabulary, and each knows its characters."""

from hypothesis import given
from hypothesis import strategies as st

from provgraph.comprehension.network import VOCABULARY
from provgraph.language.word_pieces import LONGEST_WORD, WordPieces

WORDS = WordPieces.from_file(VOCABULARY)
NAMES = {number: piece for piece, number in WORDS.numbers.items()}


def read(text: str) -> list[tuple[str, str]]:
    return [(NAMES[each.number], text[each.start : each.end]) for each in WORDS.pieces(text)]


def test_a_word_that_is_not_in_the_vocabulary_is_cut_from_its_beginning() -> None:
    assert read("Torvik") == [("tor", "Tor"), ("##vik", "vik")]


def test_case_accents_and_what_is_invisible_do_not_count_and_characters_stay_those_of_the_text() -> None:
    assert read("CAFÉ soft\u00adware") == [("cafe", "CAFÉ"), ("software", "soft\u00adware")]
    assert read("cafe\u0301s,") == [("cafes", "cafe\u0301s"), (",", ",")]


def test_marks_and_chinese_characters_stand_alone() -> None:
    assert [piece for piece, _ in read("(3.5%)")] == ["(", "3", ".", "5", "%", ")"]
    assert [words for _, words in read("北京2008")] == ["北", "京", "2008"]


def test_a_word_without_pieces_or_without_end_is_one_unknown_piece() -> None:
    assert read("\U0001f9ec") == [("[UNK]", "\U0001f9ec")]
    assert read("x" * (LONGEST_WORD + 1)) == [("[UNK]", "x" * (LONGEST_WORD + 1))]


@given(st.text(max_size=200))
def test_pieces_stand_in_order_within_the_text(text: str) -> None:
    ends = 0
    for piece in WORDS.pieces(text):
        assert ends <= piece.start <= piece.end <= len(text)
        ends = piece.end
