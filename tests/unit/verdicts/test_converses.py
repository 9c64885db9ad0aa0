"""One event told from its two sides: supported with exchanged roles only."""

from __future__ import annotations

import pytest

from provgraph.reading.parser import BuiltInParser
from provgraph.verdicts.converses import may_be_said, roles
from provgraph.verdicts.judgement import EvidenceText
from provgraph.verdicts.judging import Judge

JUDGE = Judge(BuiltInParser())


def label(claim: str, text: str) -> str:
    return JUDGE.judge(claim, [EvidenceText("doc", text)]).label


SOLD = "In 2022, Bexley Foods sold Tarn Juices to Orlo Capital."
UNCLE = "Mark Reed is the father of the player Emil Reed and the uncle of Karl Lind."
PRIZE = "Karl Reed received a prize from Vera Lind."


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Orlo Capital bought Tarn Juices from Bexley Foods.", SOLD),
        (
            "Bexley Foods sold Tarn Juices to Orlo Capital.",
            "Orlo Capital bought Tarn Juices from Bexley Foods.",
        ),
        ("Karl Lind is a nephew of Mark Reed.", UNCLE),
        ("Vera Lind gave Karl Reed a prize.", PRIZE),
        ("Orlo employed Vera Lind in 1990.", "Vera Lind worked for Orlo in 1990."),
        ("Vera Lind preceded Karl Reed as director.", "Karl Reed succeeded Vera Lind as director."),
    ],
)
def test_the_other_side_of_an_event_supports(claim: str, text: str) -> None:
    assert label(claim, text) == "SUPPORTS"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Bexley Foods bought Tarn Juices from Orlo Capital.", SOLD),
        ("Tarn Juices bought Bexley Foods from Orlo Capital.", SOLD),
        ("Mark Reed is a nephew of Karl Lind.", UNCLE),
        ("Karl Lind is a niece of Mark Reed.", UNCLE),
        ("Emil Reed is a nephew of Mark Reed.", UNCLE),
        ("Karl Reed gave Vera Lind a prize.", PRIZE),
        ("Karl Reed preceded Vera Lind as director.", "Karl Reed succeeded Vera Lind as director."),
        ("Orlo licensed the mark to Bexley.", "Bexley licensed the mark to Orlo."),
        ("Anna Reed was the father of Vera Lind.", "Vera Lind was a daughter of Anna Reed."),
    ],
)
def test_exchanged_parties_are_not_supported(claim: str, text: str) -> None:
    assert label(claim, text) != "SUPPORTS"


def test_the_roles_of_a_converse_go_both_ways() -> None:
    bought, sold = roles("buy", "sell"), roles("sell", "buy")
    assert bought is not None
    assert sold is not None
    assert "@to" in bought["A"]
    assert sold["@to"] == {"A"}
    assert roles("buy", "lend") is None


def test_a_noun_for_men_needs_the_name_of_one() -> None:
    assert may_be_said("nephew", "Karl Lind")
    assert not may_be_said("niece", "Karl Lind")
    assert not may_be_said("nephew", "Zorvan Ix")
    assert may_be_said("student", "Zorvan Ix")
