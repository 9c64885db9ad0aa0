"""What only says which document is meant is left out, and nothing else; each character is known in the whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provgraph.reading.scope import SHORTEST, head_words, without_scope
from unit.reading.reading_fixtures import parser

FILLER = " All members agreed." * (SHORTEST // 20 + 1)
HALVERSUND = head_words(
    "council_halversund", "", f"TOWN COUNCIL OF HALVERSUND Minutes of 8 October 2024{FILLER}"
)
LEASE = head_words("", "lease.txt", f"LEASE of Unit 3, Tanner's Row, Ellisburn{FILLER}")
GUIDELINE = head_words("", "", f"VALE OF KESTREL HOSPITALS Guideline CG-117{FILLER}")
CASES = [
    (HALVERSUND, "Who is the Borough Engineer of Halversund?", "Who is the Borough Engineer?"),
    (HALVERSUND, "Who called the council of Halversund?", "Who called the council?"),
    (HALVERSUND, "Who runs the Halversund library?", "Who runs the library?"),
    (HALVERSUND, "What damaged Halversund's north landing stage?", "What damaged the north landing stage?"),
    (HALVERSUND, "Who is the mayor of Orvik?", "Who is the mayor of Orvik?"),
    (HALVERSUND, "Did Halversund pay for it?", "Did Halversund pay for it?"),
    (
        HALVERSUND,
        "What was decided at the October 2024 meeting?",
        "What was decided at the October 2024 meeting?",
    ),
    (
        LEASE,
        "How often is the goods hoist at Tanner's Row inspected?",
        "How often is the goods hoist inspected?",
    ),
    (GUIDELINE, "Under CG-117, no flask may be sealed.", "No flask may be sealed."),
    (GUIDELINE, "According to CG-117, no flask may be sealed.", "No flask may be sealed."),
]


def left(text: str, head: frozenset[str], of_verbs: bool = True) -> str:
    return without_scope(parser().parse(text, [(0, len(text))])[0], text, head, of_verbs=of_verbs).text


@pytest.mark.parametrize(("head", "text", "expected"), CASES)
def test_what_the_head_of_a_document_says_is_left_out(head: frozenset[str], text: str, expected: str) -> None:
    assert left(text, head) == expected


def test_where_something_was_done_is_left_out_only_of_questions() -> None:
    claim = "The fine was paid in Halversund."
    assert left(claim, HALVERSUND) == "The fine was paid."
    assert left(claim, HALVERSUND, of_verbs=False) == claim


def test_a_short_document_names_nothing() -> None:
    assert head_words("Halversund", "halversund.txt", "Halversund is a town.") == frozenset()


@given(st.sampled_from(CASES), st.booleans())
def test_each_character_is_the_same_in_the_whole(
    case: tuple[frozenset[str], str, str], of_verbs: bool
) -> None:
    head, text, _ = case
    unscoped = without_scope(parser().parse(text, [(0, len(text))])[0], text, head, of_verbs=of_verbs)
    instead = {at + back for at, _ in unscoped.places for back in range(-4, 0)}  # "the " in place of a name
    for at, character in enumerate(unscoped.text):
        if at not in instead:
            assert text[unscoped.place(at)].casefold() == character.casefold()
