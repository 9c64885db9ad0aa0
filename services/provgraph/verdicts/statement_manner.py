"""How a clause is meant beside its denial: as a duty or a licence, in which tense, and whether it is so no more."""

from __future__ import annotations

from itertools import pairwise
from typing import Final, TypedDict

from provgraph.reading.clauses import Clause
from provgraph.reading.phrases import Phrases

_DUTIES: Final = frozenset("must shall should ought".split())
_LICENCES: Final = frozenset("may might can could".split())
_NO_MORE: Final = (("no", "longer"), ("no", "more"))
_BEFORE: Final = 4


class StatementManner(TypedDict, total=False):
    """`duty` is "must" or "may" where it says what must or may be, `tense` as `Clause` has it, `over` whether it is
    said to be so no more."""

    duty: str
    tense: str
    over: bool


def manner_of(clause: Clause, phrases: Phrases) -> StatementManner:
    return {"duty": _duty(clause, phrases), "tense": clause.tense, "over": _is_over(clause, phrases)}


def _duty(clause: Clause, phrases: Phrases) -> str:
    words = {c.text.lower() for c in phrases.children(clause.head) if c.relation.startswith("aux")}
    return "must" if words & _DUTIES else "may" if words & _LICENCES else ""


def _is_over(clause: Clause, phrases: Phrases) -> bool:
    """ "No longer hangs", "used to hang"."""
    tokens, head = phrases.sentence.tokens, clause.head
    before = [t.text.lower() for t in tokens[max(0, head.index - _BEFORE) : head.index]]
    if any(pair in _NO_MORE for pair in pairwise(before)):
        return True
    above = tokens[head.head] if head.head >= 0 else None
    return (
        above is not None
        and head.relation == "xcomp"
        and above.text.lower() == "used"
        and not any(c.relation.startswith("aux") for c in phrases.children(above))
    )
