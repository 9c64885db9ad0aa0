"""Claims in other words, of two sentences, and of what a sentence compares or tells of somebody else beside."""

from __future__ import annotations

import pytest

from provgraph.reading.parser import BuiltInParser
from provgraph.verdicts.judgement import EvidenceText
from provgraph.verdicts.judging import judge

VISITORS = "The museum had 12,000 visitors in May, down from 15,000 in April."
GALLERY = "The gallery had 48,200 visitors in 2024, against 41,500 the year before."
SALES = "Sales were 40 million euros in 2020, compared with 30 million euros in 2019."
LEASE = "The Lessor must maintain the roof and the Lessee must pay the rent."
GATE = "Ms Krog thanked Jorge Pinto for repairing the gate."
FIRM = "The shoe firm Dorn & Pell said on Monday that it had agreed to be sold to the group Halm."
OWNERS = "Dorn & Pell was owned by two families until 1999, when the bank Orlo bought it."
WATER = "Water is included in the rent, but electricity is not."
MASKS = "Staff were told to wear masks, but visitors were not."
PRESENT = "Present were Ida Lund (Chair), Per Moe (Treasurer) and Eli Berg (Secretary). Ms Lund resigned."
TRIAL = "Anke Dorn designed the trial. The trial lasted six weeks."
PERU = "Eva Stam led an expedition to Peru. The expedition was paid for by Thor Dahl."
PROTOCOL = "The protocol was registered before the first patient was enrolled."
LUND = "Sven Aho was born in Oulu. His son Jan studied law in Lund."
OULU = "Sven Aho was born in Oulu. He grew up in Turku. He studied law in Lund."
VISITED = "In 2022 the museum received 51,300 visitors, 7,100 more than in 2021."
RETIRED = "Ruth Okafor, who had led the clinic since 2009, retired in June and was replaced by Samuel Price."
PROFIT = "The port made a profit of 1.9 million crowns, against a loss of 0.4 million in 2020."
STAUB = "Emil Staub was born in Chur. He was the son of the watchmaker Jakob Staub and his wife Verena."
SUPPORTED = [
    ("Verena was Jakob Staub's wife.", STAUB),
    ("The museum had 15,000 visitors in April.", VISITORS),
    ("Sales were 30 million euros in 2019.", SALES),
    ("The gallery had 41,500 visitors in 2023.", GALLERY),
    ("The Lessor must maintain the roof.", LEASE),
    ("Jorge Pinto mended the gate.", GATE),
    ("Dorn & Pell agreed to be sold to Halm.", FIRM),
    ("Orlo acquired Dorn & Pell in 1999.", OWNERS),
    ("Electricity is not included in the rent.", WATER),
    ("Sven Aho was born in Oulu and studied law in Lund.", OULU),
    ("The trial, which was designed by Anke Dorn, lasted six weeks.", TRIAL),
    ("Thor Dahl financed the expedition to Peru.", PERU),
    ("Amina Yusuf accepted plot 22.", "Plot 22 was offered to Amina Yusuf, who accepted it."),
    ("Franz Pell was the brother of Ulla Dorn.", "The shop was founded by Ulla Dorn and her brother Franz Pell."),
    ("The plan was rejected.", "The plan was defeated by eleven votes to eight."),
]  # fmt: skip
NOT_SUPPORTED = [
    ("The port made a profit in 2020.", PROFIT),
    ("The museum had 51,300 visitors in 2021.", VISITED),
    ("Samuel Price retired in June.", RETIRED),
    ("Verena was Emil Staub's wife.", STAUB),
    ("Verena was the wife of Emil Staub.", STAUB),
    ("The museum had 12,000 visitors in April.", VISITORS),
    ("The museum had 15,000 visitors in May.", VISITORS),
    ("Sales were 40 million euros in 2019.", SALES),
    ("The Lessee must maintain the roof.", LEASE),
    ("Ms Krog repaired the gate.", GATE),
    ("Halm has bought Dorn & Pell.", FIRM),
    ("Orlo owned Dorn & Pell until 1999.", OWNERS),
    ("Electricity is included in the rent.", WATER),
    ("Visitors were told to wear masks.", MASKS),
    ("Per Moe resigned.", PRESENT),
    ("Sven Aho was born in Oulu and studied law in Lund.", LUND),
    ("Rents will go down to 52 pounds a year.", "Rents will go up from 45 to 52 pounds a year."),
    ("The protocol was registered after the first patient was enrolled.", PROTOCOL),
    ("Mara Velt translated the novel from Czech.", "Mara Velt translated the novel into Czech."),
    ("The bridge is open to cars.", "The bridge is open to cyclists but not to cars."),
    ("Ten wells are dry.", "Three of the ten wells are dry."),
    ("The treaty takes effect on 1 May.", "The treaty takes effect on 1 May unless Spain objects."),
    ("Gina Mott runs a bakery.", "Gina Mott owns a café and her sister Faye runs a bakery."),
    ("Enrolment was 950 in 2018.", "Enrolment was 900 in 2018 and 950 in 2019."),
    ("Max Orth died in 1920.", "Petra Lang, the wife of the painter Max Orth, died in 1920."),
    ("The fair takes place every year.", "The fair takes place every second year."),
    ("Nobody has a key.", "Nobody but the owner has a key."),
    ("Nils Brand was paid 600 euros.", "Nils Brand was paid 400 euros and Ida Brand 600 euros."),
    ("Portugal signed the pact in Rome.", "The pact was signed in Rome by France and Spain, and later by Portugal."),
]  # fmt: skip
NOT_REFUTED = [
    ("The port made a profit in 2021.", PROFIT),
    ("The museum had 44,200 visitors in 2021.", VISITED),
    ("Ruth Okafor retired in June.", RETIRED),
    ("Flash photography is not allowed.", "Photography is allowed, but flash may not be used."),
    ("The port made a loss in 2020.", PROFIT),
    ("The clinic has twelve doctors.", "The clinic has 38 employees. Two doctors retired in 2023."),
    ("Halm agreed to buy Dorn & Pell.", FIRM),
    ("Visitors were not told to wear masks.", MASKS),
    ("The firm sold the land.", "The firm denied that it had sold the land."),
    ("The tenant needs consent to sublet the unit.", "The tenant may not sublet the unit without consent."),
    ("The proposal to ban dogs was turned down.", "Mr Rao proposed that dogs be banned from the site."),
    ("The gallery had 50,000 visitors in 2021.", "The gallery had 48,200 visitors in 2024."),
]


