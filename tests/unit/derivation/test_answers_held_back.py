"""What a sentence says as a charge, a plan, over or of another is no answer to who did it, when or where."""

from __future__ import annotations

import pytest

from provgraph.derivation.answer_statements import answered_statement
from provgraph.reading.parser import BuiltInParser
from provgraph.verdicts.judgement import EvidenceText
from provgraph.verdicts.reservations import is_held_back

PARSER = BuiltInParser()
STAFF = "The club employs three people in Orvik and two in Tysen."
RAN = "Joan Harbin ran the bakery until 1985, Eric the mill until 1990."
WORK = "Harbin Foods employs 1,200 people, of whom 400 work in Bristol."
HELD_BACK = [
    ("Who ran the mill?", "Joan Harbin", RAN),
    ("How many people work in Bristol?", "1,200", WORK),
    (
        "Who killed Peter Voss?",
        "Rolf Danner",
        "Rolf Danner was accused of killing the guard Peter Voss in 2011.",
    ),
    ("Who stole the diamond?", "Maria Keller", "Maria Keller was acquitted of stealing the diamond."),
    ("Who burned the barn?", "Dora Pines", "Dora Pines is suspected of having burned the barn."),
    ("Who forged the letters?", "Emil Frank", "The judge asked whether Emil Frank had forged the letters."),
    ("When was the painting sold?", "2004", "Lena Falk tried to sell the painting in 2004."),
    ("Who won the marathon?", "Otto Lind", "Otto Lind was the favourite to win the marathon."),
    ("Who climbed Mount Sorrel?", "Nils Berg", "Nils Berg almost climbed Mount Sorrel."),
    ("Where does the trophy stand?", "town hall", "The trophy used to stand in the town hall."),
    ("How many people does the club employ in Tysen?", "three", STAFF),
    (
        "Who wrote the history of the club?",
        "Karl Moen",
        "Karl Moen wrote the foreword of the club's history.",
    ),
]
SAID = [
    ("Who ran the bakery?", "Joan Harbin", RAN),
    ("How many people does Harbin Foods employ?", "1,200", WORK),
    (
        "Who was accused of killing Peter Voss?",
        "Rolf Danner",
        "Rolf Danner was accused of killing Peter Voss.",
    ),
    ("Who tried to sell the painting?", "Lena Falk", "Lena Falk tried to sell the painting in 2004."),
    ("Where will Delvax open a factory?", "Graz", "The company Delvax will open a factory in Graz."),
    ("How many people does the club employ in Orvik?", "three", STAFF),
    ("Who founded the club?", "father of Tom Reed", "The club was founded by the father of Tom Reed."),
    ("When did the salmon return?", "1998", "The salmon came back in 1998, after the mills had closed."),
    ("On which network was the special aired?", "NBC", "It was a special that would air on NBC in December."),
]


def held_back(question: str, answer: str, sentence: str) -> bool:
    said = answered_statement(question, answer, sentence[: sentence.index(answer)], PARSER)
    assert said
    return is_held_back(said, EvidenceText("doc", sentence, ""), PARSER)


@pytest.mark.parametrize(("question", "answer", "sentence"), HELD_BACK)
def test_what_is_not_said_plainly_of_it_is_no_answer(question: str, answer: str, sentence: str) -> None:
    assert held_back(question, answer, sentence)


@pytest.mark.parametrize(("question", "answer", "sentence"), SAID)
def test_what_is_said_of_it_may_be_an_answer(question: str, answer: str, sentence: str) -> None:
    assert not held_back(question, answer, sentence)


@pytest.mark.parametrize(
    ("question", "answer", "before", "statement"),
    [
        ("When did the salmon return?", "1998", "came back in ", "The salmon did return in 1998."),
        ("On which day is the museum shut?", "Mondays", "closed on ", "The museum is shut on Mondays."),
        ("How many people live in Graz?", "300", "", "300 people live in Graz."),
        ("What did Casimir Holt found in 1931?", "a museum", "", "Casimir Holt did found a museum in 1931."),
        ("Who was the first director?", "Beatrix Nowell", "", "Beatrix Nowell was the first director."),
        ("Is it open?", "yes", "", ""),
    ],
)
def test_an_answer_is_put_as_a_statement(question: str, answer: str, before: str, statement: str) -> None:
    assert answered_statement(question, answer, before, PARSER) == statement
