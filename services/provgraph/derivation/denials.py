"""No, where the sentence that is nearest to a question by sense denies what it asks, in whatever words."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from provgraph.derivation.evidence import Found, ReadPassage, support_at
from provgraph.derivation.result import Derived, Step
from provgraph.language.languages import ENGLISH, language_of
from provgraph.language.polarity import asked_polarity, denies
from provgraph.language.terms import words
from provgraph.reading.propositions import Span

LIKENESS: Final = 16.1
"""What likeness counts in how likely a sentence is the one that answers (ListNet: Cao et al. 2007)."""
LEAST, LEAST_OF_MANY = 0.6, 0.75
"""How likely it has to be that one among those of its document, and among those of many."""
LEAST_LIKE: Final = 0.2
_TWO_CLAUSES: Final = re.compile(r"[,;:]| (?:and|but|or) ")


@dataclass(frozen=True)
class _NearSentence:
    passage: ReadPassage
    span: Span
    likeness: float


def denied(question: str, found: Found, *, in_one: bool) -> Derived | None:
    """None where no sentence is likely enough the one that answers, or it does not deny in one clause."""
    near = list(_sentences(found))
    best = max(near, key=lambda each: each.likeness, default=None)
    if best is None or best.likeness < LEAST_LIKE or language_of(best.span.text) != ENGLISH:
        return None
    texts = {each.span.text: each.likeness for each in near}
    chance = 1 / sum(math.exp(LIKENESS * (likeness - best.likeness)) for likeness in texts.values())
    if chance < (LEAST if in_one else LEAST_OF_MANY) or not _is_denied(question, best.span.text):
        return None
    why = f"This sentence is nearest to the question by sense (likeness {best.likeness:.2f}), and denies it."
    step = Step("choose", "no", why, (support_at(best.passage, best.span),))
    return Derived("no", "yes-no", (step,), chance)


def _sentences(found: Found) -> Iterator[_NearSentence]:
    for passage in found.passages:
        for sentence in passage.parsed:
            text = passage.text[sentence.start : sentence.end]
            sense = found.senses.get((passage.key, sentence.start))
            if sense is not None and not text.startswith("#"):
                yield _NearSentence(passage, Span(sentence.start, sentence.end, text), sense.likeness)


def _is_denied(question: str, sentence: str) -> bool:
    clause = _TWO_CLAUSES.split(sentence)[0]
    if "whether" in words(clause):
        return False  # what is not decided or known is not denied
    return asked_polarity(question) != "denied" and denies(clause)
