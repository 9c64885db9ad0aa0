"""A number answers where it measures what is asked for, an hour where a time of the day is, and a document that has a
name in its title is about it."""

from __future__ import annotations

import pytest

from provgraph.derivation.answer_kinds import is_of_other_kind
from provgraph.derivation.asking import asking
from provgraph.derivation.result import Derived
from provgraph.language.asked_kinds import asked_kind
from provgraph.reading.questions import read_question
from unit.derivation.shelf import PARSER, short

REPORTS = {
    "Report on the Velm Cable Car": "The accident happened at 16:42 on 22 August 2019, when the car struck the lower "
    "station at 29 kilometres an hour. The cable car was opened in 1937. It closes for the winter in November.",
    "Summary of the ORLA Trial": "The warm-water group trained twice a week for 45 minutes in a pool kept at 33 "
    "degrees Celsius, in classes of no more than eight. The trial began in 2019.",
    "A Visit to the Bell Founder Sigrid Holt": "Honours do not tempt her. The Nordic Craft Prize, worth 250,000 "
    "kroner, she accepted in 2018 and spent on a new crane. On Sunday the foundry is closed.",
    "Manual": "E4: the tank is missing. E5 on the display means that the lid sensor is dirty, and wiping it is "
    "enough.",
    "Rules of the Velm Rowing Club": "The Safety Officer, Malakai Fonua, may forbid any outing. The Captain serves for "
    "one year.",
    "Edda Quill": "Edda Quill wrote crime novels, for which she used the pseudonym Martin Grieve. Her bell cools for "
    "one day for every 200 kilograms.",
    "Agreement between Orrin Pumps and Larkfield Valves": "The agreement takes effect on 1 May 2022. Samples are "
    "tested by the laboratory Kessler in Hamburg.",
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("At what time did the accident happen on 22 August 2019?", "16:42"),
        ("At what temperature was the pool in the ORLA trial kept?", "33 degrees Celsius"),
        (
            "On what date does the agreement between Orrin Pumps and Larkfield Valves take effect?",
            "1 May 2022",
        ),
    ],
)
async def test_an_answer_measures_what_is_asked_for(question: str, answer: str) -> None:
    assert await short(question, REPORTS) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which timber lines the hall?", "falcons"),
        ("Which firm ran the bus?", "Saturday"),
        ("At what time did it happen?", "29 kilometres an hour"),
        ("Who built the hall?", "France"),
        ("What is the price of a filter?", "5 °C"),
        ("What is the salt cellar in the museum insured for?", "a salt cellar"),
    ],
)
def test_what_is_plainly_of_another_kind_is_no_answer(question: str, answer: str) -> None:
    wanted = asking(read_question(question, PARSER), question, PARSER, {})
    said = "Place" if answer == "France" else ""
    assert is_of_other_kind(Derived(answer, "entity", (), 0.9), said, wanted)
    assert not is_of_other_kind(Derived("Velm & Sons", "entity", (), 0.9), "", wanted)


def test_what_something_is_sold_to_pay_for_is_no_sum() -> None:
    assert asked_kind("What did the girls sell to pay for the bell?") == ""
    assert asked_kind("What did he have to pay for the boat?") == "money"
