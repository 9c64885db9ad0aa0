"""Matches → steps: each hop with the sentence that says it, and its value as one would say it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from provgraph.derivation.evidence import Support, support, support_at
from provgraph.derivation.matching import Match
from provgraph.derivation.names import likeness, words_of
from provgraph.derivation.plan import Pattern
from provgraph.derivation.result import AnswerKind, Derived, Step
from provgraph.derivation.solving import Solution
from provgraph.reading.propositions import Argument
from provgraph.reading.relations import vocabulary
from provgraph.reading.values import Date, Quantity


def steps_of(solution: Solution) -> list[Step]:
    """Each hop as a look-up with the sentence that says it."""
    steps: list[Step] = []
    for pattern, match in sorted(solution.matches, key=lambda match: match[1].value is solution.answer):
        if match.value is None:
            continue
        used = tuple(
            i
            for i, step in enumerate(steps)
            if any(
                step.value == solution.bindings[v].label
                for v in pattern.variables
                if v in solution.bindings and solution.bindings[v] is not match.value
            )
        )
        steps.append(Step("look up", answer_text(match), _hop(pattern, solution), (cited(match),), used))
    return steps


def _hop(pattern: Pattern, solution: Solution) -> str:
    known = vocabulary()
    label = known[pattern.relation].label if pattern.relation in known else pattern.proposition.predicate.text

    def name(term_variable: str, argument: Argument) -> str:
        return (
            solution.bindings[term_variable].label if term_variable in solution.bindings else argument.label
        )

    subject = name(pattern.subject.variable, pattern.subject.argument)
    target = name(pattern.object.variable, pattern.object.argument) if pattern.object is not None else ""
    return " ".join(f"{subject} {label} {target}".split()) + "."


def cited(match: Match) -> Support:
    assert match.value is not None
    if match.proposition is not None:
        return support(match.passage, match.proposition, match.value)
    return support_at(match.passage, match.value.span)


def answer_text(match: Match) -> str:
    """The value as one would say it: a name in full, by its document's title where that is the shorter form."""
    assert match.value is not None
    argument, title = match.value, match.passage.title
    if argument.value is not None:
        return argument.value.text
    label = _whole_name(match)
    if argument.entity_type == "Person":
        label = label.partition(" of the ")[0]
    if (
        " " not in label
        and argument.entity_type == "Person"
        and words_of(title)[-1:] == words_of(label)
        and len(words_of(title)) < 4
    ):
        return title
    shorter = 1 < len(words_of(title)) < len(words_of(label)) and set(words_of(title)) <= set(words_of(label))
    return title if shorter and argument.is_named else label


def _whole_name(match: Match) -> str:
    """A name of one word with the capitalised words right behind it."""
    assert match.value is not None
    label, end = match.value.label, match.value.span.end
    if " " in label or not match.value.is_named or match.value.resolution is not None:
        return label
    behind = _REST_OF_NAME.match(match.passage.text, end)
    return label + behind.group() if behind and match.value.entity_type == "Person" else label


_REST_OF_NAME: Final = re.compile(r"(?: [A-Z][\w'’-]+){1,2}")


def kind_of(argument: Argument) -> AnswerKind:
    if isinstance(argument.value, Date):
        return "date"
    if isinstance(argument.value, Quantity):
        return "number"
    return "entity" if argument.is_named else "span"


def missing(pattern: Pattern, bindings: dict[str, Argument] | object) -> str:
    """The sentence that names what no document says."""
    known = vocabulary()
    bound = bindings if isinstance(bindings, dict) else {}
    label = known[pattern.relation].label if pattern.relation in known else pattern.proposition.predicate.text
    named = [
        bound[t.variable].label if t.variable in bound else t.argument.label
        for t in (pattern.subject, pattern.object)
        if t is not None and (t.variable in bound or t.is_named)
    ]
    return f"No document says of {' and '.join(named) or 'it'}: {label}."


def listed(solutions: Sequence[Solution], confidence: float) -> Derived:
    """Several values, each with its sentence, then all of them."""
    steps: list[Step] = []
    last: list[int] = []
    for solution in solutions:
        own = steps_of(solution)
        for step in own:
            uses = tuple(len(steps) - 1 for _ in step.uses[:1])
            if step not in steps:
                steps.append(replace(step, uses=uses))
        last.append(len(steps) - 1)
    said = list(dict.fromkeys(steps[index].value for index in last))
    values = [
        each
        for each in said
        if not any(each != other and likeness(each, other) >= 0.45 for other in said[: said.index(each)])
    ]
    if len(values) == 1:
        return Derived(values[0], "entity", tuple(steps[: last[0] + 1]), confidence)
    text = " and ".join(filter(None, (", ".join(values[:-1]), values[-1])))
    steps.append(Step("list", text, f"The documents name {len(values)}.", (), tuple(dict.fromkeys(last))))
    return Derived(text, "list", tuple(steps), confidence)
