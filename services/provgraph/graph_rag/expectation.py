"""What kind of thing a question asks for, as far as its question word tells."""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from provgraph.ports.retriever import CandidateEdge

_QUANTITY: Final = re.compile(
    r"\b(?:when|how (?:many|much|old|long|far|tall|high|large|big|heavy|fast|often)|"
    r"(?:what|which) (?:year|date|day|month|century|percentage|number))\b",
    re.IGNORECASE,
)
_PLACE: Final = re.compile(
    r"\b(?:where|(?:what|which) (?:city|country|state|place|town|continent))\b", re.IGNORECASE
)
_OF_PLACE: Final = re.compile(r"\b(?:in|at|from|to|near|on)$", re.IGNORECASE)
_DIGIT: Final = re.compile(r"\d")


class Expectation(Enum):
    NONE = "none"
    QUANTITY = "quantity"
    PLACE = "place"

    def met_by(self, edge: CandidateEdge) -> bool:
        """Whether an edge says such a thing: a number or date; something at the end of a preposition of place."""
        has_digit = bool(_DIGIT.search(edge.labels.object))
        if self is Expectation.QUANTITY:
            return has_digit
        return self is Expectation.PLACE and not has_digit and bool(_OF_PLACE.search(edge.labels.relation))


def expectation(question: str) -> Expectation:
    """English question words only; any other question expects nothing in particular."""
    if _QUANTITY.search(question):
        return Expectation.QUANTITY
    return Expectation.PLACE if _PLACE.search(question) else Expectation.NONE
