"""What a sentence shares out, bounds, excepts, or tells as a charge or of another time, supports nothing else."""

from __future__ import annotations

import pytest

from provgraph.reading.parser import BuiltInParser
from provgraph.verdicts.judgement import EvidenceText
from provgraph.verdicts.judging import judge

STAFF = "The firm employs 300 people in Graz and 200 in Linz."
HEATING = "The landlord pays for heating, the tenant for electricity."
OF_ANOTHER_CLAUSE = [
    ("The virus causes cancer.", "The virus causes warts and may contribute to cancer."),
    ("Smoking was banned in 1990.", "The law that banned smoking was proposed in 1990."),
    ("The company paid the fine.", "The company, which was fined in 2010, paid its suppliers late."),
    ("Karl Meyer acted in Cologne.", "Karl Meyer directed the play in Cologne and acted in Bonn."),
    ("Karl Meyer directed the play in Bonn.", "Karl Meyer directed the play in Cologne and acted in Bonn."),
    ("Karl Meyer was the director.", "Karl Meyer was the assistant of the director."),
]
OF_ANOTHER_SORT = [
    ("The school will have places for 420 teachers.", "The school will have places for 420 pupils."),
    ("Two of the dogs were killed by sheep in 2018.", "Two of the sheep were killed by dogs in 2018."),
    (
        "The number of plant species rose by 22% in the plots that were grazed during the day.",
        "The number of plant species rose by 22% in the plots that were grazed at night, but did not change in those "
        "grazed during the day.",
    ),
    ("The treatment reduced pain in women.", "The treatment reduced pain in men."),
    ("The licensee may terminate the agreement.", "The licensor may terminate the agreement."),
    ("Most members voted for the plan.", "Most members voted against the plan."),
    ("The members voted for the plan.", "Half of the members voted for the plan."),
    ("The insurer covers damage by water.", "The insurer covers all damage except damage by water."),
    ("The island has an airport.", "The nearest airport to the island is in Palma."),
]
LEFT_OPEN = [
    (
        "The gallery had 41,500 visitors in 2024.",
        "The gallery was visited by 48,200 people in 2024, against 41,500 the year before.",
    ),
    ("Emma Stahl won a gold medal.", "Emma Stahl was the favourite to win a gold medal."),
    ("The company will open an office in Oslo.", "The company has opened an office in Oslo."),
    ("The painting is by Vermeer.", "The painting is by a pupil of Vermeer."),
    ("The mayor opened the bridge.", "The bridge was opened in the presence of the mayor."),
    ("Ten patients died.", "Ten patients were enrolled and two died."),
    (
        "Aspirin prevents strokes.",
        "Patients who took aspirin to prevent strokes were followed for two years.",
    ),
    ("The thief stole a painting.", "The insurance pays when a thief steals a painting."),
    ("Vitamin C lowers the risk of colds.", "There is no evidence that vitamin C lowers the risk of colds."),
    ("Vitamin C lowers the risk of colds.", "Does vitamin C lower the risk of colds?"),
    ("The company paid the fine.", "The company has yet to pay the fine."),
]
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
    ("Emma Stahl won the medal.", "Emma Stahl was the first to win the medal."),
    ("Paul Orr was elected treasurer.", "Paul Orr was not elected chair but treasurer."),
    ("The law was passed by parliament.", "In 1990 parliament passed the law."),
    ("The film won three awards.", "The film was nominated for six prizes and won three awards."),
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


@pytest.mark.parametrize(
    ("claim", "text"), [*NOT_SUPPORTED, *OF_ANOTHER_CLAUSE, *OF_ANOTHER_SORT, *LEFT_OPEN]
)
def test_another_share_bound_or_manner_does_not_support(claim: str, text: str) -> None:
    assert label(claim, text) != "SUPPORTS"


@pytest.mark.parametrize(("claim", "text"), SUPPORTED)
def test_what_is_said_just_so_is_supported(claim: str, text: str) -> None:
    assert label(claim, text) == "SUPPORTS"


@pytest.mark.parametrize("text", OVER)
def test_what_is_over_refutes_that_it_is_so(text: str) -> None:
    assert label("Delta owns the plant.", text) == "REFUTES"
