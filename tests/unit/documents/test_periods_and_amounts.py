"""Periods and amounts, however they are printed."""

from __future__ import annotations

import pytest

from provgraph.documents.amounts import amount_of, measure_of, unit_of
from provgraph.documents.periods import is_period, period_of


@pytest.mark.parametrize(
    ("words", "period"),
    [
        ("2022", "2022"),
        ("FY2022", "2022"),
        ("FY22", "2022"),
        ("fiscal 2022", "2022"),
        ("year ended December 31, 2022", "2022"),
        ("Years ended December 31, 2022", "2022"),
        ("December 31, 2022", "2022-12-31"),
        ("31 December 2022", "2022-12-31"),
        ("three months ended September 30, 2022", "P3M/2022-09-30"),
        ("Q3 2022", "2022-Q3"),
        ("third quarter of 2022", "2022-Q3"),
        ("Q1 FY25", "2025-Q1"),
        ("First quarter FY 24", "2024-Q1"),
        ("H1 2024", "2024-H1"),
        ("2023 · Q1", "2023-Q1"),
        ("2024 second half", "2024-H2"),
        ("2023 · Q1 · Q2", "2023"),
        ("Second half of FY25", "2025-H2"),
        ("Apr–Jun 2024", "P3M/2024-06-30"),
        ("January to June 2023", "P6M/2023-06-30"),
        ("Jan-Feb 2024", "P2M/2024-02-29"),
        ("January–December 2023", "2023"),
        ("2022 vs. 2021", ""),
        ("$ 2,022", ""),
        ("1,999", ""),
    ],
)
def test_one_period_has_one_form(words: str, period: str) -> None:
    assert period_of(words) == period
    assert is_period(words) == bool(period)


@pytest.mark.parametrize(
    ("words", "amount", "unit"),
    [
        ("$ (1,234)", "-1234", "USD"),
        ("(5.5)%", "-5.5", "%"),
        ("19 %", "19", "%"),
        ("1,234.5", "1234.5", ""),
        ("6,5", "6.5", ""),
        ("12 345", "12345", ""),
        ("−3", "-3", ""),
        ("1.5x", "1.5", "x"),
        ("US$ 5", "5", "USD"),
        ("5 (a)", "5", ""),
        ("—", "None", ""),
        ("(5", "None", ""),
        ("Item 5", "None", ""),
    ],
)
def test_an_amount_is_read_with_its_sign_and_unit(words: str, amount: str, unit: str) -> None:
    assert str(amount_of(words)) == amount
    assert amount == "None" or unit_of(words) == unit


@pytest.mark.parametrize(
    ("words", "unit", "scale"),
    [
        ("(in millions, except per share amounts)", "", 1_000_000),
        ("(Dollars in thousands)", "USD", 1_000),
        ("($ in billions)", "USD", 1_000_000_000),
        ("($000s)", "USD", 1_000),
        ("2023 £m", "GBP", 1_000_000),
        ("€bn", "EUR", 1_000_000_000),
        ("SEKm", "SEK", 1_000_000),
        ("US$ k", "USD", 1_000),
        ("£'000", "GBP", 1_000),
        ("Distance, m", "", 0),
        ("Net income per share", "", 1),
        ("% change", "%", 1),
        ("Revenue", "", 0),
    ],
)
def test_words_tell_units_and_scales(words: str, unit: str, scale: int) -> None:
    found = measure_of(words)
    assert (found.unit, found.scale) == (unit, scale)
