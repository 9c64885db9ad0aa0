"""A rule or a state is not supported by what says it only of a time, on a condition or of some."""

from __future__ import annotations

import pytest

from provgraph.reading.parser import BuiltInParser
from provgraph.verdicts.judgement import EvidenceText
from provgraph.verdicts.judging import judge

ON_TIMES = [
    ("Admission is free for students.", "Admission is free for students on Fridays."),
    ("The library is open on Sundays.", "The library is open on Sundays in July and August."),
    ("The ferry runs every hour.", "During the summer season the ferry runs every hour."),
    ("The bridge is closed to lorries.", "The bridge is closed to lorries at night."),
    ("Parking is free.", "Parking is free after 6 pm."),
    ("The mineral is found in Norway.", "The mineral is rarely found in Norway."),
]
ON_CONDITIONS = [
    (
        "The tenant may sublet the flat.",
        "The tenant may sublet the flat with the written consent of the landlord.",
    ),
    ("Visitors may take photographs.", "Visitors may take photographs without flash in the garden."),
    ("Guests may use the kitchen.", "Guests may use the kitchen if they clean it."),
    ("Trains stop at Velm.", "Trains stop at Velm on request."),
    ("The drug lowers blood pressure.", "At doses above 40 mg the drug lowers blood pressure."),
]
OF_SOME = [
    (
        "Employees receive a bonus of 500 euros.",
        "Employees who have worked for more than two years receive a bonus of 500 euros.",
    ),
    ("Employees receive a bonus.", "Full-time employees receive a bonus."),
    ("Students pay no fees.", "Students from Norway pay no fees."),
    ("The drug lowers blood pressure.", "In rats, the drug lowers blood pressure."),
    ("Parking is free.", "Parking is free for residents."),
    ("The board consists of seven members.", "The board consists of seven members and a chair."),
    ("She was the best player.", "She was voted one of the best players of the tournament."),
    ("The committee approved the plan.", "The subcommittee approved the plan."),
    ("Her film is the best of the decade.", "Critics called her film the best of the decade."),
]
NARROWED_BY_NOTHING = [
    ("The council has nine members.", "Since 2010 the council has nine members."),
    ("She teaches physics.", "She teaches physics at Delft on Mondays."),
    ("The firm makes shoes.", "The firm makes shoes for children."),
    ("The car can reach 200 km/h.", "The car can reach 200 km/h in 12 seconds."),
    ("The committee may appoint experts.", "The committee may at any time appoint experts."),
    ("The library is open on Sundays.", "The library is open to the public on Sundays."),
    ("Employees who work at night receive a bonus.", "Employees who work at night receive a bonus."),
    ("Anna Berg sold the mill.", "In the spring of 1987 Anna Berg sold the old mill to her cousin."),
]
MEASURED = [
    ("The tower is taller than 100 metres.", "The tower is 112 metres tall.", "SUPPORTS"),
    ("The tower is taller than 120 metres.", "The tower is 112 metres tall.", "REFUTES"),
    ("More than 300 people work at the plant.", "The plant employs 340 people.", "SUPPORTS"),
    ("The festival lasts three days.", "The three-day festival takes place each June.", "SUPPORTS"),
    ("The festival lasts four days.", "The three-day festival takes place each June.", "REFUTES"),
    ("Nora Kline has three children.", "Nora Kline has two daughters and a son.", "SUPPORTS"),
    ("Nora Kline has four children.", "Nora Kline has two daughters and a son.", "REFUTES"),
    ("Tomas Reyes died in 2011.", "Tomas Reyes (1932–2011) was a Chilean engineer.", "SUPPORTS"),
    ("The school is located in Brno.", "The school stands on a hill in the north of Brno.", "SUPPORTS"),
    ("The hospital treats sick children.", "Sick children are treated at the hospital.", "SUPPORTS"),
    ("The book was published in 2003.", "Her second book came out in 2003.", "SUPPORTS"),
]


@pytest.mark.parametrize(("claim", "text"), [*ON_TIMES, *ON_CONDITIONS, *OF_SOME])
def test_what_is_said_of_less_supports_no_more(claim: str, text: str) -> None:
    assert _label(claim, text) != "SUPPORTS"


@pytest.mark.parametrize(("claim", "text"), NARROWED_BY_NOTHING)
def test_circumstances_of_one_event_or_thing_may_be_left_out(claim: str, text: str) -> None:
    assert _label(claim, text) == "SUPPORTS"


def test_the_words_that_narrow_it_are_named() -> None:
    found = judge(*_asked("Admission is free for students.", "Admission is free for students on Fridays."))
    assert found.missing == "The text says so only “on Fridays”."


@pytest.mark.parametrize(("claim", "text", "verdict"), MEASURED)
def test_what_is_told_in_another_form(claim: str, text: str, verdict: str) -> None:
    assert _label(claim, text) == verdict


def _label(claim: str, text: str) -> str:
    return judge(*_asked(claim, text)).label


def _asked(claim: str, text: str) -> tuple[str, list[EvidenceText], BuiltInParser]:
    return claim, [EvidenceText("doc", text)], BuiltInParser()
