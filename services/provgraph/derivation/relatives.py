"""The relative of somebody who is asked for by a composed relation: "the maternal grandfather of Ada Novak"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from provgraph.derivation.compositions import COMPOSED
from provgraph.derivation.lookups import Lookup, entity, look_up
from provgraph.derivation.names import likeness
from provgraph.derivation.plan import Plan
from provgraph.derivation.result import Derived, Incomplete, Step
from provgraph.derivation.solving import Solver
from provgraph.derivation.steps import cited, steps_of
from provgraph.reading.propositions import Argument
from provgraph.reading.questions import QuestionReading
from provgraph.reading.relations import vocabulary

_LEAST_OF_CHAIN: Final = 0.3
"""What the hops of a composition must score together."""


async def composed(
    relation: str, question: QuestionReading, planned: Plan, solver: Solver
) -> Derived | Incomplete | None:
    start = await _start(relation, question, planned, solver)
    if start is None:
        return None
    thing, before = start
    longest: list[Step] = before
    for chain in COMPOSED[relation]:
        found = await _along(thing, chain, solver, list(before))
        if isinstance(found, Derived):
            return found
        if len(found) > len(longest):
            longest = found
    return Incomplete(tuple(longest), f"No document says who the {relation} of {thing.label} is.")


async def _start(
    relation: str, question: QuestionReading, planned: Plan, solver: Solver
) -> tuple[Argument, list[Step]] | None:
    """The one whose relative is asked for: named, or first to be found."""
    word = relation.split("-")[0].split()[-1]
    kin = [
        p
        for p in planned.patterns
        if word in p.proposition.predicate.text.casefold()
        or "grand" in p.relation
        or p.relation
        in ("uncle-or-aunt", "nephew-or-niece", "cousin", "relative", "grandparent", "grandchild")
    ]
    for pattern in kin:
        if pattern.subject.is_named:
            return pattern.subject.argument, []
        if pattern.subject.variable:
            others = tuple(each for each in planned.patterns if each is not pattern)
            part = Solver(Plan(question, others, {**planned.types, "?answer": "Person"}), solver.finder)
            for solution in await part.solutions():
                bound = solution.bindings.get(pattern.subject.variable)
                if bound is not None:
                    return entity(bound.label, "Person"), steps_of(solution)
    names = [name for name in question.names if name.entity_type in ("Person", "")]
    return (names[0], []) if len(names) == 1 else None


async def _along(
    thing: Argument, chain: Sequence[str], solver: Solver, steps: list[Step]
) -> Derived | list[Step]:
    score = 1.0
    lookup: Lookup | None = None
    start = thing.label
    for relation in chain:
        lookup = await look_up(solver, thing, [relation], "Person")
        if lookup is None or likeness(lookup.value.label, start) >= 0.85:
            return steps
        known = vocabulary()
        steps.append(
            Step(
                "look up",
                lookup.value.label,
                f"{thing.label} {known[relation].label} {lookup.value.label}.",
                (cited(lookup.match),),
                (len(steps) - 1,) if steps else (),
            )
        )
        score *= lookup.match.score
        thing = entity(lookup.value.label, "Person")
    assert lookup is not None
    if score < _LEAST_OF_CHAIN:
        return []
    return Derived(lookup.value.label, "entity", tuple(steps), score)
