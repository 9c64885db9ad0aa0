"""The answer that filled patterns give, hop by hop: one value, a list, or how far they came."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from provgraph.derivation.choosing import is_of_those_named
from provgraph.derivation.evidence import Finder
from provgraph.derivation.matching import Match
from provgraph.derivation.names import holds, likeness
from provgraph.derivation.plan import Plan
from provgraph.derivation.result import Derived, Incomplete
from provgraph.derivation.solving import Solution, Solver, is_beside
from provgraph.derivation.steps import kind_of, listed, missing, steps_of
from provgraph.reading.entity_types import demonyms, gender_of_name
from provgraph.reading.questions import QuestionReading

LEAST: Final = 0.5
"""What a solution must score, all hops together."""


async def by_patterns(planned: Plan, solver: Solver) -> Derived | Incomplete | None:
    """None where no pattern was filled well enough to tell anything."""
    solutions = await solver.solutions()
    if not solutions:
        return None
    answered = [solution for solution in solutions if solution.answer is not None][:_MOST_WEIGHED]
    scored = [
        (await _confidence(solution, planned.question, solver.finder), solution) for solution in answered
    ]
    confidence, best = max(scored, key=lambda each: each[0], default=(0.0, solutions[0]))
    if best.answer is None or confidence < LEAST or not _may_answer(best, planned.question):
        return _how_far(solutions, planned)
    if _is_either(best, answered):
        return None
    others = [
        solution for solution in solutions if solution is not best and is_beside(solution, best, planned)
    ]
    if others:
        return listed([best, *others], confidence)
    steps = tuple(steps_of(best))
    return Derived(steps[-1].value, kind_of(best.answer), steps, confidence)


_MOST_WEIGHED: Final = 4
_AS_LIKELY: Final = 0.02
_WATERS: Final = frozenset("river lake sea ocean mountain island".split())


def _may_answer(solution: Solution, question: QuestionReading) -> bool:
    """Whether its value is one of those named, and not of another kind of place than the question asks for."""
    value, asked = solution.answer, question.answer.lemma.casefold() if question.answer is not None else ""
    if value is None or not is_of_those_named(value, question):
        return False
    if asked == "country":
        return value.label in set(demonyms().values())
    if asked in _WATERS:
        return any(asked in match.passage.text.casefold() for _, match in solution.matches) and (
            value.label not in set(demonyms().values())
        )
    return True


_UNMET: Final = 0.5
"""What a name of the question leaves of a confidence that no sentence of the derivation speaks of."""


async def _confidence(solution: Solution, question: QuestionReading, finder: Finder) -> float:
    """A solution's score, less for each name of the question that neither its sentences' documents have nor another
    passage that speaks of what was found."""
    names = [argument.label for argument in question.names if argument.value is None]
    unmet = [name for name in names if not any(_speaks_of(match, name) for _, match in solution.matches)]
    found = [argument.label for argument in solution.bindings.values() if argument.value is None]
    missing_names = [name for name in unmet if not await _stand_together(name, found, question, finder)]
    return solution.score * _UNMET ** len(missing_names)


async def _stand_together(name: str, found: Sequence[str], question: QuestionReading, finder: Finder) -> bool:
    """Whether a passage speaks of a name of the question and of something that was found."""
    for query in (question.text, *(f"{label} {name}" for label in found[:2])):
        for passage in await finder.passages(query):
            about = f"{passage.title}. {passage.text}"
            if holds(about, name) and any(holds(about, label) for label in found):
                return True
    return False


def _speaks_of(match: Match, name: str) -> bool:
    passage = match.passage
    return holds(passage.text, name) or likeness(name, passage.title) >= 0.6


def _how_far(solutions: Sequence[Solution], planned: Plan) -> Incomplete | None:
    """The solution without an answer that came farthest, where it came anywhere."""
    open_ones = [solution for solution in solutions if solution.answer is None and solution.matches]
    if not open_ones:
        return None
    best = max(open_ones, key=lambda solution: (len(solution.matches), solution.score))
    if best.score < LEAST:
        return None
    following = planned.next(best.bindings, (each for each, _ in best.matches))
    steps = tuple(steps_of(best))
    return Incomplete(steps, missing(following, best.bindings)) if steps and following is not None else None


def _is_either(best: Solution, answered: Sequence[Solution]) -> bool:
    """Whether a parent is asked for of whom nothing tells which of two it is: "the son of Ari and Kim Dahl"."""
    relation = best.matches[-1][0].relation
    assert best.answer is not None
    if relation not in ("father", "mother") or gender_of_name(best.answer.label):
        return False
    labels = {
        solution.answer.label
        for solution in answered
        if solution.answer and solution.score >= best.score - _AS_LIKELY
    }
    return len(labels) > 1
