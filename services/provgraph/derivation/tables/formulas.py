"""Figures that are derived from line items, such as margins and ratios, as data: `formulas.txt`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib import resources
from typing import Final

from provgraph.language.terms import terms

_ITEM: Final = re.compile(r"[~^]?\[(?P<name>[^\]]{1,200})\]")
_TOKEN: Final = re.compile(r"[~^]?\[[^\]]{1,200}\]|\d+(?:\.\d+)?|[-+*/()]")

Look = Callable[[str, str], Decimal | None]
"""The value of a line item; with "~" the average with the year before, with "^" the change from it. None where no table
has it."""


@dataclass(frozen=True)
class Formula:
    """`expression` has line items in brackets, numbers, and + - * / ( ); `unit` is "%", "ratio", or empty for an
    amount."""

    names: tuple[str, ...]
    expression: str
    unit: str

    @property
    def items(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(match["name"] for match in _ITEM.finditer(self.expression)))

    def value(self, look: Look) -> Decimal | None:
        """The value with the line items that `look` gives; None where one is missing or a divisor is 0."""
        try:
            return _Expression(_TOKEN.findall(self.expression), look).total()
        except (LookupError, ZeroDivisionError):
            return None


class _Expression:
    """Sums of products of line items, from left to right."""

    def __init__(self, tokens: list[str], look: Look) -> None:
        self._tokens, self._look = tokens, look

    def total(self) -> Decimal:
        value = self._product()
        while self._tokens and self._tokens[0] in "+-":
            sign = self._tokens.pop(0)
            other = self._product()
            value = value + other if sign == "+" else value - other
        return value

    def _product(self) -> Decimal:
        value = self._operand()
        while self._tokens and self._tokens[0] in "*/":
            sign = self._tokens.pop(0)
            other = self._operand()
            if sign == "/" and not other:
                raise ZeroDivisionError
            value = value * other if sign == "*" else value / other
        return value

    def _operand(self) -> Decimal:
        token = self._tokens.pop(0)
        if token == "(":
            value = self.total()
            self._tokens.pop(0)
            return value
        if token[0].isdigit():
            return Decimal(token)
        value_of_item = self._look(token.strip("~^[]"), token[0] if token[0] in "~^" else "")
        if value_of_item is None:
            raise LookupError(token)
        return value_of_item


@cache
def formulas() -> tuple[Formula, ...]:
    """All of `formulas.txt`."""
    text = resources.files(__package__).joinpath("formulas.txt").read_text(encoding="utf-8")
    found = []
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            names, expression, unit = (part.strip() for part in line.split("|"))
            found.append(Formula(tuple(name.strip() for name in names.split(",")), expression, unit))
    return tuple(found)


def formulas_in(text: str) -> list[Formula]:
    """The formulas whose name stands in a text, of the longest name; where there are several, each is another way to
    the same figure."""
    asked = tuple(terms(text))
    named = [
        (len(terms(name)), formula)
        for formula in formulas()
        for name in formula.names
        if _stands(terms(name), asked)
    ]
    longest = max((length for length, _ in named), default=0)
    return [formula for length, formula in named if length == longest]


def formula_in(text: str) -> Formula | None:
    """The first of these; None where a text names no such figure."""
    return next(iter(formulas_in(text)), None)


def _stands(name: list[str], asked: tuple[str, ...]) -> bool:
    return any(asked[at : at + len(name)] == tuple(name) for at in range(len(asked) - len(name) + 1))
