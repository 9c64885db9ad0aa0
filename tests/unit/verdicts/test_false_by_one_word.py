"""Claims that are false by one word are not supported, and true ones are not refuted."""

from __future__ import annotations

import pytest

from provgraph.reading.parser import BuiltInParser
from provgraph.verdicts.judgement import EvidenceText
from provgraph.verdicts.judging import Judge

JUDGE = Judge(BuiltInParser())
BOARD = "The board, chaired by Ingrid Aas since 2017, approved the budget."
FIELD = "The council voted by six to three to buy the field behind the school from the Orme estate."
CLUBS = "The request of the Rowing Club was refused, but the Chess Club was given £300."
PAINT = "In 1988 the bridge was painted green; before that it had been grey."
BRANDT = (
    "Elsa Brandt was a botanist. She was the daughter of the pharmacist Niels Brandt. "
    "After school she worked for two years as a teacher. Brandt was awarded the Linnaeus Medal in 1920."
)
PUMPS = (
    "Halden Pumps makes pumps in Moss. Revenue rose by 12 per cent. In May the company bought Lund Valves."
)
MOST = "Most of them were offered jobs in Moss."
DIVIDEND = "Halden did not pay a dividend for 2020, but it paid a dividend for 2021."


def label(claim: str, text: str) -> str:
    return JUDGE.judge(claim, [EvidenceText("doc", text)]).label


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Ingrid Aas chairs the budget.", BOARD),
        ("The council voted to sell the field behind the school.", FIELD),
        ("The council voted by six to three against buying the field.", FIELD),
        ("The Rowing Club was given £300.", CLUBS),
        ("The bridge was painted grey in 1988.", PAINT),
        ("Elsa Brandt worked for two years as a painter.", BRANDT),
        ("All of them were offered jobs in Moss.", MOST),
        ("Niels Brandt received the Linnaeus Medal in 1920.", BRANDT),
    ],
)
def test_false_by_one_word_is_not_supported(claim: str, text: str) -> None:
    assert label(claim, text) != "SUPPORTS"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Ingrid Aas chairs the board.", BOARD),
        ("The council voted to buy the field behind the school.", FIELD),
        ("The bridge was painted green in 1988.", PAINT),
        ("Elsa Brandt received the Linnaeus Medal in 1920.", BRANDT),
        ("Halden Pumps acquired Lund Valves.", PUMPS),
        ("Some of them were offered jobs in Moss.", MOST),
    ],
)
def test_its_true_sister_is_supported(claim: str, text: str) -> None:
    assert label(claim, text) == "SUPPORTS"


def test_what_is_denied_of_one_year_is_not_denied_of_another() -> None:
    assert label("Halden paid a dividend for 2021.", DIVIDEND) == "SUPPORTS"
    assert label("Halden paid a dividend of 3 kroner for 2021.", DIVIDEND) == "NOT ENOUGH INFO"
