"""Claims about rules, minutes and reports: who must, what "it" is, what rose to what, and who is not meant."""

from __future__ import annotations

import pytest

from provgraph.reading.parser import BuiltInParser
from provgraph.verdicts.judgement import EvidenceText
from provgraph.verdicts.judging import judge

COMMITTEE = (
    "The committee consists of a chair, a treasurer and five other members. It is elected every two years at the "
    "annual meeting in February. Joan Pike has been chair since 2019."
)
MILL = "About 120 workers were led to safety; two of them were treated for smoke, and one firefighter broke an arm."
SUPPORTED = [
    ("The bicycle weighs 23 kg without the battery.", "The bicycle weighs 23 kg without the battery."),
    ("The parents paid for the pool.", "The pool, opened in 2016, was paid for by the parents."),
    ("School ends at 3.15 pm.", "School starts at 8.50 am and ends at 3.15 pm, on Fridays at 2.30 pm."),
    ("The committee is elected every two years.", COMMITTEE),
    ("The annual meeting is held in February.", COMMITTEE),
    ("Joan Pike is the chair of the committee.", COMMITTEE),
    ("Two workers were treated for smoke.", MILL),
    ("Tenants may not keep cockerels.", "A tenant may keep up to six hens, but no cockerels."),
    ("The tenant has to insure the windows.", "The tenant must insure the windows."),
    ("The tenant is not allowed to sublet the cellar.", "The tenant shall not sublet the cellar."),
    ("Smoking is prohibited in the building.", "Smoking is not allowed in the building."),
    ("The patient recovered.", "The patient made a full recovery."),
    ("The tower is more than 100 metres high.", "The tower has a height of 112 metres."),
    ("The bridge connects Buda and Pest.", "The bridge links Buda with Pest."),
    ("The foundation paid for the trial.", "The trial was funded by the foundation."),
    (
        "Sales were 1.9 billion kroner in 2023.",
        "Sales rose by 8 percent to 1.9 billion kroner in 2023.",
    ),
    ("The field is behind the school.", "The field behind the school belongs to the council."),
    ("The deposit is 900 euros.", "The tenant pays a deposit of 900 euros."),
    ("Turid Moe founded Ostra.", "Ostra was founded in 1974 by the engineers Lars Vik and Turid Moe."),
]
BRIXEN = "She was survived by their two sons, one of whom, Mads, was an architect, and by five grandchildren."
TARN = "With a depth of 96 metres Lake Tarn is the second deepest lake in the country."
SHORES = "About 9,000 people live on its shores, most of them in Brun."
KORN = (
    "Aro, 44, took over the chain from her father, Nils Aro. Before that she worked as a lawyer in Brussels."
)
PEG = "Peg won the national title three times, in 1958, 1959 and 1961; in 1960 she was second."
IBUPROFEN = "Ibuprofen must not be given to babies younger than three months or to children with chickenpox."
LEFT_OPEN = [
    ("A temperature of 39 °C is called fever.", "A temperature of 38 °C or more is called fever."),
    ("Level 1 uses twice as much power as level 4.", "Level 4 uses twice as much power as level 1."),
    ("Ibuprofen must not be given to babies.", IBUPROFEN),
    ("Ships must take a pilot.", "Ships longer than 90 metres must take a pilot."),
    (
        "Brandt makes batteries.",
        "A spokesman for Brandt said that the supplier of the battery had been replaced.",
    ),
    ("Juniors pay 120 pounds.", "Juniors pay half the fee of 240 pounds."),
    ("First class is allowed.", "First class is allowed only for journeys of over five hours."),
    (
        "Staff may claim travel costs.",
        "Staff may claim travel costs for journeys of more than 20 kilometres.",
    ),
    ("Boats are banned on the lake.", "Motor boats have been banned on the lake since 1988."),
    ("Lake Tarn is the deepest lake in the country.", TARN),
    ("9,000 people live in Brun.", SHORES),
    (
        "Korn has 61 shops in Finland.",
        "Korn, which has 61 shops in Sweden and 14 in Finland, had sales of 88 million euros.",
    ),
    ("Nils Aro was a lawyer.", KORN),
    ("Mr Lund is the head teacher.", "The head teacher is Mrs Okafor; her deputy is Mr Lund."),
    ("The bicycle weighs 23 kg.", "The bicycle weighs 23 kg without the battery, which weighs 2.6 kg."),
    ("School ends at 2.30 pm.", "School starts at 8.50 am and ends at 3.15 pm, on Fridays at 2.30 pm."),
    ("Mobile phones are not allowed.", "Mobile phones are not allowed during lessons."),
    ("Hanna Brixen died in 2019.", "Poul Brixen died in 2003."),
    ("The committee has five members.", COMMITTEE),
    ("Two firefighters were treated for smoke.", MILL),
    ("The tenant must insure the windows.", "The landlord must insure the windows."),
    ("The tenant pays for repairs to the roof.", "The landlord pays for repairs to the roof."),
    ("The tenant paid the deposit.", "The tenant pays a deposit of three months' rent before moving in."),
    ("Repairs are paid by the tenant.", "Repairs are paid by the tenant up to 300 euros each."),
    ("The council decided to sell the field.", "The council agreed to buy the field behind the school."),
    ("Ostra did not buy Kallman.", "Plans to buy the Swedish firm Kallman were dropped in 2020."),
    ("Jean Moss was absent.", "Apologies were received from Jean Moss."),
]
REFUTED = [
    ("Peg won the national title in 1960.", PEG),
    ("Ingrid Dahl manages Statoil.", "The chief executive is Ingrid Dahl, a former manager of Statoil."),
    (
        "Participants on placebo slept longer than those on melatrin.",
        "Participants on melatrin slept 31 minutes longer per day than those on placebo.",
    ),
    ("A tenant may keep up to eight hens.", "A tenant may keep up to six hens."),
    ("The fire began at 4.20 p.m.", "The fire began at 4.20 a.m. in a store of waste paper."),
    ("The library is closed to the public.", "The library is open to the public on Thursdays."),
]


