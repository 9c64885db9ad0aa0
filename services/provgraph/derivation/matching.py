"""Whether a proposition of the evidence fills a pattern of the question, and with what.

Scores are between 0 (it does not) and 1 (it says just that): the relation's, times that of each known term, times what
restrictions leave. They rank; what is proved stands in the words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from provgraph.derivation.evidence import ReadPassage
from provgraph.derivation.fitting import KINSHIP, fits, is_of_gender
from provgraph.derivation.names import holds, likeness, words_of
from provgraph.derivation.plan import KINDS, Pattern, Term
from provgraph.reading.entity_types import gender_of_name
from provgraph.reading.propositions import Argument, Proposition
from provgraph.reading.questions import ANSWER
from provgraph.reading.relations import vocabulary
from provgraph.reading.values import Date, Quantity, contains

LEAST: Final = 0.35
_UNSAID: Final = 0.85
"""What a restriction leaves that the proposition does not speak of."""
_GENERIC: Final = frozenset({"has", "be", "do", "make", "get"})


_NEARLY: Final = {
    ("product", "producer"): 0.85, ("product", "director"): 0.6, ("product", "developer"): 0.85,
    ("product", "creator"): 0.8, ("product", "builder"): 0.8, ("product", "publisher"): 0.6,
    ("producer", "product"): 0.85,
}  # fmt: skip
"""Relations that say nearly the same with their ends exchanged: to make a film is to produce it, or to direct it."""


PREPOSITIONS: Final = frozenset("of from to with for against about at on in by over under into".split())


@dataclass(frozen=True)
class Match:
    """`value` is what fills the pattern's open term; None where nothing was open. Without `proposition` it is a guess
    from words that stand together."""

    passage: ReadPassage
    proposition: Proposition | None
    value: Argument | None
    score: float


def relation_score(asked: str, lemma: str, evidence: Proposition) -> tuple[float, bool]:
    """How well a relation says what is asked, and whether subject and object change places for it."""
    if asked == evidence.relation:
        return 1.0, False
    defined = _defined_score(asked, evidence.relation)
    if defined is not None:
        return defined
    if (asked, evidence.relation) in _NEARLY:
        return _NEARLY[asked, evidence.relation], True
    if asked in KINDS and evidence.relation in KINDS:
        return 0.8, False
    if not _same_preposition(asked, evidence.relation):
        return 0.0, False
    if lemma and lemma == evidence.lemma and lemma not in _GENERIC:
        return 0.8, False
    if asked.split()[0] == evidence.relation.split()[0] and asked.split()[0] not in (*_GENERIC, "is"):
        return 0.75, False
    return 0.0, False


def _same_preposition(asked: str, said: str) -> bool:
    """Whether two relations do not part by their prepositions: "die of" and "die in"."""
    wanted, others = asked.rpartition(" ")[2], set(re.split(r"[ -]", said)) & PREPOSITIONS
    return wanted not in PREPOSITIONS or not others or wanted in others


_OF_COUPLES: Final = 0.8
"""Who is married to somebody is his wife, or her husband, where no first name tells otherwise."""

_OF_SPOUSES: Final = frozenset(("husband", "wife"))
_OF_GENDER: Final = 0.95
"""A parent who is a woman is the mother."""


@lru_cache(8_192)
def _defined_score(asked: str, said: str) -> tuple[float, bool] | None:
    """By what the vocabulary says of two relations: one implies the other, or is its inverse."""
    known = vocabulary()
    if asked not in known or said not in known:
        return None
    implied = known.implied(said)
    if asked in implied:
        return 0.95, False
    if said in known.implied(asked):
        return (_OF_COUPLES if said == "spouse" else 0.55), False
    inverse = known.inverse_of(asked)
    if inverse and (inverse == said or inverse in implied):
        return 0.95, True
    parents = {known.inverse_of(each) for each in known.implied(asked)}
    return (0.7, True) if said in parents or parents & implied else None


class Unifier:
    """Fills one pattern; `bindings` are what its variables stand for so far, `types` what the open one should be."""

    def __init__(self, pattern: Pattern, bindings: Mapping[str, Argument], types: Mapping[str, str]) -> None:
        self._pattern = pattern
        self._bindings = bindings
        self._types = types
        self._symmetric = pattern.relation in vocabulary() and vocabulary()[pattern.relation].symmetric

    def match(self, passage: ReadPassage, evidence: Proposition) -> Match | None:
        """The better of the ways in which the proposition fills the pattern."""
        if not evidence.polarity or evidence.modality not in ("asserted", "planned"):
            return None
        pattern = self._pattern
        score, swapped = relation_score(pattern.relation, pattern.proposition.lemma, evidence)
        if score < LEAST:
            return None
        is_either = self._symmetric or (pattern.relation in _OF_SPOUSES and evidence.relation == "spouse")
        ways = [swapped, not swapped] if is_either else [swapped]
        matches = [m for way in ways if (m := self._way(passage, evidence, score, swapped=way)) is not None]
        return max(matches, key=lambda m: m.score, default=None)

    def _way(
        self, passage: ReadPassage, evidence: Proposition, score: float, *, swapped: bool
    ) -> Match | None:
        ends = (evidence.subject, evidence.object)
        subject, target = ends[::-1] if swapped else ends
        value: Argument | None = None
        base = score
        for term, argument in ((self._pattern.subject, subject), (self._pattern.object, target)):
            if term is None:
                continue
            if argument is None:
                return None
            filled, factor = self._fill(term, argument, passage, base)
            if factor <= 0:
                return None
            value, score = filled or value, score * factor
        for role, term in self._pattern.restrictions:
            filled, factor = self._restrict(role, term, passage, evidence)
            if factor <= 0:
                return None
            value, score = filled or value, score * factor
        open_terms = [t for t in self._pattern.terms if t.variable and t.variable not in self._bindings]
        if open_terms and value is None:
            return None
        score *= 0.7 + 0.3 * evidence.certainty
        return Match(passage, evidence, value, score) if score >= LEAST else None

    def _fill(
        self, term: Term, argument: Argument, passage: ReadPassage, score: float
    ) -> tuple[Argument | None, float]:
        """What an open term is filled with, or None; and the factor of the score: a parent who is a woman is the
        mother, and one who is a man is not."""
        if term.variable and term.variable not in self._bindings:
            if term is self._pattern.object and not fits(self._pattern.relation, argument):
                return None, 0.0
            if argument.is_named and not argument.entity_type:
                argument = replace(argument, entity_type=passage.reading.type_of(argument.label))
            factor = type_factor(self._types.get(term.variable, ""), argument)
            if term is self._pattern.object and self._pattern.relation in KINSHIP:
                gender = passage.reading.gender_of(argument.label) or gender_of_name(argument.label)
                is_one = is_of_gender(self._pattern.relation, gender)
                factor *= 0.0 if is_one is False else _OF_GENDER / score if is_one else 1.0
            return argument, factor
        known = self._bindings[term.variable] if term.variable else term.argument
        return None, same_thing(known, argument, passage)

    def _restrict(
        self, role: str, term: Term, passage: ReadPassage, evidence: Proposition
    ) -> tuple[Argument | None, float]:
        candidates = [argument for argument in evidence.arguments if argument.role == role] or [
            argument for argument in evidence.arguments if _kind(argument) == _kind(term.argument) != "entity"
        ]
        if term.variable and term.variable not in self._bindings:
            if term.variable != ANSWER:
                return None, 1.0
            typed = [
                (type_factor(self._types.get(ANSWER, ""), candidate), candidate) for candidate in candidates
            ]
            factor, best = max(typed, key=lambda each: each[0], default=(0.0, None))
            return best, factor
        known = self._bindings[term.variable] if term.variable else term.argument
        if isinstance(known.value, Date | Quantity):
            compared = [contains(known.value, c.value) for c in candidates if c.value is not None]
            if False in compared and True not in compared:
                return None, 0.0
            return None, 1.0 if True in compared else _UNSAID
        if any(same_thing(known, candidate, passage) > 0.5 for candidate in candidates):
            return None, 1.0
        near = holds(evidence.sentence.text, known.label) or holds(passage.title, known.label)
        return None, 0.95 if near else _UNSAID


_CONFUSED: Final = frozenset(
    frozenset(pair)
    for pair in (
        ("Place", "Group"), ("Organization", "Place"), ("Organization", "Work"), ("Organization", "Person"),
        ("Work", "Person"), ("Work", "Event"),
    )
)  # fmt: skip
"""Types that parsers take one for the other."""


def _kind(argument: Argument) -> str:
    return type(argument.value).__name__ if argument.value is not None else "entity"


def same_thing(known: Argument, argument: Argument, passage: ReadPassage) -> float:
    """How likely an argument of the evidence is what the question, or an earlier step, names."""
    if known.value is not None:
        if argument.value is None:
            return 0.0
        within = contains(known.value, argument.value)
        return 1.0 if within else 0.5 if within is None and known.text == argument.text else 0.0
    if argument.value is not None:
        return 0.0
    best = likeness(known.label, argument.label)
    if argument.resolution is None:
        best = max(best, likeness(known.label, argument.text))
    if (
        best < 0.8
        and known.is_named
        and not argument.is_named
        and _stands_for_another(known, argument, passage)
    ):
        return 0.0
    if best == 0.0 and argument.resolution is None and likeness(known.label, passage.title) >= 0.85:
        about = not argument.is_named and argument.determiner in ("the", "this", "it")
        best = 0.6 if about or argument.kind == "pronoun" else 0.0
    if known.kind == "concept" and best == 0.0:
        same_head = known.lemma and known.lemma == argument.lemma
        best = 0.6 if same_head and (not known.of or likeness(known.of, argument.of) > 0.5) else 0.0
    if 0.0 < best < 0.8 and likeness(known.label, passage.title) >= 0.8:
        best = 0.85
    return best if best >= 0.4 else 0.0


def _stands_for_another(known: Argument, argument: Argument, passage: ReadPassage) -> bool:
    """Whether "the bridge" cannot be a bridge by name: the passage is about another, or does not speak of that one."""
    if argument.resolution is not None:
        return False
    head = words_of(known.label)[-1:]
    title = words_of(passage.title)
    if head and title[-1:] == head and likeness(known.label, passage.title) < 0.5:
        return True
    return bool(head) and words_of(argument.label)[-1:] == head and not holds(passage.text, known.label)


def type_factor(expected: str, argument: Argument) -> float:
    """1 where an argument is of the expected type, less where that is not known, 0 where it is of another."""
    if argument.kind in ("pronoun", "clause", "open"):
        return 0.0 if argument.resolution is None else 0.9
    if expected == "Date":
        return 1.0 if isinstance(argument.value, Date) and argument.value.has_year else 0.0
    if expected == "Number":
        return 1.0 if isinstance(argument.value, Quantity) else 0.0
    if expected in ("", "Concept"):
        return 1.0 if argument.value is None or expected == "" else 0.0
    if argument.value is not None:
        return 0.0
    return _named_factor(expected, argument.entity_type, argument.is_named)


def _named_factor(expected: str, found: str, named: bool) -> float:
    if found == expected:
        return 1.0 if named else 0.75
    if not found:
        return 0.85 if named else 0.6
    if {found, expected} <= {"Organization", "Group"} or {found, expected} <= {"Person", "Group"}:
        return 0.85
    if not named:
        return 0.0
    if {found, expected} in ({"Organization", "Work"}, {"Organization", "Person"}):
        return 0.75
    if frozenset({found, expected}) in _CONFUSED:
        return 0.5
    return 0.3 if found == "Concept" else 0.0
