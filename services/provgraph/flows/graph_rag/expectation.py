"""What a question asks for, as far as its wording tells: a number, a place, and the small words of the relation."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass
from typing import Final

from provgraph.language.terms import terms
from provgraph.ports.retriever import CandidateEdge

_QUANTITY: Final = re.compile(
    r"\b(?:when|how (?:many|much|old|long|far|tall|high|large|big|heavy|fast|often)|"
    r"(?:what|which) (?:year|date|day|month|century|percentage|number))\b",
    re.IGNORECASE,
)
_PLACE: Final = re.compile(
    r"\b(?:where|(?:what|which) (?:city|country|state|place|town|continent))\b", re.IGNORECASE
)
_PREPOSITIONS: Final = frozenset("in at from to near on with by of for under after before into".split())
_OF_PLACE: Final = frozenset("in at from to near on".split())
_DIGIT: Final = re.compile(r"\d")

KIND, WORD = 0.05, 0.02
"""What an edge gains that says the kind of thing asked for, and that has a preposition of the question."""


@dataclass(frozen=True)
class Expectation:
    quantity: bool = False
    place: bool = False
    prepositions: Set[str] = frozenset()

    def merit(self, edge: CandidateEdge) -> float:
        """How well an edge is what is asked for: enough to order edges that meet the same words, and no more."""
        has_digit = bool(_DIGIT.search(edge.labels.object))
        relation = terms(edge.labels.relation)
        is_place = not has_digit and bool(_OF_PLACE.intersection(relation[-1:]))
        is_kind = has_digit if self.quantity else self.place and is_place
        return KIND * is_kind + WORD * (not self.prepositions.isdisjoint(relation))


def expectation(question: str) -> Expectation:
    """By English question words only; a question without them expects nothing in particular."""
    quantity = bool(_QUANTITY.search(question))
    place = not quantity and bool(_PLACE.search(question))
    return Expectation(quantity, place, _PREPOSITIONS.intersection(terms(question)))
