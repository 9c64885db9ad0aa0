"""What a sentence shares out, bounds, excepts, or tells as a charge or of another time, supports nothing else."""

from __future__ import annotations

import pytest

from provgraph.reading.parser import BuiltInParser
from provgraph.verdicts.judgement import EvidenceText
from provgraph.verdicts.judging import judge

STAFF = "The firm employs 300 people in Graz and 200 in Linz."
HEATING = "The landlord pays for heating, the tenant for electricity."
NOT_SUPPORTED = [
    ("The firm employs 200 people in Graz.", STAFF),
    ("The firm employs 300 people in Linz.", STAFF),
    ("The firm employs 300 people.", STAFF),
    ("The tenant pays for heating.", HEATING),
    ("The landlord pays for electricity.", "The landlord pays for heating, the tenant pays for electricity."),
    ("Up to nine books may be borrowed.", "Up to eight books may be borrowed."),
    ("At least three members must be present.", "At least five members must be present."),
    ("The treaty was signed by Denmark.", "The treaty was signed by all states but Denmark."),
    ("Tom Reed killed the guard.", "Tom Reed was accused of killing the guard."),
    ("Tom Reed killed the guard.", "Tom Reed was acquitted of killing the guard."),
    ("The bridge is safe.", "The mayor said that the bridge is safe."),
    ("Members must pay the fee by 1 May.", "Members may pay the fee by 1 May."),
    ("The population fell to 4,000.", "The population rose to 4,000."),
    ("Elena Voss wrote the opera.", "Elena Voss wrote the libretto of the opera."),
    ("The painting hangs in the Louvre.", "A copy of the painting hangs in the Louvre."),
]
SUPPORTED = [
    ("The firm employs 300 people in Graz.", STAFF),
    ("The landlord pays for heating.", HEATING),
    ("Up to eight books may be borrowed.", "Up to eight books may be borrowed."),
    ("The treaty was signed by Norway.", "The treaty was signed by Norway, Denmark and Iceland."),
    ("Elena Voss wrote the libretto.", "Elena Voss wrote the libretto of the opera."),
    ("A copy of the painting hangs in the Louvre.", "A copy of the painting hangs in the Louvre."),
    ("Members must pay the fee by 1 May.", "Members must pay the fee by 1 May."),
    ("The painting hung in the Louvre.", "The painting used to hang in the Louvre."),
    ("The painting no longer hangs in the Louvre.", "The painting no longer hangs in the Louvre."),
]
OVER = ["Delta no longer owns the plant.", "Delta used to own the plant."]


def label(claim: str, text: str) -> str:
    return judge(claim, [EvidenceText("doc", text, "")], BuiltInParser()).label


@pytest.mark.parametrize(("claim", "text"), NOT_SUPPORTED)
def test_another_share_bound_or_manner_does_not_support(claim: str, text: str) -> None:
    assert label(claim, text) != "SUPPORTS"


@pytest.mark.parametrize(("claim", "text"), SUPPORTED)
def test_what_is_said_just_so_is_supported(claim: str, text: str) -> None:
    assert label(claim, text) == "SUPPORTS"


@pytest.mark.parametrize("text", OVER)
def test_what_is_over_refutes_that_it_is_so(text: str) -> None:
    assert label("Delta owns the plant.", text) == "REFUTES"