def label(claim: str, text: str) -> str:
    return judge(claim, [EvidenceText("doc", text)], BuiltInParser()).label


@pytest.mark.parametrize(("claim", "text"), SUPPORTED)
def test_what_is_said_in_other_words_or_two_sentences_is_supported(claim: str, text: str) -> None:
    assert label(claim, text) == "SUPPORTS"


@pytest.mark.parametrize(("claim", "text"), NOT_SUPPORTED)
def test_what_is_said_of_another_or_otherwise_is_not_supported(claim: str, text: str) -> None:
    assert label(claim, text) != "SUPPORTS"


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("The Tarn Heritage Trust runs the museum.", "SUPPORTS"),
        ("The Tarn Heritage Trust runs the library.", "NOT ENOUGH INFO"),
        ("Dogs are welcome in the museum.", "NOT ENOUGH INFO"),
    ],
)
def test_a_noun_stands_for_what_is_named_so(claim: str, expected: str) -> None:
    text = "It has been run by the Tarn Heritage Trust since 2015. Dogs are welcome in the café only."
    title = "The Clockwork Museum in Tarn"
    assert judge(claim, [EvidenceText("doc", text, title)], BuiltInParser()).label == expected


@pytest.mark.parametrize(("claim", "text"), NOT_REFUTED)
def test_what_may_be_so_as_well_is_not_refuted(claim: str, text: str) -> None:
    assert label(claim, text) != "REFUTES"


@pytest.mark.parametrize(
    "claim",
    [
        "was the mill built in 1874",
        "Who built the mill",
        "Build the mill in 1874!",
        "the mill",
        "Le moulin a été construit en 1874.",
    ],
)
def test_a_question_a_request_or_another_language_is_no_claim(claim: str) -> None:
    judgement = judge(claim, [EvidenceText("doc", "The mill was built in 1874.")], BuiltInParser())
    assert judgement.notes == ("not a claim",)
    assert judgement.missing
