"""Patterns filled one after another: each hop is looked up in what passages say, and its value leads to the next.

A search over partial solutions: the pattern with one open term is matched against the propositions of retrieved
passages, and the best few values go on. The passages of a hop are those of the question and those found by the name
that the hop starts from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from provgraph.derivation.evidence import Finder, ReadPassage
from provgraph.derivation.fitting import counts
from provgraph.derivation.hints import Hint, Views, hints
from provgraph.derivation.matching import Match, Unifier
from provgraph.derivation.names import likeness, words_of
from provgraph.derivation.plan import Pattern, Plan
from provgraph.reading.entity_types import type_of_noun
from provgraph.reading.propositions import Argument
from provgraph.reading.questions import ANSWER
from provgraph.reading.relations import vocabulary

WIDTH: Final = 4
"""How many partial solutions go on from one hop to the next."""
_MOST_HOPS: Final = 5
_GOOD: Final = 0.75
_MOST_HINTS: Final = 6


@dataclass(frozen=True)
class Solution:
    """`matches` are the hops in order, each with the pattern that it fills."""

    bindings: Mapping[str, Argument] = field(default_factory=dict)
    matches: tuple[tuple[Pattern, Match], ...] = ()
    score: float = 1.0

    @property
    def answer(self) -> Argument | None:
        return self.bindings.get(ANSWER)

    @property
    def names(self) -> tuple[str, ...]:
        """What was found on the way."""
        return tuple(each.label for variable, each in self.bindings.items() if variable != ANSWER)


class Solver:
    """Fills the patterns of one plan."""

    def __init__(self, plan: Plan, finder: Finder) -> None:
        self.plan = plan
        self.finder = finder
        self.views = Views()
        self._solved: list[Solution] | None = None

    def within(self, types: Mapping[str, str]) -> Solver:
        """The same search for another open term."""
        other = Solver(replace(self.plan, types=types), self.finder)
        other.views = self.views
        return other

    async def solutions(self) -> list[Solution]:
        """All that could be filled, best first: those with an answer, then those that stopped on the way, which say
        how far they came. They are searched for once."""
        if self._solved is None:
            self._solved = await self._search()
        return self._solved

    async def _search(self) -> list[Solution]:
        going, over = [Solution()], list[Solution]()
        for _ in range(_MOST_HOPS):
            further: list[Solution] = []
            for solution in going:
                pattern = self.plan.next(solution.bindings, (each for each, _ in solution.matches))
                steps = await self._extended(solution, pattern) if pattern is not None else []
                further += steps
                if not steps:
                    over.append(solution)
            going = _best(further)
            if not going:
                break
        over += going
        return sorted(
            over,
            key=lambda solution: (solution.answer is not None, solution.score, len(solution.matches)),
            reverse=True,
        )

    async def _extended(self, solution: Solution, pattern: Pattern) -> list[Solution]:
        variable = next(iter(pattern.variables - set(solution.bindings)))
        matches = await self.matches(pattern, solution.bindings)
        extended: dict[tuple[str, ...], Solution] = {}
        for match in matches:
            assert match.value is not None
            if self._is_out_of_place(match.value, pattern, variable):
                continue
            key = words_of(match.value.label)
            if key in extended or len(extended) >= WIDTH:
                continue
            extended[key] = Solution(
                {**solution.bindings, variable: match.value},
                (*solution.matches, (pattern, match)),
                solution.score * match.score,
            )
        return list(extended.values())

    async def matches(self, pattern: Pattern, bindings: Mapping[str, Argument]) -> list[Match]:
        """The propositions that fill a pattern, best first: of the question's passages where they do it well, else
        also of those that the hop's own words lead to."""
        unifier = Unifier(pattern, bindings, self.plan.types)
        found: list[Match] = []
        seen: list[ReadPassage] = []
        for query in self._queries(pattern, bindings):
            passages = await self.finder.passages(query)
            found += _filled(unifier, passages)
            seen += (passage for passage in passages if passage not in seen)
            if any(match.score >= _GOOD for match in found):
                break
        else:
            views = self.views.of(seen)
            beside = self.plan.names_beside(pattern)
            found += _hinted(
                hints(pattern, bindings, self.plan.types, views, beside, self.plan.question.counted)
            )
        return sorted(found, key=lambda match: -match.score)

    def _queries(self, pattern: Pattern, bindings: Mapping[str, Argument]) -> Iterator[str]:
        names = [
            (bindings[term.variable] if term.variable else term.argument).label
            for term in pattern.terms
            if not term.variable or term.variable in bindings
        ]
        said = pattern.proposition.predicate.text
        known = vocabulary()
        label = known[pattern.relation].label if pattern.relation in known else pattern.relation
        hop = " ".join(dict.fromkeys([*names, label, said]))
        if any(variable in bindings for variable in pattern.variables):
            yield hop
            yield self.plan.question.text
        else:
            yield self.plan.question.text
            yield hop

    def _is_out_of_place(self, value: Argument, pattern: Pattern, variable: str) -> bool:
        """Whether a value is only what the question names already, or counts something else."""
        known = [term.argument.label for term in pattern.terms if not term.variable]
        if variable == ANSWER:
            question = self.plan.question
            known += [argument.label for argument in question.names if argument not in question.alternatives]
            if not counts(question.counted, value, pattern.relation) or not self._is_asked_kind(value):
                return True
        return any(likeness(value.label, name) >= 0.85 for name in known)

    def _is_asked_kind(self, value: Argument) -> bool:
        """A number or a date answers only where one is asked for; a name is no kind of a thing."""
        asked = self.plan.question.answer
        words = asked.text.casefold() if asked is not None else ""
        if value.value is not None:
            return bool(self.plan.types.get(ANSWER)) or any(noun in words for noun in _VALUES)
        if value.is_named and value.entity_type in ("Place", "Person") and self._asks_for_another_kind():
            return False
        return not (value.is_named and any(phrase in words for phrase in ("kind of", "type of", "sort of")))

    def _asks_for_another_kind(self) -> bool:
        """Whether the answer is said to be something that no place and no person is: "what is the area code"."""
        nouns = [
            end.argument.lemma.casefold()
            for p in self.plan.patterns
            if p.says_kind and ANSWER in p.variables
            for end in p.terms
            if end.variable != ANSWER and not end.is_named
        ]
        return any(noun and not type_of_noun(noun) for noun in nouns)


