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
CLIMB = (
    "Mount Sorn was first climbed by the British priest Edward Lyle and his guide Hans Kofler. "
    "The south face was not climbed until 1934. According to a legend, a giant sleeps under the summit. "
    "The mayor wants a cable car, but neither the club nor the reserve supports the plan."
)
DAHL = "Iversen was replaced by Anna Dahl, the first woman to lead the institute since Lind."
FIRE = (
    "A fire in 2011 destroyed the library but not the collection of shells. The new building opened in 2015."
)
REEF = "In 1983 Eva Holt, then a student, discovered a coral reef off Hamna; the reef is now protected."
CURATOR = (
    "Elsa Brandt was a botanist. From 1915 until her retirement in 1936 she was curator of the herbarium. "
    "Her colleague Otto Holm accused her of copying. She died in Odense. A street in Aarhus is named after her."
)
SHIP = "The research ship Tern, launched in 1972 and sold to a Chilean firm in 1999, made 41 voyages."
HALL = (
    "Its 64 musicians, 30 of whom are women, play abroad. Peter Lang left because the board rejected his plan for a "
    "choir. The hall burned in 1988; it was restored by the architect Lena Vos and reopened on Friday, 3 March 1991."
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
        ("Hans Kofler was a British priest.", CLIMB),
        ("The south face was not climbed in 1934.", CLIMB),
        ("A giant sleeps under the summit.", CLIMB),
        ("The club supports the plan.", CLIMB),
        ("Anna Dahl was the first woman to lead the institute.", DAHL),
        ("A fire in 2011 destroyed the new building.", FIRE),
        ("A fire in 2011 destroyed the collection of shells.", FIRE),
        ("Eva Holt protected the reef.", REEF),
        ("Elsa Brandt was curator of the herbarium from 1915 to 1944.", CURATOR),
        ("The Tern was launched in 1999.", SHIP),
        ("Lena Vos reopened on Friday, 3 March 1991.", HALL),
        ("64 of the musicians are women.", HALL),
        ("The board rejected the choir's plan.", HALL),
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
        ("Edward Lyle was a British priest.", CLIMB),
        ("The south face was climbed in 1934.", CLIMB),
        ("The club does not support the plan.", CLIMB),
        ("Anna Dahl was the first woman to lead the institute since Lind.", DAHL),
        ("A fire in 2011 destroyed the library.", FIRE),
        ("The fire did not destroy the collection of shells.", FIRE),
        ("Eva Holt discovered a coral reef in 1983.", REEF),
        ("Elsa Brandt was curator of the herbarium from 1915 to 1936.", CURATOR),
        ("A street in Aarhus is named after Elsa Brandt.", CURATOR),
        ("The Tern was launched in 1972.", SHIP),
        ("The Tern made 41 voyages.", SHIP),
        ("The hall burned in 1988.", HALL),
        ("The board rejected the plan for a choir.", HALL),
        ("Halden Pumps acquired Lund Valves.", PUMPS),
        ("Some of them were offered jobs in Moss.", MOST),
    ],
)
def test_its_true_sister_is_supported(claim: str, text: str) -> None:
    assert label(claim, text) == "SUPPORTS"


def test_what_is_denied_of_one_year_is_not_denied_of_another() -> None:
    assert label("Halden paid a dividend for 2021.", DIVIDEND) == "SUPPORTS"
    assert label("Halden paid a dividend of 3 kroner for 2021.", DIVIDEND) == "NOT ENOUGH INFO"


def test_another_place_or_death_does_not_refute_where_somebody_lived() -> None:
    text = "Elsa Brandt moved to Copenhagen in 1893. She died in Odense."
    assert label("Elsa Brandt lived in Copenhagen.", text) == "NOT ENOUGH INFO"


TELESCOPES = (
    "The first telescope, a refractor with a lens of 40 centimetres, was built by Stolle. "
    "A second telescope, a reflector of 1.8 metres, was put up in 1964."
)
FALK = (
    "Greta Falk was an astronomer. She was born as the youngest of five children of the schoolmaster Ole Falk and his "
    "wife Ingrid Kallin, a sister of the brewer Anders Kallin."
)


def test_what_the_second_is_is_not_said_of_the_first() -> None:
    assert (
        JUDGE.judge("The first telescope was a reflector.", [EvidenceText("doc", TELESCOPES)]).label
        != "SUPPORTS"
    )


def test_a_wife_may_be_a_mother() -> None:
    evidence = [EvidenceText("doc", FALK, "Greta Falk")]
    assert JUDGE.judge("Ingrid Kallin was the mother of Greta Falk.", evidence).label != "REFUTES"
    assert JUDGE.judge("Ingrid Kallin was the sister of Ole Falk.", evidence).label != "SUPPORTS"


HARROW = (
    "Tobias Harrow was a shipbuilder. He was the third of six children of the carpenter Jens Harrow. The couple had "
    "two sons, Erik and Nils. Erik became a judge; Nils drowned in 1931."
)


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("Tobias Harrow was the third of six children.", True),
        ("Tobias Harrow was the third of five children.", False),
        ("Tobias Harrow was the second of six children.", False),
        ("Nils drowned in 1931.", True),
        ("Erik drowned in 1931.", False),
    ],
)
def test_which_of_how_many_and_which_of_two(claim: str, supported: bool) -> None:
    label = JUDGE.judge(claim, [EvidenceText("doc", HARROW, "Tobias Harrow")]).label
    assert (label == "SUPPORTS") is supported
