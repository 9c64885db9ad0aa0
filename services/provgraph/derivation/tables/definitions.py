"""A figure that a question defines itself: "ROA is defined as: FY2022 net income / (average total assets between FY2021
and FY2022)" → a formula of line items.
"""

from __future__ import annotations

import re
from typing import Final

from provgraph.derivation.tables.cell_periods import PERIOD
from provgraph.derivation.tables.formulas import Formula
from provgraph.derivation.tables.item_names import content_of

_DEFINED: Final = (
    re.compile(
        r"(?:^|[.?!]\s++)(?P<name>[^.?!:;]{1,79}?[^.?!:;\s])\s+(?:is|are) (?:defined|calculated|computed) as:?\s++"
        r"(?P<said>.{1,400}?)"
        r"(?=[.;]\s+[A-Z]|[.;]?\s*$)",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:define|calculate|compute)\s++(?P<name>(?:(?!\sas\b)[^.?!:;]){1,79}?[^.?!:;\s])\s+as:?\s++(?P<said>.{1,400}?)"
        r"(?=[.;]\s+[A-Z]|[.;]?\s*$)",
        re.IGNORECASE,
    ),
)
_WORDS: Final = (
    (re.compile(r"\[[^\]]{0,200}\]|\((?:in|from|as) [^)]{0,200}\)", re.IGNORECASE), " "),
    (re.compile(r"\bdivided by\b|÷", re.IGNORECASE), " / "),
    (re.compile(r"\b(?:multiplied by|times)\b|×", re.IGNORECASE), " * "),
    (re.compile(r"\b(?:less|minus)\b|\s[–−-]\s", re.IGNORECASE), " - "),
    (re.compile(r"\bplus\b", re.IGNORECASE), " + "),
)
_BETWEEN: Final = r"(?: (?:between|from|of|for|in) {year} (?:and|to) {year})".format(
    year=r"(?:FY ?|fiscal (?:year )?)?'?(?:19|20)?\d\d"
)
_MEAN: Final = re.compile(rf"\baverage (?:of )?(?P<item>[^()+*/]{{1,100}}?){_BETWEEN}", re.IGNORECASE)
_CHANGE: Final = re.compile(rf"\bchange in (?P<item>[^()+*/]{{1,100}}?){_BETWEEN}", re.IGNORECASE)
_PIECES: Final = re.compile(r"(\s-\s|[+*/()])")
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")


def defined_in(text: str, asked: str) -> Formula | None:
    """The formula of what is `asked`, where the text defines it; None where it does not, or says it otherwise than by
    line items, numbers and + - * / ( )."""
    for pattern in _DEFINED:
        for match in pattern.finditer(text):
            name = set(content_of(match["name"]))
            if name and name <= set(content_of(asked)):
                expression = _expression(match["said"])
                return (
                    Formula((match["name"].strip(),), expression, _unit(text, expression))
                    if expression
                    else None
                )
    return None


def _unit(text: str, expression: str) -> str:
    if "/" not in expression:
        return ""
    return "%" if re.search(r"\bmargin\b|\bpercent|%", text, re.IGNORECASE) else "ratio"


def _expression(said: str) -> str:
    """Words as an expression of line items in brackets; empty where they are none."""
    for pattern, sign in _WORDS:
        said = pattern.sub(sign, said)
    said = " ".join(said.split())
    said = _CHANGE.sub(lambda match: f"^{match['item']}", _MEAN.sub(lambda match: f"~{match['item']}", said))
    if len({match[1] or match[2] for match in PERIOD.finditer(said)}) > 1:
        return ""
    made = [_token(piece.strip()) for piece in _PIECES.split(PERIOD.sub(" ", said)) if piece.strip()]
    if not all(made) or made.count("(") != made.count(")") or not any(token in "+-*/" for token in made):
        return ""
    return " ".join(made)


def _token(piece: str) -> str:
    if piece in "+-*/()" or _NUMBER.fullmatch(piece):
        return piece
    mark = piece[0] if piece[0] in "~^" else ""
    name = " ".join(piece.lstrip("~^").split())
    return f"{mark}[{name}]" if content_of(name) else ""
