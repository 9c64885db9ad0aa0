"""What words decide where the statements of claim and evidence are put differently."""

from __future__ import annotations

import pytest

from provgraph.reading.parser import BuiltInParser
from provgraph.verdicts.claim_readings import readings
from provgraph.verdicts.claims import read_claim
from provgraph.verdicts.decision import chances
from provgraph.verdicts.evidence_features import NAMES
from provgraph.verdicts.judgement import EvidenceText
from provgraph.verdicts.judging import Judge
from provgraph.verdicts.objections import objections

PARSER = BuiltInParser()
JUDGE = Judge(PARSER)


def objected(claim: str, text: str) -> set[tuple[str, str]]:
    """What is objected, with the words of the claim that it is of."""
    [reading] = readings(read_claim(claim, PARSER), [JUDGE.meaning(EvidenceText("doc", text))])
    units = reading.best.units
    return {
        (each.kind, "" if each.unit is None else claim[units[each.unit].start : units[each.unit].end])
        for each in objections(reading)
    }


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (
            "The film Cold Harbour stars Vera Lind.",
            "Cold Harbour is a 1990 film by Ada Novak, starring Vera Lind.",
        ),
        ("Vera Lind has studied law.", "The painter Vera Lind studied law in Uppsala."),
        ("Karl Reed composed the music of Red Sand.", "The music of Red Sand was composed by Karl Reed."),
    ],
)
def test_nothing_is_objected_where_the_same_is_said(claim: str, text: str) -> None:
    assert objected(claim, text) == set()


@pytest.mark.parametrize(
    ("claim", "text", "objection"),
    [
        (
            "Vera Lind directed Red Sand.",
            "Red Sand, directed by Ada Novak, stars Vera Lind.",
            ("another's", "Vera Lind"),
        ),
        ("The mill opened in 1931.", "The mill opened in 1928 and closed in 1931.", ("another's", "1931")),
        ("The river is not deep.", "The river is deep.", ("denial", "")),
        ("The mill may close.", "The bridge closed.", ("unmet", "mill")),
        ("Only Ada Novak signed it.", "Ada Novak signed it.", ("only", "")),
        ("The mill will close.", "If it rains, the mill will close.", ("doubt", "")),
    ],
)
def test_what_is_otherwise_is_objected(claim: str, text: str, objection: tuple[str, str]) -> None:
    assert objection in objected(claim, text)


def test_the_table_shows_what_refutes() -> None:
    found = JUDGE.judge(
        "Orlo Mills was built in Graz in 1950.", [EvidenceText("doc", "Orlo Mills was built in 1962.")]
    )
    assert found.label == "REFUTES"
    assert [e.text for e in found.elements if e.relation == "contradicted"] == ["1950"]


def test_a_supported_claim_has_no_element_left_open() -> None:
    text = "The Orlo Institute, which Vera Lind established in 1968, examines sea ice."
    found = JUDGE.judge("Vera Lind founded the Orlo Institute in 1968.", [EvidenceText("doc", text)])
    assert found.label == "SUPPORTS"
    assert {each.relation for each in found.elements} == {"entailed"}
    assert all(each.evidence is not None for each in found.elements)


def test_chances_add_up_to_one() -> None:
    assert sum(chances([0.5] * len(NAMES))) == pytest.approx(1.0)


DIRECTOR = (
    "Pavel Orm was a Czech film director and photographer. He was born in Szeged, the son of the conductor "
    "Ferdo Orm."
)


@pytest.mark.parametrize(
    "claim",
    [
        "Pavel Orm was a painter.",
        "Ferdo Orm is the father of Pavel Orm.",
        "Pavel Orm was born in Hungary.",
    ],
)
def test_a_second_trade_a_relative_and_the_country_of_an_unlisted_town_are_not_refuted(claim: str) -> None:
    assert JUDGE.judge(claim, [EvidenceText("doc", DIRECTOR, "Pavel Orm")]).label != "REFUTES"


@pytest.mark.parametrize("claim", ["Pavel Orm was born in Vienna.", "Pavel Orm was not a film director."])
def test_another_town_and_a_denial_are_refuted_surely(claim: str) -> None:
    judgement = JUDGE.judge(claim, [EvidenceText("doc", DIRECTOR, "Pavel Orm")])
    assert judgement.label == "REFUTES"
    assert judgement.confidence >= 0.75


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("Pavel Orm never owned a dog.", "NOT ENOUGH INFO"),
        ("Pavel Orm never lived in Paris.", "NOT ENOUGH INFO"),
        ("Pavel Orm was never born in Szeged.", "REFUTES"),
    ],
)
def test_a_denial_of_what_no_text_speaks_of_is_not_refuted(claim: str, label: str) -> None:
    assert JUDGE.judge(claim, [EvidenceText("doc", DIRECTOR, "Pavel Orm")]).label == label


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Orlo stopped making the pump in 2022.", "Orlo ended production of the pump in 2022."),
        ("Ada Novak had been a pupil of Vera Lind.", "Ada Novak, a former pupil of Vera Lind, sings."),
        ("Tango originated in Rosario.", "Tango is a form of dance originating in Rosario."),
    ],
)
def test_other_words_for_the_same_are_met(claim: str, text: str) -> None:
    assert objected(claim, text) == set()


@pytest.mark.parametrize(
    ("claim", "text", "objection"),
    [
        (
            "Ada Novak got permission to dig.",
            "Ada Novak will ask the council for permission to dig.",
            ("doubt", ""),
        ),
        ("The gate was locked by Karl Reed.", "The gate will be locked by Karl Reed.", ("doubt", "")),
        (
            "Orlo supplied four pumps to Ben Reed.",
            "Orlo supplied four pumps to Ada Novak and five pumps to Ben Reed.",
            ("share", "Ben Reed"),
        ),
        ("Every mill has a wheel.", "It is the only mill that has a wheel.", ("scope", "")),
    ],
)
def test_what_is_wanted_or_said_of_others_is_objected(
    claim: str, text: str, objection: tuple[str, str]
) -> None:
    assert objection in objected(claim, text)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("No mill grew larger than Orlo Mills.", "Orlo Mills became the largest mill."),
        (
            "Karl Reed did not think that Ada Novak should paint.",
            "Karl Reed advised Ada Novak against painting.",
        ),
    ],
)
def test_a_denial_of_something_else_refutes_nothing(claim: str, text: str) -> None:
    assert JUDGE.judge(claim, [EvidenceText("doc", text)]).label != "REFUTES"


def test_a_denial_of_the_same_refutes() -> None:
    found = JUDGE.judge(
        "Vera Lind did not paint Red Sand.", [EvidenceText("doc", "Vera Lind painted Red Sand.")]
    )
    assert found.label == "REFUTES"
