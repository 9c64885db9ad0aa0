"""A question's reading → the patterns that evidence has to fill, and in which order.

"Who founded the company that made Red Sand?" has two patterns that share the variable ?x: Red Sand | producer | ?x,
then ?x | founded-by | ?answer. A pattern can be looked up when all its terms but one are known.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from provgraph.reading.entity_types import type_of_noun
from provgraph.reading.propositions import Argument, Proposition, Role
from provgraph.reading.questions import ANSWER, QuestionReading

KINDS = frozenset({"is", "instance-of", "occupation", "position", "has-property"})
"""Relations that say what kind of thing something is."""


@dataclass(frozen=True)
class Term:
    """A place of a pattern: with a variable it is open until that is bound."""

    argument: Argument
    variable: str = ""

    @property
    def is_known(self) -> bool:
        return not self.variable and self.argument.kind in ("entity", "value", "concept")

    @property
    def is_named(self) -> bool:
        return not self.variable and (self.argument.is_named or self.argument.value is not None)


@dataclass(frozen=True)
class Pattern:
    """What a proposition of the evidence has to say; `restrictions` are its further arguments by role."""

    proposition: Proposition
    subject: Term
    object: Term | None
    restrictions: tuple[tuple[Role, Term], ...] = ()

    @property
    def relation(self) -> str:
        return self.proposition.relation

    @property
    def terms(self) -> tuple[Term, ...]:
        ends = (self.subject,) if self.object is None else (self.subject, self.object)
        return (*ends, *(term for _, term in self.restrictions))

    @property
    def variables(self) -> frozenset[str]:
        return frozenset(term.variable for term in self.terms if term.variable)

    @property
    def says_kind(self) -> bool:
        return self.relation in KINDS


@dataclass(frozen=True)
class Plan:
    """`types` are what each variable is known to be, "" where nothing tells."""

    question: QuestionReading
    patterns: tuple[Pattern, ...]
    types: Mapping[str, str]

    def next(self, bound: Iterable[str], done: Iterable[Pattern]) -> Pattern | None:
        """The pattern to look up next: one whose terms are known but for one variable; named terms first."""
        known, over = set(bound), set(done)
        hops = [pattern for pattern in self.patterns if not pattern.says_kind] or self.patterns
        ready = []
        for pattern in hops:
            unknown = pattern.variables - known
            named = any(t.is_named or t.variable in known for t in pattern.terms)
            if pattern not in over and len(unknown) == 1 and named:
                ready.append((pattern.proposition.canonical, len(pattern.restrictions), pattern))
        return max(ready, key=lambda each: each[:2], default=(False, 0, None))[2] or self._unnamed(
            known, over
        )

    def _unnamed(self, known: set[str], over: set[Pattern]) -> Pattern | None:
        """A pattern with one open term and no name: its names stand elsewhere in the question, or it is about something
        definite ("the ferry line")."""
        ready = [
            p for p in self.patterns if p not in over and not p.says_kind and len(p.variables - known) == 1
        ]
        definite = (
            p for p in ready if any(t.argument.determiner == "the" for t in p.terms if not t.variable)
        )
        return next((p for p in ready if p.proposition.canonical), next(definite, None))

    def names_beside(self, pattern: Pattern) -> list[str]:
        """The names of the question that no other pattern has as a term."""
        taken = {t.argument.label for p in self.patterns if p != pattern for t in p.terms if t.is_named}
        return [name.label for name in self.question.names if name.label not in taken and name.value is None]


def plan(question: QuestionReading) -> Plan:
    """The patterns of a question. Descriptions of which more than one thing is said are variables."""
    variables = _variables(question)
    read = [_attribute(_pattern(proposition, variables), question) for proposition in question.propositions]
    patterns = _without_loose_ends([_how_much(pattern, question) for pattern in read])
    types: dict[str, str] = {}
    for pattern in patterns:
        for term in pattern.terms:
            if term.variable and not types.get(term.variable):
                types[term.variable] = term.argument.entity_type
    asked_type = question.expected_type or type_by_words(question.text)
    if asked_type:
        types[ANSWER] = asked_type
    noun = question.answer.lemma.casefold() if question.answer is not None else ""
    if question.kind == "when":
        types[ANSWER] = "Date"
    if noun in _ATTRIBUTES:
        types[ANSWER] = _ATTRIBUTES[noun][1]
    return Plan(question, patterns, types)


def _variables(question: QuestionReading) -> dict[int, str]:
    """By where the head of a phrase starts."""
    heads: Counter[int] = Counter()
    names: dict[int, str] = {}
    for proposition in question.propositions:
        starts = set()
        for argument in (proposition.subject, proposition.object, *proposition.arguments):
            if argument is None:
                continue
            if argument.variable:
                names[argument.head.start] = argument.variable
            if argument.kind == "concept":
                starts.add(argument.head.start)
        heads.update(starts)
    if question.answer is not None:
        names[question.answer.head.start] = ANSWER
    for start, count in heads.items():
        if count > 1 and start not in names:
            names[start] = f"?y{len(names)}"
    return names


def _pattern(proposition: Proposition, variables: Mapping[int, str]) -> Pattern:
    def term(argument: Argument) -> Term:
        variable = argument.variable or variables.get(argument.head.start, "")
        if not variable and argument.kind == "open":
            variable = ANSWER
        return Term(argument, variable)

    target = proposition.object
    return Pattern(
        proposition,
        term(proposition.subject),
        term(target) if target is not None else None,
        tuple(
            (argument.role, term(argument))
            for argument in proposition.arguments
            if argument.span != proposition.predicate  # "Ada Novak's mother", which the relation says
        ),
    )


def _without_loose_ends(patterns: Sequence[Pattern]) -> tuple[Pattern, ...]:
    """A variable that stands once in all patterns and is not asked joins nothing: it is a description."""
    counts = Counter(variable for pattern in patterns for variable in pattern.variables)

    def closed(term: Term) -> Term:
        loose = term.variable and term.variable != ANSWER and counts[term.variable] == 1
        return Term(term.argument) if loose else term

    def settled(pattern: Pattern) -> Pattern:
        if len(pattern.variables) < 2:
            return pattern
        target = closed(pattern.object) if pattern.object is not None else None
        rest = tuple((role, closed(term)) for role, term in pattern.restrictions)
        return Pattern(pattern.proposition, closed(pattern.subject), target, rest)

    return tuple(settled(pattern) for pattern in _asked_once(patterns))


def _asked_once(patterns: Sequence[Pattern]) -> list[Pattern]:
    """What is asked stands at an end of one pattern: where it does, it restricts no other."""
    ends = [t for pattern in patterns for t in (pattern.subject, pattern.object) if t is not None]
    if not any(term.variable == ANSWER for term in ends):
        return list(patterns)
    return [
        replace(pattern, restrictions=tuple(r for r in pattern.restrictions if r[1].variable != ANSWER))
        for pattern in patterns
    ]


_ATTRIBUTES: Final[dict[str, tuple[str, str]]] = {
    "nationality": ("nationality", ""), "profession": ("occupation", ""), "occupation": ("occupation", ""),
    "job": ("occupation", ""), "genre": ("genre", ""), "language": ("language", ""), "religion": ("religion", ""),
    "currency": ("currency", ""), "population": ("population", "Number"), "height": ("height", "Number"),
    "area": ("area", "Number"), "length": ("length", "Number"), "age": ("age", "Number"),
}  # fmt: skip
"""Nouns that name a relation: "what nationality is X" asks for the nationality of X."""


def _attribute(pattern: Pattern, question: QuestionReading) -> Pattern:
    noun = question.answer.lemma.casefold() if question.answer is not None else ""
    if noun not in _ATTRIBUTES or not pattern.says_kind or pattern.object is None:
        return pattern
    ends = (pattern.subject, pattern.object)
    thing = next((end for end in ends if end.variable != ANSWER), None)
    asked = next((end for end in ends if end.variable == ANSWER), None)
    if thing is None or asked is None:
        return pattern
    relation, kind = _ATTRIBUTES[noun]
    proposition = replace(pattern.proposition, relation=relation, canonical=True)
    return Pattern(
        proposition, thing, Term(replace(asked.argument, entity_type=kind), ANSWER), pattern.restrictions
    )


def _how_much(pattern: Pattern, question: QuestionReading) -> Pattern:
    """ "How much did it cost": what is asked is "much"."""
    target = pattern.object
    if question.kind != "how-much" or ANSWER in pattern.variables:
        return pattern
    if target is None and question.answer is not None:
        return Pattern(
            pattern.proposition, pattern.subject, Term(question.answer, ANSWER), pattern.restrictions
        )
    if target is None or target.is_named:
        return pattern
    return Pattern(pattern.proposition, pattern.subject, Term(target.argument, ANSWER), pattern.restrictions)


_WH: Final = (
    (re.compile(r"\b(?:who|whom)\b\??", re.IGNORECASE), "Person"),
    (
        re.compile(r"\b(?:when|(?:what|which) (?:year|date|day|month|century|decade))\b", re.IGNORECASE),
        "Date",
    ),
    (re.compile(r"\bwhere\b", re.IGNORECASE), "Place"),
    (re.compile(r"\bhow (?:many|much)\b", re.IGNORECASE), "Number"),
)
_NOUN: Final = re.compile(r"\b(?:what|which)((?:\s+[\w'-]+){1,4})", re.IGNORECASE)


def type_by_words(text: str) -> str:
    """The type of what is asked by a wh-word at the end or in the midst of a sentence; empty where it does not tell.

    "What" and "which" tell by the noun behind them, and go before a "who" or "where" that begins a clause.
    """
    match = _NOUN.search(text)
    nouns = match.group(1).split() if match else []
    for word in nouns:
        if word.casefold() in ("year", "date", "day", "month"):
            return "Date"
        if kind := type_of_noun(word.casefold()):
            return kind
    if re.search(r"\b(?:what|which)\b", text, re.IGNORECASE):
        return ""
    ends = [(m.start(), kind) for pattern, kind in _WH for m in pattern.finditer(text)]
    return max(ends, default=(0, ""))[1]
