"""The most and the least: a question for a bound is only answered by a sentence that sets one."""

from __future__ import annotations

import re
from typing import Final, Literal

from provgraph.derivation.result import Derived

Bound = Literal["", "most", "least"]

_ASKED: Final[dict[Bound, re.Pattern[str]]] = {
    "most": re.compile(
        r"\b(?:at (?:the )?most|maxim(?:um|al)|at the latest|up to (?:what|which|how)|no more than"
        r"|(?:highest|largest|longest) (?:allowed|permitted|possible))\b",
        re.IGNORECASE,
    ),
    "least": re.compile(
        r"\b(?:at (?:the )?least|minim(?:um|al)|at the earliest|no less than|no fewer than"
        r"|(?:lowest|smallest|shortest) (?:allowed|permitted|possible))\b",
        re.IGNORECASE,
    ),
}
_SAID: Final[dict[Bound, re.Pattern[str]]] = {
    "most": re.compile(
        r"\b(?:at (?:the )?most|maxim\w+|up to|as (?:many|much|long|high|late) as|exceed\w*|limit\w*|capped?"
        r"|(?:no|not|never|nor|cannot|n[’']t)\b[^.;]*\b(?:more|longer|later|higher|greater|larger|further|over|above)"
        r"|within|under|below|(?:less|fewer|lower|shorter|smaller) than|not after|latest|until|by)\b",
        re.IGNORECASE,
    ),
    "least": re.compile(
        r"\b(?:at (?:the )?least|minim\w+|from|as (?:few|little|early) as|earliest|not before"
        r"|(?:no|not|never|nor|cannot|n[’']t)\b[^.;]*\b(?:less|fewer|shorter|sooner|earlier|lower|under|below)"
        r"|(?:more|longer|older|higher|greater|larger|over) than|or (?:more|over|older)|over|above)\b",
        re.IGNORECASE,
    ),
}  # fmt: skip


def bound_asked(question: str) -> Bound:
    """Which bound a question asks for; empty where it asks for none."""
    return next((bound for bound, words in _ASKED.items() if words.search(question)), "")


def says_bound(sentence: str, bound: Bound) -> bool:
    """Whether a sentence sets a bound of that side; True where none is asked for."""
    return not bound or bool(_SAID[bound].search(sentence))


def is_bounded(found: Derived, question: str) -> bool:
    """Whether an answer is a bound where one is asked for."""
    bound = bound_asked(question)
    cited = [support.sentence.text for support in found.ending]
    return found.kind != "number" or not cited or any(says_bound(each, bound) for each in cited)
