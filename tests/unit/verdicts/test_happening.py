"""What somebody does to a thing happens to the thing: who closed a plant did not close, the plant did."""

from __future__ import annotations

import pytest

from provgraph.reading.parser import BuiltInParser
from provgraph.verdicts.judgement import EvidenceText
from provgraph.verdicts.judging import Judge

JUDGE = Judge(BuiltInParser())


def label(claim: str, text: str) -> str:
    return JUDGE.judge(claim, [EvidenceText("doc", text)]).label


CLOSED = "The group closed the plant in 1996."


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The group closed in 1996.", CLOSED),
        ("The group closed in 1996.", "The plants that the group closed in 1996 lay in Linz."),
        ("The museum opened in Linz in 2001.", "The museum opened a branch in Linz in 2001."),
        ("The museum moved to Linz.", "The museum moved its collection to Linz."),
        ("Acme doubled in 2010.", "Acme doubled its prices in 2010."),
        ("The firm changed in 2001.", "The firm cut costs and changed its name in 2001."),
        ("The farm grew until 1950.", "The farm grew wheat until 1950."),
        ("The storm sank near Kiel in 1912.", "The storm sank the ship near Kiel in 1912."),
    ],
)
def test_who_does_it_is_not_to_whom_it_happens(claim: str, text: str) -> None:
    assert label(claim, text) == "NOT ENOUGH INFO"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The plant closed in 1996.", CLOSED),
        ("A branch opened in Linz in 2001.", "The museum opened a branch in Linz in 2001."),
        ("The collection moved to Linz.", "The museum moved its collection to Linz."),
        ("The ship sank in 1912.", "The storm sank the ship near Kiel in 1912."),
        ("The museum closed in 1996.", "The museum closed its doors in 1996."),
        ("Revenue grew in 2010.", "Revenue grew 5 % in 2010."),
        ("Ada Novak writes.", "Ada Novak writes novels."),
        ("Ben Orr won in 1988.", "Ben Orr won the final in 1988."),
        ("The group closed in 1996.", "In 1996 the group closed."),
    ],
)
def test_it_happens_to_the_object_and_other_objects_are_just_left_out(claim: str, text: str) -> None:
    assert label(claim, text) == "SUPPORTS"
