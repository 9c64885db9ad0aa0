"""How much more one is than another, and what belongs to another time or event than the question's."""

from __future__ import annotations

import pytest

from provgraph.derivation.differences import difference_asked
from provgraph.derivation.result import Derived, Incomplete
from unit.derivation.shelf import result, short

MUSEUM = {
    "The Tidewater Museum": "The Tidewater Museum in Port Lorne was founded in 1931 by the shipowner Casimir Holt. Its "
    "first director was Beatrix Nowell, who led it for twenty-two years. The logbook was stolen in 1962 and found "
    "eleven years later in a Rotterdam antique shop. In 2019 the museum had 88,400 visitors; in 2020, when it was "
    "closed for five months, it had 31,000. The water bill was £412, which is £57 more than last year.",
}
RIVERS = {
    "The Orme and the Sill": "The Orme is 312 kilometres long and rises on Mount Kessel at a height of 2,140 metres. "
    "The Sill is 97 kilometres long.",
}


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("How much longer is the Orme than the Sill?", "How long is the Orme?", "How long is the Sill?"),
        ("How many metres higher is Kessel than Brim?", "How high is Kessel?", "How high is Brim?"),
        (
            "How many more visitors did the museum have in 2019 than in 2020?",
            "How many visitors did the museum have in 2019?",
            "How many visitors did the museum have in 2020?",
        ),
        (
            "How many more goals did Ann Reed score than Ben Weil?",
            "How many goals did Ann Reed score?",
            "How many goals did Ben Weil score?",
        ),
        (
            "How many euros more does a tonne of kelp cost than a tonne of dulse?",
            "How much does a tonne of kelp cost?",
            "How much does a tonne of dulse cost?",
        ),
        (
            "How many watts more is the rated power of the Duo than that of the Compact?",
            "How much is the rated power of the Duo?",
            "How much is the rated power of the Compact?",
        ),
        (
            "By how many kilonewtons did the test pull fall short of the prescribed one?",
            "How much was the test pull?",
            "How much was the prescribed test pull?",
        ),
    ],
)
def test_a_difference_is_taken_apart_into_two_questions(question: str, first: str, second: str) -> None:
    asked = difference_asked(question)
    assert asked is not None
    assert (asked.first, asked.second) == (first, second)


@pytest.mark.parametrize("question", ["How many visitors did it have?", "Is it more than 30 metres long?"])
def test_other_questions_ask_for_no_difference(question: str) -> None:
    assert difference_asked(question) is None


async def test_one_of_the_two_is_no_difference() -> None:
    prices = {"Kelp and dulse": "A tonne of dried kelp costs 6,450 euros. Dulse is sold salted, in barrels."}
    assert await short("How many euros more does a tonne of kelp cost than a tonne of dulse?", prices) == ""
    both = {
        "Kelp and dulse": "A tonne of dried kelp costs 6,450 euros. A tonne of salted dulse costs 5,000 euros."
    }
    assert (
        await short("How many euros more does a tonne of kelp cost than a tonne of dulse?", both)
        == "1,450 euros"
    )


async def test_both_values_are_found_and_subtracted() -> None:
    found = await result("How much longer is the Orme than the Sill?", RIVERS)
    assert isinstance(found, Derived)
    assert found.text == "215 kilometres"
    assert found.steps[-1].operation == "subtract"
    assert [found.steps[use].value for use in found.steps[-1].uses] == ["312 kilometres", "97 kilometres"]


@pytest.mark.parametrize(
    "question",
    [
        "How much longer is the Sill than the Orme?",
        "How much longer is the Orme than the Mell?",
        "How many more visitors did the museum have in 2019 than in 2018?",
    ],
)
async def test_where_it_is_not_more_or_not_said_there_is_no_difference(question: str) -> None:
    assert await short(question, {**RIVERS, **MUSEUM}) == ""


async def test_a_number_beside_another_year_is_not_of_the_year() -> None:
    assert await short("How many visitors did the museum have in 2019?", MUSEUM) == "88,400"
    assert await short("How many visitors did the museum have in 2020?", MUSEUM) in ("31,000", "")


async def test_a_time_told_from_another_is_counted() -> None:
    assert await short("When was the logbook found?", MUSEUM) == "1973"


@pytest.mark.parametrize(
    "question",
    [
        "How much was the water bill last year?",
        "Who leads the museum now?",
    ],
)
async def test_what_belongs_to_another_event_or_time_is_no_answer(question: str) -> None:
    assert await short(question, MUSEUM) == ""


STAFF = {
    "Sorrell Instruments": "Sorrell Instruments makes microscopes in Aldchester. We employ 480 people: 310 in "
    "Aldchester, 125 in the Netherlands and 45 at our repair centre in Porto.",
}


async def test_one_number_found_for_both_makes_them_no_equals() -> None:
    found = await result("Does Sorrell Instruments have more staff in the Netherlands or in Porto?", STAFF)
    missing = found.missing if isinstance(found, Incomplete) else ""
    assert "the same" not in missing
