"""What was only planned, left undone or said of another is not said of what a claim speaks of."""

from __future__ import annotations

import pytest

from provgraph.reading.parser import BuiltInParser
from provgraph.verdicts.judgement import EvidenceText
from provgraph.verdicts.judging import judge

LEFT_UNDONE = [
    ("The fee was raised.", "It was decided not to raise the yearly fee, which stays at £45 a plot."),
    ("The fee was raised.", "The board decided against raising the fee."),
    ("The board raised the fee.", "The members prevented the board from raising the fee."),
    ("Anna Bell signed the treaty.", "Anna Bell was advised against signing the treaty and did not."),
    ("Anna Bell signed the treaty.", "Anna Bell left without signing the treaty."),
]
PLANNED = [
    ("The fee was raised.", "The board agreed to raise the fee."),
    ("The bridge was repaired.", "The council voted to repair the bridge."),
    ("The company closed the plant.", "The company was ordered to close the plant."),
]
DONE = [
    ("The fee was raised.", "The board managed to raise the fee."),
    ("Alice painted landscapes.", "Alice continued to paint landscapes until her death."),
    ("The company decided to close the plant.", "In May the company decided to close the plant."),
    ("The company did not close the plant.", "The company decided not to close the plant."),
    ("The treaty was signed in Oslo.", "Instead of Bergen, the treaty was signed in Oslo."),
]
ADMISSION = "Admission costs 7 dollars for adults and is free for children under twelve."
RIVERS = (
    "The Orme is 312 kilometres long and rises on Mount Kessel. The Sill, its largest tributary, is 97 kilometres "
    "long and joins it at Dunmore."
)


def label(claim: str, text: str, title: str = "") -> str:
    return judge(claim, [EvidenceText("doc", text, title)], BuiltInParser()).label


@pytest.mark.parametrize(("claim", "text"), LEFT_UNDONE)
def test_what_was_left_undone_is_refuted(claim: str, text: str) -> None:
    assert label(claim, text) == "REFUTES"


@pytest.mark.parametrize(("claim", "text"), PLANNED)
def test_what_was_only_planned_is_open(claim: str, text: str) -> None:
    assert label(claim, text) == "NOT ENOUGH INFO"


@pytest.mark.parametrize(("claim", "text"), DONE)
def test_what_was_done_is_supported(claim: str, text: str) -> None:
    assert label(claim, text) == "SUPPORTS"


def test_what_is_said_for_some_in_one_clause_is_not_said_for_others() -> None:
    assert label("Admission is free for children under twelve.", ADMISSION) == "SUPPORTS"
    assert label("Admission is free for adults.", ADMISSION) != "SUPPORTS"


@pytest.mark.parametrize("title", ["", "The Orme and the Sill", "Rivers of the valley: an overview"])
def test_a_title_of_several_things_stands_for_no_pronoun(title: str) -> None:
    assert label("The Sill joins the Orme at Dunmore.", RIVERS, title) == "SUPPORTS"
    assert label("The Sill joins the Orme at Vale.", RIVERS, title) == "REFUTES"


def test_another_name_in_the_very_role_refutes() -> None:
    text = "The Tidewater Museum in Port Lorne was founded in 1931 by the shipowner Casimir Holt."
    assert label("Casimir Holt founded the Tidewater Museum in 1931.", text) == "SUPPORTS"
    assert label("Beatrix Nowell founded the Tidewater Museum in 1931.", text) == "REFUTES"


def test_the_designation_of_a_model_is_one_name() -> None:
    text = "The D-90 has a stainless-steel housing."
    assert label("The D-90 has a stainless-steel housing.", text) == "SUPPORTS"
    assert label("The D-45 has a stainless-steel housing.", text) != "SUPPORTS"


LEASE = (
    "The rent is £3,150 a month, payable in advance. In the third year the rent rises to £3,300 a month. The lease "
    "begins on 1 May 2023 and ends on 30 April 2028."
)


