"""How old somebody was when something happened, and who somebody is to another."""

import pytest

from provgraph.derivation.answer import Answerer
from provgraph.derivation.result import Derived
from unit.derivation.shelf import PARSER, Shelf

FALK = {
    "Greta Falk": "Greta Falk (14 March 1874 – 2 November 1951) was an astronomer. She was born in Brode as the "
    "youngest of five children of the schoolmaster Ole Falk and his wife Ingrid Kallin, a sister of the brewer Anders "
    "Kallin. In 1905 she married the engineer William Tait. The couple had a son, Robert, and a daughter, Elin. Falk "
    "discovered a comet on 9 January 1912. Tait drowned in 1913. She died in Sarn at the age of 77.",
}


async def answered(question: str) -> Derived | None:
    found = await Answerer(PARSER, Shelf(FALK)).answer(question)
    return found if isinstance(found, Derived) else None


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How old was Greta Falk when she discovered the comet?", "37"),
        ("How old was Greta Falk when William Tait drowned?", "38 or 39"),
        ("How old was Greta Falk when she died?", "77"),
        ("Who was Greta Falk's mother?", "Ingrid Kallin"),
        ("Who was Greta Falk's father?", "Ole Falk"),
        ("Who was Greta Falk's husband?", "William Tait"),
        ("Who was Greta Falk's uncle?", "Anders Kallin"),
        ("Who is Elin's father?", "William Tait"),
        ("Who were Greta Falk's children?", "Robert and Elin"),
    ],
)
async def test_ages_and_relatives(question: str, answer: str) -> None:
    found = await answered(question)
    assert found is not None
    assert found.text == answer


async def test_an_age_is_counted_from_both_days() -> None:
    found = await answered("How old was Greta Falk when she discovered the comet?")
    assert found is not None
    *_, last = found.steps
    assert last.operation == "count"
    assert [found.steps[use].value for use in last.uses] == ["14 March 1874", "9 January 1912"]


async def test_no_age_without_the_day_of_birth() -> None:
    assert await answered("How old was William Tait when he drowned?") is None
