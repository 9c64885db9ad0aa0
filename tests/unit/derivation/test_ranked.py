"""The general way: the likeliest of what sentences name, where no pattern is filled."""

from __future__ import annotations

import asyncio

import pytest

from provgraph.derivation.affinity import related
from provgraph.derivation.asking import Asking, asking
from provgraph.derivation.evidence import Finder
from provgraph.derivation.hints import Views
from provgraph.derivation.masking import read_with_names
from provgraph.derivation.ranked import AnswerRanking, fitted_weights, ordered
from unit.derivation.shelf import PARSER, Shelf

MILL = {
    "Upper Mill": "Upper Mill is a paper mill on the Sorl, a river of the north. The mill was put up by the engineer "
    "Tamsin Orde in 1871, and its wheel is 14 metres high. It is looked after by a trust with 23 volunteers.",
    "Tamsin Orde": "Tamsin Orde (3 May 1832 – 9 June 1904) was a Scottish engineer. She taught at the college of "
    "Brannoch, Fife.",
}


def asked(question: str) -> Asking:
    return asking(read_with_names(question, PARSER, ()), question, PARSER, {})


def best(question: str, documents: dict[str, str]) -> str:
    finder: Finder = Shelf(documents)

    async def ranking() -> list[str]:
        reading = read_with_names(question, PARSER, await finder.passages(question))
        _, rows, _ = await AnswerRanking(reading, question, PARSER, finder, Views()).measured()
        return [each.label for each in ordered(rows, fitted_weights())]

    return asyncio.run(ranking())[0]


@pytest.mark.parametrize(
    ("question", "kind", "noun"),
    [
        ("Who put up the mill?", "Person", ""),
        ("On which river does the mill stand?", "Place", "river"),
        ("In what year was the mill put up?", "Date", "year"),
        ("What is the name of the trust?", "Organization", "trust"),
        ("The mill was put up by an engineer born when?", "Date", ""),
        ("What was her profession?", "", "profession"),
    ],
)
def test_what_is_asked_is_told_by_the_words_of_the_question(question: str, kind: str, noun: str) -> None:
    told = asked(question)
    assert told.noun == noun
    assert told.kind == kind or (noun == "trust" and told.kind in ("", kind))


def test_a_measure_is_asked_with_its_dimension() -> None:
    assert asked("How high is the wheel?").dimensions == {"length"}
    assert asked("How many volunteers look after it?").counted == "volunteer"


def test_words_of_one_meaning_one_root_or_one_relation_are_akin() -> None:
    assert related("buy", "v", "purchase", "v") > 0.5
    assert related("invent", "v", "inventor", "n") > 0.5
    assert related("write", "v", "author", "n") > 0.5
    assert related("river", "n", "wheel", "n") == 0


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("In what year was the mill put up by Tamsin Orde?", "1871"),
        ("How high is the wheel of Upper Mill?", "14 metres"),
        ("Which engineer put up Upper Mill?", "Tamsin Orde"),
    ],
)
def test_the_likeliest_is_of_the_kind_that_is_asked_and_stands_near_the_words(
    question: str, answer: str
) -> None:
    assert best(question, MILL) == answer


def test_what_the_question_names_itself_is_no_answer() -> None:
    assert best("Who taught at Brannoch beside Tamsin Orde?", MILL) != "Tamsin Orde"
