"""Whether a sentence asserts what a verb form in it says: infinitives and gerunds often name what is not so.

"He was sentenced to join the army" does not say that he joined it, "he went on to join the army" does.
"""

from __future__ import annotations

import re
from typing import Final

from provgraph.reading.propositions import Proposition

_INFINITIVE: Final = re.compile(r"\b(\w+)\s+(?:\w+ly\s+|also\s+|then\s+)?to\s+(?:\w+ly\s+)?$", re.I)
_IMPLIES: Final = frozenset(
    """on went continue continued continues began begin begins started starts came comes managed manages proceeded
    helped helps happened first last only returned returns grew tended tends used turned rose""".split()
)
"""Words before an infinitive that say that it was done (Karttunen's implicative verbs): "went on to"."""
_BEFORE_GERUND: Final = re.compile(
    r"\b(for|of|from|to|about|into|without|than|against|with)\s+(?:\w+ly\s+)?$", re.I
)
_OPENING: Final = re.compile(r"(?:beginning|starting|commencing|ending)$", re.I)


_OWN_SUBJECT: Final = 0.8
"""The certainty of clauses with a subject of their own is above it."""
_BOUNDS: Final = frozenset({"start-time", "end-time"})
"""What a participle says of the noun right before it: of "the report for the year ended in June" the year ended."""
_TIME: Final = re.compile(r"\b(?:years?|quarters?|periods?|months?|weeks?|seasons?|terms?)\s*$", re.I)
_GOES_ON: Final = re.compile(r"\s+(?:to\s+[a-z]|[a-z]+ing\b)")
"""Behind "began" and "ceased": what was begun is what the next verb says."""
_NOTHING: Final = re.compile(r"[\s(,\"“”’]*(?:(?:is|was|are|were|has been|have been)\s+)?")
_PREPOSITION: Final = re.compile(r"\s*(?:(?:in|on|by|at|of|to|as|from|the|a|an)\s+){0,2}[\"“‘’]*")


def is_adjacent(proposition: Proposition, text: str) -> bool:
    """Whether subject, predicate and object follow each other in this order with nothing but a preposition, a comma or
    a bracket between: there is little that a parser could mistake."""
    if proposition.derived or proposition.object is None:
        return False
    if not proposition.subject.span.end <= proposition.predicate.start < proposition.object.span.start:
        return False
    before = text[proposition.subject.span.end : proposition.predicate.start]
    after = text[proposition.predicate.end : proposition.object.span.start]
    return _NOTHING.fullmatch(before) is not None and _PREPOSITION.fullmatch(after) is not None


def is_asserted(proposition: Proposition, text: str) -> bool:
    """Whether the form of its verb tells that it is so."""
    if proposition.derived:
        return True
    words = proposition.predicate.text
    before = text[proposition.sentence.start : proposition.predicate.start]
    infinitive = _INFINITIVE.search(before)
    if infinitive and infinitive[1].lower() not in _IMPLIES:
        return False
    if proposition.tense == "future":
        return False
    if proposition.relation in _BOUNDS and (
        _TIME.search(before) or _GOES_ON.match(text, proposition.predicate.end)
    ):
        return False
    if (
        proposition.relation in _BOUNDS
        and proposition.certainty < _OWN_SUBJECT
        and " " not in words
        and not is_adjacent(proposition, text)
    ):
        return False
    if words.lower().endswith("ing") and " " not in words:
        return not (_BEFORE_GERUND.search(before) or _OPENING.match(words))
    return True


def is_same_name(proposition: Proposition, text: str) -> bool:
    """Of "known as": whether nothing stands between the verb and the name, as in "known to viewers as Ada"."""
    if proposition.object is None or proposition.object.span.start < proposition.predicate.end:
        return True
    return len(text[proposition.predicate.end : proposition.object.span.start].split()) <= 3
