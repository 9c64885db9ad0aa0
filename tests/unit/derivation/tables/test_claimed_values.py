"""Claims of numbers, dates and of what is most, as questions to tables, and how answers stand to them."""

from __future__ import annotations

import pytest

from provgraph.derivation.tables.claimed_values import claimed_values


@pytest.mark.parametrize(
    ("claim", "question"),
    [
        ("The D-45 costs 189 euros.", "What The D-45 costs?"),
        ("Net revenue in 2022 was $4.8 billion.", "What was Net revenue in 2022?"),
        ("Three races were held in Oslo.", "How many races were held in Oslo?"),
        ("There are two mountains in Nepal.", "How many mountains in Nepal?"),
        ("Brisk is the highest mountain.", "Who is the highest mountain?"),
        ("The D-90 is heavier than the D-45.", "Which is heavier, The D-90 or the D-45?"),
        ("Net income fell in 2022.", "Did Net income decrease in 2022?"),
        ("Alto was first climbed in 1932.", "When Alto was first climbed?"),
    ],
)
def test_a_claim_is_asked_of_tables_as_a_question(claim: str, question: str) -> None:
    claimed = next(claimed_values(claim))
    assert claimed.question == question
    assert claimed.text == "yes" or claim[claimed.start : claimed.end] == claimed.text


@pytest.mark.parametrize(
    ("claim", "answer", "stand"),
    [
        ("The D-45 costs 189 euros.", "€189", "entailed"),
        ("The D-45 costs 199 euros.", "€189", "contradicted"),
        ("The D-45 costs 189 dollars.", "€189", ""),
        ("The D-45 costs less than 200 euros.", "€189", "entailed"),
        ("The D-45 costs more than 200 euros.", "€189", "contradicted"),
        ("Revenue in 2022 was $4.8 billion.", "$4,812 million", "entailed"),
        ("Revenue in 2022 was $4.9 billion.", "$4,812 million", "contradicted"),
        ("Revenue in 2022 was about $4,800 million.", "$4,812 million", "entailed"),
        ("Three races were held in Oslo.", "2", "contradicted"),
        ("Brisk is the highest mountain.", "Brisk", "entailed"),
        ("Brisk is the highest mountain.", "Alto; Brisk", ""),
        ("Alto was first climbed in 1932.", "1932", "entailed"),
        ("Alto was first climbed in 1933.", "1932", "contradicted"),
        ("Net income fell in 2022.", "no", "contradicted"),
    ],
)
def test_how_the_answer_of_a_table_stands_to_a_claim(claim: str, answer: str, stand: str) -> None:
    assert next(claimed_values(claim)).stand(answer) == stand


def test_a_claim_without_a_value_asks_nothing_of_tables() -> None:
    assert list(claimed_values("The committee approved the plan.")) == []
