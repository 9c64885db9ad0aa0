"""Questions with something said beside a name: "What was the trade of Ada Novak, whose life was filmed in 1999?"

What stands between the commas asks nothing. Where the whole question has no answer, it is asked without, and the answer
stands where documents say of the name what was left out.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Final

from provgraph.derivation.evidence import Finder
from provgraph.derivation.names import holds
from provgraph.derivation.result import Derived
from provgraph.language.terms import content_terms, terms

_BEGUN: Final = re.compile(r", (?=(?:who|whose|whom|which|best known|known|noted|famous|born)\b)")
_NAME_BEFORE: Final = re.compile(r"\b[A-Z][\w’'.-]{0,30}+(?: [A-Z][\w’'.-]{0,30}+){0,4}[”\"]?\Z")
_ASKED: Final = re.compile(r"\b(?:who|whom|whose|what|which|where|when|how|why|name)\b", re.IGNORECASE)
_SAID: Final = 0.5
"""How much of the words of an aside a passage about the name must have."""
_LONGEST: Final = 600


@dataclass(frozen=True)
class Aside:
    """A question without what it says beside a name, the name, and what was left out."""

    question: str
    name: str
    left_out: str


def asides(question: str) -> Iterator[Aside]:
    """The question without one aside, first that in its midst; nothing that asks is left out."""
    for begun in _BEGUN.finditer(question[:_LONGEST]):
        before, behind = question[: begun.start()], question[begun.end() :].rstrip(" ?")
        name = _NAME_BEFORE.search(before)
        if name is None:
            continue
        middle, comma, rest = behind.partition(", ")
        goes_on = bool(comma) and rest[:1].islower()
        for left_out, kept in ((middle, f" {rest}"), (behind, "")) if goes_on else ((behind, ""),):
            if _ASKED.search(before + kept):
                yield Aside(f"{before}{kept}?", name.group(), left_out)


async def answered_without_asides(
    question: str, answered: Callable[[str], Awaitable[object]], finder: Finder
) -> Derived | None:
    """The short answer to the question without its aside, where what that says is said of the name."""
    for aside in asides(question):
        if not await _is_said(aside, finder):
            continue
        found = await answered(aside.question)
        if isinstance(found, Derived):
            return found
    return None


async def _is_said(aside: Aside, finder: Finder) -> bool:
    told = set(content_terms(aside.left_out))
    for passage in await finder.passages(f"{aside.name} {aside.left_out}"):
        about = f"{passage.title}. {passage.text}"
        if holds(about, aside.name) and len(told.intersection(terms(about))) >= _SAID * len(told) > 0:
            return True
    return False
