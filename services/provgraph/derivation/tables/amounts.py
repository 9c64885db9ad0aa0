"""Amounts as they are said: "5,207" of USD and a scale of a million is "$5,207 million"."""

from __future__ import annotations

from typing import Final

_SIGNS: Final = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹", "KRW": "₩"}
CURRENCIES: Final = frozenset((*_SIGNS, "pence", "cents"))
"""Units that are money: codes of ISO 4217, and hundredths."""
_UNSAID: Final = frozenset(("count", "ratio"))
"""Units that tables give to what is counted, and to quotients: no word is printed for them."""
_SCALES: Final = {
    1_000: "thousand",
    100_000: "lakh",
    1_000_000: "million",
    10_000_000: "crore",
    1_000_000_000: "billion",
}


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
    after = f" {unit}" if unit and unit not in _UNSAID and unit not in _SIGNS else ""
    return f"{minus}{sign}{digits}{word}{after}"