_VALUES: Final = (
    "year",
    "date",
    "number",
    "amount",
    "percent",
    "age",
    "day",
    "time",
    "size",
    "rate",
    "price",
    "total",
)


def _filled(unifier: Unifier, passages: Sequence[ReadPassage]) -> Iterator[Match]:
    for rank, passage in enumerate(passages):
        for proposition in passage.reading.propositions:
            match = unifier.match(passage, proposition)
            if match is not None:
                faded = match.score * (1 - 0.01 * min(rank, 20))
                yield Match(match.passage, match.proposition, match.value, faded)


def _hinted(found: Sequence[Hint]) -> Iterator[Match]:
    for hint in found[:_MOST_HINTS]:
        candidate = hint.candidate
        yield Match(candidate.passage, None, candidate.argument(), hint.score)


def _best(solutions: Sequence[Solution]) -> list[Solution]:
    return sorted(solutions, key=lambda solution: -solution.score)[:WIDTH]


def is_beside(other: Solution, best: Solution, planned: Plan) -> bool:
    """Whether another value answers as well: said in the same words of one sentence, or where more than one is
    asked for."""
    if other.answer is None or other.score < _AS_GOOD * best.score or len(other.matches) != len(best.matches):
        return False
    (pattern, last), (_, match) = best.matches[-1], other.matches[-1]
    if last.proposition is None or match.proposition is None or other.matches[:-1] != best.matches[:-1]:
        return False
    known = vocabulary()
    if pattern.relation in known and known[pattern.relation].functional:
        return False
    asked, said = planned.question.answer, pattern.proposition
    several = asked is not None and (asked.number == "plural" or asked.text.casefold() in ("what", ""))
    if last.proposition.predicate == match.proposition.predicate and not _are_alike(last, match):
        return False
    several |= any(a.number == "plural" and a.span == said.predicate for a in said.arguments)
    return several or (
        last.proposition.predicate == match.proposition.predicate and last.passage is match.passage
    )


def _are_alike(one: Match, other: Match) -> bool:
    """Whether two values have one part in what a verb says; of "studied chemistry at the University of Graz" not."""
    if one.value is None or other.value is None or one.passage is not other.passage:
        return True
    first, last = sorted((one.value.span, other.value.span), key=lambda span: span.start)
    return not _PREPOSITION.search(one.passage.text, first.end, max(first.end, last.start))


_PREPOSITION: Final = re.compile(r"\b(?:at|in|for|with|by|under|on|from|to|as)\b")
_AS_GOOD: Final = 0.93
