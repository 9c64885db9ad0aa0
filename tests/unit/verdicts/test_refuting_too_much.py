"""What is true in other words is not refuted, and what the text names otherwise is still met."""

from __future__ import annotations

import pytest

from provgraph.reading.parser import BuiltInParser
from provgraph.reading.scope import head_words
from provgraph.verdicts.judgement import EvidenceText
from provgraph.verdicts.judging import judge

BASTINI = (
    "Aurelio Bastini left home on a scholarship for the Halvard Institute in Norway and graduated there in 1910 in "
    "mechanical engineering."
)
VENWICK = (
    "Ada Venwick was an engineer. Because the Royal Polytechnic of Sundermark did not admit women at the time, she "
    "studied mathematics privately and passed its examination in 1895."
)
DULLE = (
    "The Dulle is a river in Lumarca. The lower course was canalised between 1868 and 1873, so that barges can "
    "reach the town."
)
CASTLE = "The oldest part is the round keep, whose walls are up to 3.4 metres thick."
GERMAN = "Latin she learned from the priest; German, which she needed for her letters, she taught herself."
PRIZE = "Harbour Without Lamps is a novel of 1978. It won the Carolan Prize for 1979."
LINZ = "Born in Graz, Ada Novak moved to Linz and died there in 1950."


def label(claim: str, text: str, title: str = "") -> str:
    return judge(claim, [EvidenceText("0", text, title)], BuiltInParser()).label


@pytest.mark.parametrize(
    ("claim", "text", "title"),
    [
        pytest.param(
            "Aurelio Bastini graduated from the Halvard Institute in 1910.",
            BASTINI,
            "Aurelio Bastini",
            id="there",
        ),
        pytest.param("Ada Novak died in Linz.", LINZ, "Ada Novak", id="there, the last place named"),
        pytest.param(
            "Ada Venwick passed the examination of the Royal Polytechnic in 1895.",
            VENWICK,
            "Ada Venwick",
            id="its",
        ),
        pytest.param(
            "The lower course of the Dulle was canalised between 1868 and 1873.",
            DULLE,
            "River Dulle",
            id="the lower course, in an article",
        ),
        pytest.param(
            "Harbour Without Lamps won the Carolan Prize for 1979.",
            PRIZE,
            "Harbour Without Lamps",
            id="a title with a denying word denies nothing",
        ),
    ],
)
def test_what_stands_for_a_name_meets_it(claim: str, text: str, title: str) -> None:
    assert label(claim, text, title) == "SUPPORTS"


@pytest.mark.parametrize(
    ("claim", "text", "title"),
    [
        pytest.param("Ada Novak died in Graz.", LINZ, "Ada Novak", id="there is the last place named"),
        pytest.param(
            "The upper course of the Dulle was canalised between 1868 and 1873.",
            DULLE,
            "River Dulle",
            id="another part",
        ),
    ],
)
def test_what_stands_for_another_name_supports_nothing(claim: str, text: str, title: str) -> None:
    assert label(claim, text, title) != "SUPPORTS"


@pytest.mark.parametrize(
    ("claim", "text", "title"),
    [
        pytest.param(
            "Nothing at Drummel Castle is older than the keep.", CASTLE, "Drummel Castle", id="oldest"
        ),
        pytest.param(
            "Marguerite Oskeland mastered German without a teacher.",
            GERMAN,
            "Marguerite Oskeland",
            id="herself",
        ),
        pytest.param(
            "There is no more than one train a day.",
            "The single daily train leaves Ostrava at 7.50.",
            "Ostrava",
            id="no more than one",
        ),
        pytest.param(
            "Only new customers have to pay in advance.",
            "New customers pay beforehand.",
            "Terms of Velmark",
            id="only excludes nothing by itself",
        ),
        pytest.param("Half of the plots are inspected.", "All plots are inspected.", "", id="half of all"),
    ],
)
def test_what_may_be_true_in_other_words_is_not_refuted(claim: str, text: str, title: str) -> None:
    assert label(claim, text, title) != "REFUTES"


def test_a_denial_of_the_very_words_refutes() -> None:
    text = "Ada Novak crossed the lake in 1950."
    verdict = judge("Ada Novak did not cross the lake in 1950.", [EvidenceText("0", text)], BuiltInParser())
    assert verdict.label == "REFUTES"
    assert verdict.confidence >= 0.75


MINUTES = (
    "Minutes of the council of Port Ellery\n\nFrom 1 January 2025 the yearly fee for café tables on the quay will rise "
    "from £45 to £60 per square metre. " + "The harbour master reported on the work of the season. " * 30
)


@pytest.mark.parametrize(
    ("claim", "wanted"),
    [
        (
            "In Port Ellery the yearly fee for café tables on the quay will rise from £45 to £60 per square metre.",
            "SUPPORTS",
        ),
        (
            "In Port Marle the yearly fee for café tables on the quay will rise from £45 to £60 per square metre.",
            "NOT ENOUGH INFO",
        ),
    ],
)
def test_a_claim_that_begins_with_what_the_title_names_needs_no_comma(claim: str, wanted: str) -> None:
    title = "Minutes of the council of Port Ellery"
    evidence = EvidenceText("0", MINUTES, title, head=head_words(title, "minutes.txt", MINUTES))
    assert judge(claim, [evidence], BuiltInParser()).label == wanted