@pytest.mark.parametrize(("claim", "text"), SUPPORTED)
def test_what_is_said_in_other_words_is_supported(claim: str, text: str) -> None:
    assert _label(claim, text) == "SUPPORTS"


@pytest.mark.parametrize(("claim", "text"), LEFT_OPEN)
def test_what_is_said_of_others_is_left_open(claim: str, text: str) -> None:
    assert _label(claim, text) == "NOT ENOUGH INFO"


@pytest.mark.parametrize(("claim", "text"), REFUTED)
def test_what_is_said_otherwise_is_refuted(claim: str, text: str) -> None:
    assert _label(claim, text) == "REFUTES"


def test_who_is_told_of_is_not_taken_for_another() -> None:
    title = "Hanna Brixen, architect, 1931-2019"
    assert _label("Mads was an architect.", BRIXEN, title) == "SUPPORTS"
    assert _label("Poul Brixen was an architect.", f"Poul Brixen died in 2003. {BRIXEN}", title) != "SUPPORTS"
    assert _label("Poul Brixen taught in Lund.", "She taught in Lund from 1970 to 1989.", title) != "SUPPORTS"
    assert (
        _label("Hanna Brixen taught in Lund.", "She taught in Lund from 1970 to 1989.", title) == "SUPPORTS"
    )


def test_passages_of_one_document_tell_each_other_who_is_meant() -> None:
    passages = [
        EvidenceText(
            "1",
            "The bakery chain Korn wants to open shops in Denmark.",
            "Bakery chain Korn to open in Denmark",
        ),
        EvidenceText(
            "2", "The chain was founded in Uppsala in 1968.", "Bakery chain Korn to open in Denmark"
        ),
        EvidenceText("3", "The chain was founded in Oslo in 1971.", "Bakeries close"),
    ]
    assert judge("Korn was founded in Uppsala.", passages, BuiltInParser()).label == "SUPPORTS"
    assert judge("Korn was founded in Oslo.", passages, BuiltInParser()).label != "SUPPORTS"


def test_a_title_may_name_what_its_text_tells_of() -> None:
    found = _label("Northgate was founded in 1887.", "The club was founded in 1887.", "History of Northgate")
    assert found == "SUPPORTS"


def _label(claim: str, text: str, title: str = "") -> str:
    return judge(claim, [EvidenceText("doc", text, title)], BuiltInParser()).label


SHOP = "The gate is open from 6 am to 9 pm in summer and from 8 am to 5 pm in winter."


@pytest.mark.parametrize(
    ("claim", "text", "label"),
    [
        ("All of the flour is made from rye.", "Half of the flour is made from rye.", "REFUTES"),
        ("Half of the plots are inspected.", "All plots are inspected.", "NOT ENOUGH INFO"),
        ("Most of the members voted.", "Two thirds of the members voted.", "SUPPORTS"),
        ("The participants dropped out.", "Half of the participants dropped out.", "NOT ENOUGH INFO"),
        ("Half of the members voted.", "Some of the members voted.", "NOT ENOUGH INFO"),
        ("The gate closes at 9 pm in summer.", SHOP, "SUPPORTS"),
        ("The gate closes at 8 pm in summer.", SHOP, "REFUTES"),
        ("The gate closes at 9 pm.", SHOP, "NOT ENOUGH INFO"),
        ("The cable has been replaced.", "The cable will be replaced in May.", "NOT ENOUGH INFO"),
        (
            "Two sailors died in a storm in 1978.",
            "In 1978 a storm flooded a street and killed two sailors.",
            "SUPPORTS",
        ),
        ("Joan Hale set fire to a barn.", "Peter Hale left. Hale set fire to a barn.", "NOT ENOUGH INFO"),
        ("Clara moved to Canada in 1939.", "Her elder daughter, Clara, moved to Canada in 1939.", "SUPPORTS"),
    ],
)
def test_portions_hours_and_what_is_still_to_come(claim: str, text: str, label: str) -> None:
    assert _label(claim, text) == label


def test_what_a_rule_takes_out_is_not_refuted_by_it() -> None:
    text = "The Contractor may not use subcontractors except for window cleaning and pest control."
    texts = [EvidenceText("doc", text)]
    parser = BuiltInParser()
    assert judge("The Contractor may use subcontractors for pest control.", texts, parser).label != "REFUTES"
    assert judge("The Contractor may use subcontractors.", texts, parser).label != "SUPPORTS"
