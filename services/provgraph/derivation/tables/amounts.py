"""Amounts as they are said: "5,207" of USD and a scale of a million is "$5,207 million"."""

from __future__ import annotations

from typing import Final

_SIGNS: Final = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹", "KRW": "₩"}
CURRENCIES: Final = frozenset(_SIGNS)
"""Units that are money (ISO 4217)."""
_OF_COUNTS: Final = "count"
"""The unit that tables give to what is counted."""
_SCALES: Final = {1_000: "thousand", 1_000_000: "million", 1_000_000_000: "billion"}


def amount_text(number: str, unit: str = "", scale: int = 1) -> str:
    """The printed number with its unit and scale; parentheses become a minus."""
    bare = number.strip()
    if "(" in bare:
        bare = "-" + bare.replace("(", "").replace(")", "").strip()
    digits = bare.lstrip("-−$€£¥ ")
    minus = "-" if bare.lstrip("$€£¥ ")[:1] in ("-", "−") else ""
    if unit == "%":
        return f"{minus}{digits.rstrip('% ')}%"
    sign = _SIGNS.get(unit, bare.lstrip("-−")[:1] if bare.lstrip("-−")[:1] in "$€£¥" else "")
    word = f" {_SCALES[scale]}" if scale in _SCALES else ""
    after = f" {unit}" if unit and unit != _OF_COUNTS and unit not in _SIGNS else ""
    return f"{minus}{sign}{digits}{word}{after}"
