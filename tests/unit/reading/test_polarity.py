"""What is denied, planned, alleged or hangs on a condition is read as such."""

from __future__ import annotations

import pytest

from provgraph.reading.propositions import Proposition
from unit.reading.reading_fixtures import propositions


def one(text: str, relation: str) -> Proposition:
    return next(each for each in propositions(text) if each.relation.split()[0] == relation)


@pytest.mark.parametrize(
    ("text", "relation", "polarity"),
    [
        ("Reed never visited Graz.", "visit", False),
        ("Reed did not visit Graz.", "visit", False),
        ("No critic visited Graz.", "visit", False),
        ("Reed visited no museum.", "visit", False),
        ("Reed failed to win the election.", "won", False),
        ("The firm not only visited Graz but also Linz.", "visit", True),
        ("The non-commercial museum attracted visitors.", "attract", True),
        ("Reed visited Graz without meeting Bell.", "visit", True),
    ],
)
def test_a_denial_holds_in_its_own_clause(text: str, relation: str, polarity: bool) -> None:
    assert one(text, relation).polarity is polarity


@pytest.mark.parametrize(
    ("text", "relation", "modality"),
    [
        ("Acme sold the mill.", "sell", "asserted"),
        ("Acme may have sold the mill.", "sell", "possible"),
        ("Acme plans to sell the mill.", "sell", "planned"),
        ("Reed is alleged to have murdered Bell.", "killed-by", "alleged"),
        ("If Acme sells the mill, workers will protest.", "sell", "conditional"),
    ],
)
def test_how_a_clause_is_meant(text: str, relation: str, modality: str) -> None:
    assert one(text, relation).modality == modality


def test_who_says_it() -> None:
    found = one("According to Anna Smith, Acme sold the mill.", "sell")
    assert found.attributed_to is not None
    assert found.attributed_to.label == "Anna Smith"
