"""A question for the most or the least is answered by a bound, and money is said with its unit."""

from __future__ import annotations

import pytest

from provgraph.derivation.bounds import bound_asked, says_bound
from unit.derivation.shelf import short


@pytest.mark.parametrize(
    ("question", "bound"),
    [
        ("How many guests may stay at most?", "most"),
        ("What is the maximum length of a cable?", "most"),
        ("How old must a driver be at least?", "least"),
        ("How many guests stayed?", ""),
    ],
)
def test_the_bound_that_is_asked_for(question: str, bound: str) -> None:
    assert bound_asked(question) == bound


def test_a_sentence_sets_a_bound_or_does_not() -> None:
    assert says_bound("No more than eight guests may stay.", "most")
    assert says_bound("A cable must not be longer than 30 metres.", "most")
    assert not says_bound("Eight guests stayed.", "most")
    assert says_bound("Drivers must be at least 21.", "least")
    assert says_bound("Eight guests stayed.", "")


CABIN = {
    "Cabin rules": "Hikers usually bring one dog. Do not bring more than three dogs into the cabin. The hut warden "
    "lives next door.",
    "Kestrel Bridge": "The Kestrel Bridge crosses the Olm. It was longer than any other until the Marl Bridge was "
    "completed. The bridge cost 85 million talers.",
}


async def test_the_usual_number_is_no_bound() -> None:
    assert await short("How many dogs may I bring into the cabin at most?", CABIN) in ("three", "")


async def test_money_has_its_unit() -> None:
    assert await short("What did the Kestrel Bridge cost?", CABIN) == "85 million talers"


async def test_another_thing_of_the_same_last_word_is_not_the_one_asked_about() -> None:
    assert await short("What did the Marl Bridge cost?", CABIN) == ""
