"""The ways of reading an answer from one clause, each of one kind of question; the first that reads one gives it.

Each is sure of what it reads, or gives nothing: where clauses tell different things, none is the answer.
"""

from __future__ import annotations

from typing import Final

from provgraph.derivation.amounts_changed import change_told
from provgraph.derivation.evidence import Finder
from provgraph.derivation.happenings import happening_told
from provgraph.derivation.open_days import open_told
from provgraph.derivation.prices_asked import bought_for, price_told
from provgraph.derivation.relatives import kin_counted
from provgraph.derivation.result import Derived
from provgraph.derivation.successions import successor_told
from provgraph.derivation.times_told import time_told
from provgraph.language.terms import FUNCTION_WORDS, words
from provgraph.reading.syntax import Parser

_ONLY_ASKING: Final = frozenset(
    "who whom whose what which when where why how many much long since exactly".split()
)


async def told_by_a_clause(text: str, parser: Parser, finder: Finder) -> Derived | None:
    """When or how long it is by rule, whether it is open on a day, who came after whom, what happened, what one pays,
    by how much it changed."""
    told = await open_told(text, parser, finder) or await time_told(text, parser, finder)
    told = told or await successor_told(text, finder)
    told = told or await happening_told(text, parser, finder)
    told = told or await price_told(text, finder) or await bought_for(text, parser, finder)
    told = told or await kin_counted(text, finder)
    return told or await change_told(text, finder)


def only_points_back(text: str) -> bool:
    """Whether a question has no word that says what it is about ("Since when?"): it points to one that is not known."""
    return all(word.casefold() in FUNCTION_WORDS | _ONLY_ASKING for word in words(text))
