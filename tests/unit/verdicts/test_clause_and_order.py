"""Claims put together from two clauses of one sentence, or that turn its order, its "or" or its "perhaps" round, are
not supported; the true ones beside them are."""

from __future__ import annotations

import pytest

from provgraph.reading.parser import BuiltInParser
from provgraph.verdicts.judgement import EvidenceText, Judgement
from provgraph.verdicts.judging import Judge

JUDGE = Judge(BuiltInParser())
CHAIR = "Its chair is Ada Holm; the treasurer, Jonas Feld, has been in office since 2016."
SPEEDS = "In summer the pump runs at half speed; in winter it runs at full speed and the valve stays shut."
TWO_VANS = "The red van was bought in Leeds, while the blue van was bought in Hull."
BRIDGE = "The bridge fell in 1931, probably because of a flood, and was never rebuilt."
CONSENT = "Posters on the fence need the consent of both the owner and the council."
MOVED = "After her brother had died in 1902, the family sold the mill and moved to Bergen."
PLANS = "The landlord plans to paint the stairs in May."
CLAIMED = "The defendant maintained that Ilse Krahn had left the gate open."
ORDERED = "The court ordered the yard to pay 900 euros to the surgeon Ilse Krahn."
NOT_HER = "It was not her mother who taught Ilse Krahn to weave, but her aunt Berta."
PAID = "The nets were paid for by the bakery and not, as some believe, by the county."
STOCK = "Stocks were slightly below the level of June but above that of last year."


def judged(claim: str, text: str) -> Judgement:
    return JUDGE.judge(claim, [EvidenceText("text", text, "The mill society")])


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Ada Holm is the treasurer.", CHAIR),
        ("The chair is Jonas Feld.", CHAIR),
        ("Ada Holm has been in office since 2016.", CHAIR),
        ("In winter the pump runs at half speed.", SPEEDS),
        ("The red van was bought in Hull.", TWO_VANS),
        ("The bridge fell in 1931 because of a flood.", BRIDGE),
        ("Posters on the fence need the consent of either the owner or the council.", CONSENT),
        ("Her brother died after the family had moved to Bergen.", MOVED),
        ("The landlord is obliged to paint the stairs in May.", PLANS),
        ("Ilse Krahn had left the gate open.", CLAIMED),
        ("The court ordered Ilse Krahn to pay 900 euros to the yard.", ORDERED),
        ("It was her mother who taught Ilse Krahn to weave.", NOT_HER),
        ("Stocks were slightly above the level of June but below that of last year.", STOCK),
    ],
)
def test_what_no_clause_says_is_not_supported(claim: str, text: str) -> None:
    assert judged(claim, text).label != "SUPPORTS"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The chair is Ada Holm.", CHAIR),
        ("The pump runs at half speed in summer.", SPEEDS),
        ("The blue van was bought in Hull.", TWO_VANS),
        ("The bridge fell in 1931.", BRIDGE),
        ("The family moved to Bergen after her brother had died.", MOVED),
        ("The court ordered the yard to pay 900 euros to Ilse Krahn.", ORDERED),
        ("The nets were paid for by the bakery.", PAID),
        ("It was the bakery that paid for the nets.", PAID),
    ],
)
def test_what_a_clause_says_is_supported(claim: str, text: str) -> None:
    assert judged(claim, text).label == "SUPPORTS"


def test_a_pronoun_for_somebody_refutes_nobody() -> None:
    text = "Otto Holm lent her the tools. In 1911 she received her diploma for a thesis on lichens."
    assert (
        judged("Berta Krahn received her diploma in 1911 for a thesis on lichens.", text).label != "REFUTES"
    )


def test_a_noun_for_somebody_refutes_no_name() -> None:
    text = "The landlord is Berta Krahn. The property tax is borne by the landlord."
    assert judged("The property tax is borne by Berta Krahn.", text).label != "REFUTES"