@pytest.mark.parametrize(
    ("claim", "wanted"),
    [
        ("The lease of Harbour Row 12 ends on 30 April 2028.", "SUPPORTS"),
        ("The lease of Harbour Row 12 ends on 30 May 2028.", "REFUTES"),
        ("The lease of Harbour Row 14 ends on 30 April 2028.", "NOT ENOUGH INFO"),
        ("The rent of Harbour Row 12 is £3,150 a month.", "SUPPORTS"),
    ],
)
def test_a_part_of_the_title_names_what_the_text_is_about(claim: str, wanted: str) -> None:
    assert label(claim, LEASE, "Lease agreement, Harbour Row 12") == wanted


def test_what_an_amount_rises_to_in_time_is_not_what_it_is() -> None:
    claim = "The rent of Harbour Row 12 is £3,300 a month."
    assert label(claim, LEASE, "Lease agreement, Harbour Row 12") != "SUPPORTS"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The drug is safe for children.", "The drug is safe for children over six."),
        ("Ada Bell wrote the film.", "Ada Bell wrote the book on which the film is based."),
        ("Ada Bell lived in Graz from 1950 to 1960.", "Ada Bell lived in Graz from 1955 to 1960."),
        ("Ada Bell is a doctor.", "Ada Bell is a former doctor."),
        ("Ada Bell discovered the comet.", "Ada Bell almost discovered the comet."),
        ("The tower is taller than the church.", "The church is taller than the tower."),
        ("The hotel has a pool.", "The hotel near the pool has forty rooms."),
        ("The hotel has forty rooms.", "The hotel near the station has a pool; the other has forty rooms."),
        ("The train left at 9:15.", "The train left at 9:50 and arrived at 9:15 the next day."),
    ],
)
def test_what_is_said_of_a_part_or_of_something_else_does_not_support(claim: str, text: str) -> None:
    assert label(claim, text) != "SUPPORTS"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Ada Bell was a minister.", "Ada Bell is a former minister."),
        ("The church is taller than the tower.", "The church is taller than the tower."),
        ("The hotel has a pool.", "The hotel has a pool and forty rooms."),
        ("The train left at 9:50.", "The train left at 9:50 and arrived at 9:15 the next day."),
        ("The tenant pays for electricity.", "The tenant pays for electricity and water."),
    ],
)
def test_the_same_said_of_the_same_supports(claim: str, text: str) -> None:
    assert label(claim, text) == "SUPPORTS"


@pytest.mark.parametrize(
    ("claim", "text", "wanted"),
    [
        ("Herring is the main export.", "Herring was once the main export.", "REFUTES"),
        ("Herring was the main export.", "Herring was once the main export.", "SUPPORTS"),
        ("Nobody was hurt.", "No one was injured.", "SUPPORTS"),
        ("Lena Fors is the mayor.", "Mayor Lena Fors said that the bridge would stay closed.", "SUPPORTS"),
        ("Lena Fors is the mayor.", "Former mayor Lena Fors opened the bridge.", "NOT ENOUGH INFO"),
        ("Lena Fors is the mayor.", "Mayor Olaf Berg thanked Lena Fors.", "NOT ENOUGH INFO"),
    ],
)
def test_who_and_how_things_are_follows_from_how_they_are_named(claim: str, text: str, wanted: str) -> None:
    assert label(claim, text) == wanted


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (
            "Brannock repaired the bridge in 1936.",
            "The bridge, built in 1936, was repaired in 2011 by Brannock.",
        ),
        ("Torvik employs 160 people.", "Torvik employs 210 people, 160 of them in Norway."),
        ("Ida Holm married the botanist Karl Aas.", "The botanist Ida Holm married the geologist Karl Aas."),
    ],
)
def test_a_date_a_number_and_a_trade_of_something_else_support_nothing(claim: str, text: str) -> None:
    assert label(claim, text) != "SUPPORTS"


def test_it_stands_for_the_subject_of_the_clause_before() -> None:
    text = "The museum was opened in 1998, and it displays tools of whale hunters."
    assert label("The museum displays tools of whale hunters.", text, "Sornvik") == "SUPPORTS"
