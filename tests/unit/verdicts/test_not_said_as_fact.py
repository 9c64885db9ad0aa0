"""What a text says only as a condition, or of a time to come, supports no claim that it is so."""

from __future__ import annotations

import pytest

from provgraph.reading.parser import BuiltInParser
from provgraph.verdicts.judgement import EvidenceText
from provgraph.verdicts.judging import Judge

JUDGE = Judge(BuiltInParser())


def label(claim: str, text: str) -> str:
    return JUDGE.judge(claim, [EvidenceText("a", text)]).label


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (
            "The reserve for the presses has reached £60,000.",
            "One fifth goes into a reserve for the renewal of the presses until that reserve has reached £60,000.",
        ),
        (
            "The coast guard will move its boat.",
            "The chief is willing to try it for a season, provided the coast guard moves its boat from Sandspit.",
        ),
        (
            "Shareholders will approve the change to the articles.",
            "She will join the committee, provided that shareholders approve a change to the articles.",
        ),
        (
            "A concert had to be moved to the chapel.",
            "Should the store grow hotter than 38 degrees, the concert moves to the chapel, which has thicker walls.",
        ),
        (
            "Strikes had been announced before 2 May.",
            "No refund is made for poor sales or for strikes that had been announced before 2 May.",
        ),
        ("The mark is struck out.", "She brought this action to have the mark struck out."),
    ],
)
def test_what_may_be_is_no_fact(claim: str, text: str) -> None:
    assert label(claim, text) != "SUPPORTS"


def test_what_went_on_until_something_happened_tells_that_it_happened() -> None:
    text = "Halden Pumps made pumps until it was sold to Lund Valves in 1999."
    assert label("Halden Pumps was sold to Lund Valves in 1999.", text) == "SUPPORTS"


def test_as_many_are_not_more() -> None:
    assert label("More than 2,600 visitors came.", "The event drew 2,600 visitors.") != "SUPPORTS"
    assert label("The fair had more than 300 stalls.", "The fair had 300 stalls.") != "SUPPORTS"
    assert (
        label("The fair had more than 300 stalls.", "The fair had more than 300 stalls in June.")
        == "SUPPORTS"
    )


def test_who_is_called_by_what_he_does_did_not_do_all_of_it() -> None:
    text = "Among the memorials is that of the rat-catcher Jem Stokes."
    assert label("Jem Stokes caught all his rats.", text) != "SUPPORTS"


def test_what_is_said_of_another_elsewhere_is_not_said_of_the_first() -> None:
    text = (
        "He was married twice, first to Esther Nyirenda, and from 1986 to Grace Mwale, a midwife. He had six children, "
        "all by his first wife."
    )
    assert label("His first wife was a midwife.", text) != "SUPPORTS"
