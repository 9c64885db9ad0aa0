"""Answers that cannot be what is asked for, whatever they stand on."""

from __future__ import annotations

import pytest

from provgraph.derivation.evidence import Support
from provgraph.derivation.held_back import is_held_back
from provgraph.derivation.result import AnswerKind, Derived, Step
from provgraph.reading.propositions import Span
from unit.derivation.shelf import passage


def found(text: str, kind: AnswerKind, sentence: str) -> Derived:
    read = passage("Report", sentence)
    whole = Span(0, len(sentence), sentence)
    support = Support(read, whole, whole)
    return Derived(text, kind, (Step("choose", text, "", (support,)),), 0.9)


COUNT = "There were 31 incidents, of which 22 concerned dry ice."
CHILD = "Milan was the child of Ari Korvin and the pianist Kim Halasz."
STAYED = "Of 52 piles, 33 were not attacked."


@pytest.mark.parametrize(
    ("question", "text", "kind", "sentence", "is_none"),
    [
        (
            "Who will run it once Florian Whit has gone?",
            "Mr Florian Whit",
            "entity",
            "Mr Florian Whit retires.",
            True,
        ),
        (
            "Who will run it once Florian Whit has gone?",
            "Carys Dunn",
            "entity",
            "Carys Dunn will run it.",
            False,
        ),
        ("Is Ada or Ben older?", "Ada", "entity", "Ada is older.", False),
        ("What fixed fee must Hallow pay?", "Client", "entity", "The Client pays a fixed fee of £40.", True),
        ("What fixed fee must Hallow pay?", "£40", "number", "The Client pays a fixed fee of £40.", False),
        ("How many incidents did not concern dry ice?", "31", "number", COUNT, True),
        ("How many incidents concerned dry ice?", "22", "number", COUNT, False),
        ("How many piles were not attacked?", "33", "number", STAYED, False),
        ("What became of the new mill?", "burned down", "span", "The old mill burned down.", True),
        ("What became of the old mill?", "burned down", "span", "The old mill burned down.", False),
        ("How much does a junior pay?", "95", "number", "Seniors pay 240, juniors pay 95.", False),
        ("Who is the father of Milan?", "Ari Korvin", "entity", CHILD, True),
        ("Who is the mother of Milan?", "Ari Korvin", "entity", "His mother was Ari Korvin.", False),
        ("What happens if I pay?", "it is sold", "span", "If the rent is not paid, it is sold.", True),
        (
            "What happens if I do not pay?",
            "it is sold",
            "span",
            "If the rent is not paid, it is sold.",
            False,
        ),
        ("By how much did sales fall?", "4.8", "number", "Sales rose from 4.1 to 4.8.", True),
        ("By how much did sales rise?", "0.7", "number", "Sales rose by 0.7 to 4.8.", False),
        ("How many watts more is the Duo than the Compact?", "420", "number", "The Duo has 420 watts.", True),
        ("At what time did it happen on 3 May?", "3 May", "date", "It happened on 3 May.", True),
        ("Was Ada Novak still alive in 1990?", "1990", "date", "Ada Novak died in 1990.", True),
        ("Was Ada Novak still alive in 1990?", "yes", "yes-no", "Ada Novak died in 1993.", False),
    ],
)
def test_some_answers_are_none(
    question: str, text: str, kind: AnswerKind, sentence: str, is_none: bool
) -> None:
    assert is_held_back(found(text, kind, sentence), question) is is_none
